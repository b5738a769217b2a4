# Writes a C++ file that holds every example and the schema of job files:
# cmake -DOUTPUT=... -DEXAMPLES=folder -DSCHEMA=file -P embed_examples.cmake
file(GLOB files ${EXAMPLES}/*.yaml ${EXAMPLES}/*.urdf)
set(content "#include \"tauflex/cli/embedded_examples.hpp\"\n\nconst std::map<std::string, std::string>& tauflex::embedded_examples() {\n  static const std::map<std::string, std::string> examples = {\n")
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  string(REGEX REPLACE "\\.yaml$" "" name ${name})
  file(READ ${file} text)
  string(APPEND content "{\"${name}\", R\"yaml(${text})yaml\"},\n")
endforeach()
string(APPEND content "  };\n  return examples;\n}\n")
file(READ ${SCHEMA} text)
string(APPEND content "\nconst std::string& tauflex::embedded_schema() {\n  static const std::string schema = R\"json(${text})json\";\n  return schema;\n}\n")
file(WRITE ${OUTPUT} "${content}")
