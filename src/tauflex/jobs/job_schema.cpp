#include "tauflex/jobs/job_schema.hpp"

#include <nlohmann/json.hpp>

#include "tauflex/base/fields_json.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/jobs/job.hpp"

namespace tauflex {

namespace {

using Json = nlohmann::ordered_json;

Json schema(std::span<const Field> fields) { return Json::parse(schema_json(fields)); }

// One of several methods.
Json method_schema() {
  Json properties = Json::object();
  for (const KnownMethod& known : all_methods()) {
    Method method = known.method;
    Json options = {{"description", known.help}};
    options.update(schema(fields(method)));
    properties[name(method)] = options;
  }
  return {{"type", "object"},
          {"minProperties", 1},
          {"maxProperties", 1},
          {"additionalProperties", false},
          {"properties", properties}};
}

Json controller_schema() {
  using Kind = ControllerOptions::Kind;
  Json kinds = Json::array();
  for (const auto& [kind, key] :
       {std::pair(Kind::pd, "pd"), std::pair(Kind::computed_torque, "computed_torque"),
        std::pair(Kind::torques_alone, "sample")}) {
    Json one = schema(ControllerOptions::of(kind).fields());
    one["required"] = {key};
    one["properties"][key].erase("default");
    Json needs_sample = Json::object();
    for (const char* sampled : {"hold", "torques"})
      if (kind != Kind::torques_alone && one["properties"].contains(sampled))
        needs_sample[sampled] = {"sample"};
    if (!needs_sample.empty()) one["dependencies"] = needs_sample;
    kinds.push_back(one);
  }
  return {{"oneOf", kinds}};
}

Json verification_schema() {
  VerificationOptions options;
  ControllerOptions feedback;
  bool has_feedback = false;
  return schema(options.fields(feedback, has_feedback));
}

std::string on_one_line(const Json& json) {
  if (!json.is_structured()) return json.dump();
  std::vector<std::string> parts;
  for (const auto& [key, value] : json.items())
    parts.push_back((json.is_object() ? '"' + key + "\": " : "") + on_one_line(value));
  return json.is_object() ? '{' + join(parts) + '}' : '[' + join(parts) + ']';
}

// On one line where it fits behind what stands there, else one line for each part.
std::string formatted(const Json& json, size_t indent, size_t behind) {
  constexpr size_t width = 140;
  const std::string line = on_one_line(json);
  if (!json.is_structured() || json.empty() || behind + line.size() <= width) return line;
  const std::string margin = '\n' + std::string(indent + 2, ' ');
  std::vector<std::string> parts;
  for (const auto& [key, value] : json.items()) {
    const std::string label = json.is_object() ? '"' + key + "\": " : "";
    parts.push_back(margin + label + formatted(value, indent + 2, indent + 2 + label.size()));
  }
  const std::string text = join(parts, ",") + '\n' + std::string(indent, ' ');
  return json.is_object() ? '{' + text + '}' : '[' + text + ']';
}

}  // namespace

std::string job_schema(const std::string& written) {
  Json schema_of_job = Json::parse(written);
  Json& definitions = schema_of_job.at("definitions");
  definitions["method"] = method_schema();
  definitions["verification"] = verification_schema();
  definitions["simulation"] = schema(SimulationRun().fields());
  definitions["controller"] = controller_schema();
  return formatted(schema_of_job, 0, 0) + "\n";
}

}  // namespace tauflex
