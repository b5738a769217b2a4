#include "tauflex/jobs/job_schema.hpp"

#include <fmt/format.h>

#include "tauflex/base/fields_json.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/jobs/job.hpp"

namespace tauflex {

namespace {

std::string methods_schema() {
  std::vector<KnownMethod> methods = all_methods();
  std::vector<Field> list;
  for (KnownMethod& known : methods)
    list.push_back(describe::group(name(known.method), fields(known.method), known.help));
  return schema_json(list);
}

// method: jets
std::string method_names() {
  std::vector<std::string> names;
  for (const KnownMethod& known : all_methods()) names.emplace_back(name(known.method));
  return "\"^(" + join(names, "|") + ")$\"";
}

std::string verification_schema() {
  VerificationOptions options;
  ControllerOptions feedback;
  bool has_feedback = false;
  return schema_json(options.fields(feedback, has_feedback));
}

std::string controllers_schema() {
  using enum ControllerOptions::Kind;
  std::vector<std::string> schemas;
  for (const auto kind : {pd, computed_torque, torques_alone})
    schemas.push_back(schema_json(ControllerOptions::of(kind).fields()));
  return "[" + join(schemas) + "]";
}

}  // namespace

std::string job_schema(const std::string& written) {
  const std::pair<std::string, std::string> values[] = {
      {"/definitions/method", methods_schema()},
      {"/definitions/method/type", R"(["object", "string"])"},
      {"/definitions/method/pattern", method_names()},
      {"/definitions/method/minProperties", "1"},
      {"/definitions/method/maxProperties", "1"},
      {"/definitions/verification", verification_schema()},
      {"/definitions/simulation", schema_json(SimulationRun().fields())},
      {"/definitions/simulation/properties/torques/type", R"(["object", "string"])"},
      {"/definitions/controller/oneOf", controllers_schema()},
      {"/definitions/controller/oneOf/0/required", R"(["pd"])"},
      {"/definitions/controller/oneOf/1/required", R"(["computed_torque"])"},
      {"/definitions/controller/oneOf/2/required", R"(["sample"])"},
  };
  return replaced_json(written, values);
}

}  // namespace tauflex
