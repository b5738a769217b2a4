#include "tauflex/studies/study_schema.hpp"

#include "tauflex/base/fields_json.hpp"
#include "tauflex/studies/study.hpp"

namespace tauflex {

namespace {

constexpr const char* frame = R"json({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "tauflex study file",
  "description": "One job, run many times with other values: how robust are its torques, and how stiff, heavy or fast may the robot be?",
  "type": "object",
  "required": ["tauflex", "study"],
  "additionalProperties": false,
  "properties": {
    "tauflex": {"const": 1, "description": "format of this file"},
    "study": {"$ref": "#/definitions/study"}
  },
  "definitions": {
    "stated": {
      "anyOf": [
        {"type": "number"},
        {"type": "string", "pattern": "^ *[x+]?[-+.0-9][-+.0-9eE]*( *[A-Za-z%][A-Za-z0-9/^ %]*)?$"}
      ],
      "description": "a number, 250 mm, a factor such as x0.8, an offset such as +2"
    },
    "pair": {"type": "array", "items": {"$ref": "#/definitions/stated"}, "minItems": 2, "maxItems": 2},
    "condition": {
      "type": "string",
      "pattern": "^limits$|^[^<>]*[^<> ] *[<>]=? *[-+.0-9]",
      "description": "a key of record.json and its bound, or limits: no limit of a drive or joint is exceeded"
    },
    "study": {},
    "varied": {}
  }
})json";

std::string sampling_schema() {
  long size = 0;
  return schema_json(sampling_fields(size));
}

constexpr const char* forms = R"([
  {"type": "string"},
  {"type": "object", "required": ["uniform"]},
  {"type": "object", "required": ["normal"]},
  {"type": "object", "required": ["log_normal"]},
  {"type": "object", "required": ["values"]},
  {"type": "object", "required": ["files"]}
])";
constexpr const char* conditions = R"([
  {"$ref": "#/definitions/condition"},
  {"type": "array", "items": {"$ref": "#/definitions/condition"}, "minItems": 1}
])";
// A key, or keys with their bounds.
constexpr const char* wanted = R"([
  {"type": "string"},
  {"type": "object", "minProperties": 1, "additionalProperties": {"$ref": "#/definitions/pair"}}
])";
constexpr const char* asks = R"([
  {
    "required": ["sampling", "vary"],
    "properties": {"sampling": {"not": {"type": "object", "required": ["table"]}}}
  },
  {
    "required": ["sampling"],
    "properties": {"sampling": {"type": "object", "required": ["table"]}},
    "not": {"required": ["vary"]}
  },
  {"required": ["design"], "not": {"anyOf": [{"required": ["sampling"]}, {"required": ["vary"]}]}}
])";

using Places = std::vector<std::pair<std::string, std::string>>;

const std::string keys = "/definitions/study/properties/";

void add_list_of_two(const std::string& place, Places& places) {
  places.emplace_back(place + "/type", R"("array")");
  places.emplace_back(place + "/allOf", R"([{"$ref": "#/definitions/pair"}])");
}

void add_sampling(Places& places) {
  const std::string sampling = keys + "sampling";
  places.insert(places.end(), {{sampling + "/type", R"(["object", "string"])"},
                               {sampling + "/pattern", R"("^grid$")"},
                               {sampling + "/minProperties", "1"},
                               {sampling + "/maxProperties", "1"},
                               {sampling + "/properties/table/type", R"("string")"}});
}

void add_design(Places& places) {
  const std::string design = keys + "design";
  places.insert(places.end(),
                {{design + "/required", R"(["where"])"},
                 {design + "/oneOf", R"([{"required": ["smallest"]}, {"required": ["largest"]}])"},
                 {design + "/properties/where/type", R"(["string", "array"])"},
                 {design + "/properties/where/anyOf", conditions}});
  for (const char* end : {"smallest", "largest"}) {
    places.emplace_back(design + "/properties/" + end + "/type", R"(["string", "object"])");
    places.emplace_back(design + "/properties/" + end + "/anyOf", wanted);
  }
  add_list_of_two(design + "/properties/between", places);
}

// What the value of a key under `vary` may be.
void add_varied(Places& places) {
  const std::string varied = "/definitions/varied";
  places.insert(places.end(), {{varied, schema_json(Distribution().fields())},
                               {varied + "/type", R"(["object", "string"])"},
                               {varied + "/pattern", R"("[^ .] *[.][.] *[^ .]|[0-9][.] *[.][.]")"},
                               {varied + "/oneOf", forms},
                               {varied + "/properties/values/type", R"("array")"},
                               {varied + "/properties/values/minItems", "1"},
                               {varied + "/properties/files/type", R"("string")"}});
  for (const char* form : {"uniform", "normal", "log_normal"})
    add_list_of_two(varied + "/properties/" + form, places);
}

}  // namespace

std::string study_schema() {
  Study study{.name = "", .job_name = "", .job = Node::read_text("{}", "schema")};
  // The shape of a key that is read elsewhere; its sentence stays that of the field.
  const auto described = [&](const std::string& key, const std::string& schema) {
    std::string sentence;
    for (const Field& field : study.fields())
      if (field.key == key) sentence = field.description();
    return std::pair(keys + key, schema.substr(0, schema.size() - 1) + ", \"description\": \"" +
                                     sentence + "\"}");
  };
  Places places = {
      {"/definitions/study", schema_json(study.fields())},
      {"/definitions/study/required", R"(["job"])"},
      {"/definitions/study/oneOf", asks},
      described("job", R"({"anyOf": [{"type": "string"}, {"$ref": "job.schema.json"}]})"),
      described("sampling", sampling_schema()),
      {keys + "vary/minProperties", "1"},
      {keys + "vary/additionalProperties", R"({"$ref": "#/definitions/varied"})"},
      {keys + "keep/minItems", "1"},
      described("within", "{\"anyOf\": " + std::string(conditions) + "}"),
      described("records", schema_json(study.record_fields())),
      {keys + "records/required", R"(["worst"])"},
      {keys + "records/properties/by/type", R"("string")"},
      described("design", schema_json(DesignQuestion().fields())),
  };
  add_sampling(places);
  add_design(places);
  add_varied(places);
  return replaced_json(frame, places);
}

}  // namespace tauflex
