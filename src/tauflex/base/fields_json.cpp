#include "tauflex/base/fields_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tauflex/base/text.hpp"

namespace tauflex {

namespace {

using Json = nlohmann::ordered_json;

Json values(std::span<const Field> fields);

struct Value {
  // 1000, not 1000.0
  static Json number(double x) {
    return x == std::floor(x) && std::abs(x) < 1e15 ? Json(static_cast<long>(x)) : Json(x);
  }

  Json operator()(const double* x) const { return number(*x); }
  Json operator()(const std::optional<double>* x) const { return number(**x); }
  Json operator()(const int* x) const { return *x; }
  Json operator()(const long* x) const { return *x; }
  Json operator()(const bool* x) const { return *x; }
  Json operator()(const std::vector<int>* list) const { return *list; }
  Json operator()(const std::vector<std::string>* list) const { return *list; }
  Json operator()(const std::optional<Vector>* list) const {
    return std::vector<double>((*list)->begin(), (*list)->end());
  }
  Json operator()(const std::map<std::string, double>* by_name) const { return *by_name; }
  Json operator()(const Choice& choice) const {
    for (const auto& [name, value] : choice.names) {
      if (value != choice.get()) continue;
      for (const Field& carried : choice.with)
        if (carried.key == name) return values({&carried, 1});
      return name;
    }
    return nullptr;
  }
  Json operator()(const Group& group) const { return values(group.fields); }
  Json operator()(const ReadElsewhere&) const { return nullptr; }
};

Json values(std::span<const Field> fields) {
  Json json = Json::object();
  for (const Field& field : fields)
    if (!field.is_left_out()) json[field.key] = std::visit(Value(), field.member);
  return json;
}

Json schema(std::span<const Field> fields);

struct Schema {
  const Field& field;

  Json number(const char* type) const {
    Json json = {{"type", type}};
    const Range& range = field.range;
    if (std::isfinite(range.least))
      json[range.open ? "exclusiveMinimum" : "minimum"] = Value::number(range.least);
    if (std::isfinite(range.most))
      json[range.open ? "exclusiveMaximum" : "maximum"] = Value::number(range.most);
    return json;
  }
  static Json list(const Json& items) { return {{"type", "array"}, {"items", items}}; }

  Json operator()(const double*) const { return number("number"); }
  Json operator()(const std::optional<double>*) const { return number("number"); }
  Json operator()(const int*) const { return number("integer"); }
  Json operator()(const long*) const { return number("integer"); }
  Json operator()(const bool*) const { return {{"type", "boolean"}}; }
  Json operator()(const std::vector<int>*) const { return list(number("integer")); }
  Json operator()(const std::vector<std::string>*) const { return list({{"type", "string"}}); }
  Json operator()(const std::optional<Vector>*) const { return list({{"type", "number"}}); }
  Json operator()(const std::map<std::string, double>*) const {
    return {{"type", "object"}, {"additionalProperties", {{"$ref", "#/definitions/number"}}}};
  }
  Json operator()(const Choice& choice) const {
    Json words = Json::array(), carrying = Json::array();
    for (const auto& [name, value] : choice.names) {
      const Field* carried = nullptr;
      for (const Field& other : choice.with)
        if (other.key == name) carried = &other;
      if (!carried) {
        words.push_back(name);
      } else {
        Json object = schema({carried, 1});
        object["required"] = {name};
        carrying.push_back(object);
      }
    }
    const Json plain = {{"enum", words}};
    if (carrying.empty()) return plain;
    carrying.insert(carrying.begin(), plain);
    return {{"oneOf", carrying}};
  }
  Json operator()(const Group& group) const { return schema(group.fields); }
  Json operator()(const ReadElsewhere&) const { return {{"type", "object"}}; }
};

// What must be given has a default that breaks its own rule.
bool has_default(const Field& field) {
  if (field.is_left_out() || std::holds_alternative<Group>(field.member) ||
      std::holds_alternative<std::map<std::string, double>*>(field.member))
    return false;
  try {
    check_fields("", {&field, 1});
    return true;
  } catch (const FieldError&) {
    return false;
  }
}

Json schema(std::span<const Field> fields) {
  Json properties = Json::object();
  for (const Field& field : fields) {
    Json json = std::visit(Schema{field}, field.member);
    if (has_default(field)) json["default"] = std::visit(Value(), field.member);
    if (const std::string text = field.description(); !text.empty()) json["description"] = text;
    properties[field.key] = json;
  }
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
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

std::string values_json(std::span<const Field> fields) { return values(fields).dump(); }
std::string schema_json(std::span<const Field> fields) { return schema(fields).dump(); }

std::string replaced_json(const std::string& text,
                          std::span<const std::pair<std::string, std::string>> values) {
  Json json = Json::parse(text);
  for (const auto& [place, value] : values) json[Json::json_pointer(place)] = Json::parse(value);
  return formatted(json, 0, 0) + "\n";
}

}  // namespace tauflex
