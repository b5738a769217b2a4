#include "tauflex/base/read_fields.hpp"

#include <fmt/format.h>

#include "tauflex/base/text.hpp"

namespace tauflex {

namespace {

struct Read {
  const Node& node;
  const Field& field;

  void require_range(const Node& given, double x) const {
    if (!field.range.contains(x))
      given.fail(fmt::format("{}, got {}", field.range.rule(), shown(given.text())));
  }
  double number() const {
    const double x = node.in(field.unit).number();
    require_range(node, x);
    return x;
  }
  int integer(const Node& given) const {
    const int x = given.integer();
    require_range(given, x);
    return x;
  }

  void operator()(double* x) const { *x = number(); }
  void operator()(std::optional<double>* x) const { *x = number(); }
  void operator()(int* x) const { *x = integer(node); }
  void operator()(long* x) const { *x = integer(node); }
  void operator()(bool* x) const { *x = node.boolean(); }
  void operator()(std::vector<int>* list) const {
    if (!node.is_list()) node.fail(std::string("expected a list of whole numbers: ") + field.help);
    list->clear();
    for (int i = 0; i < node.size(); ++i) list->push_back(integer(node[i]));
  }
  void operator()(std::vector<std::string>* list) const {
    if (!node.is_list()) node.fail(std::string("expected a list of names: ") + field.help);
    list->clear();
    for (int i = 0; i < node.size(); ++i) list->push_back(node[i].text());
  }
  void operator()(std::optional<Vector>* list) const { *list = node.in(field.unit).numbers(); }
  void operator()(std::map<std::string, double>* values) const {
    if (node.is_list() || node.is_text()) node.fail("expected name: number pairs");
    values->clear();
    for (const std::string& name : node.keys())
      (*values)[name] = node.at(name).in(field.unit).number();
  }
  void operator()(const Choice& choice) const {
    std::string chosen;
    if (node.is_map() && !choice.with.empty()) {
      read_fields(node, choice.with);
      if (node.size() == 1) chosen = node.keys().front();
    } else {
      chosen = node.text();
      for (const Field& carrying : choice.with)  // a number is missing
        if (carrying.key == chosen) chosen.clear();
    }
    std::vector<std::string> others;
    for (const auto& [name, value] : choice.names) {
      if (name == chosen) return choice.set(value);
      if (!node.is_text() || name != node.text()) others.push_back(name);
    }
    node.fail("expected " + names_of(choice) +
              (node.is_text()
                   ? ", got '" + shown(node.text()) + "'" + did_you_mean(node.text(), others)
                   : ""));
  }
  void operator()(const Group& group) const {
    if (group.given) *group.given = true;
    read_fields(node, group.fields);
  }
  void operator()(const ReadElsewhere&) const {}
};

}  // namespace

void read_fields(const Node& node, std::span<const Field> fields) {
  std::vector<std::string> keys;
  for (const Field& field : fields) keys.push_back(field.key);
  node.allow(keys);
  for (const Field& field : fields)
    if (const auto given = node.find(field.key)) std::visit(Read{*given, field}, field.member);
}

void fail_at(const Node& node, const FieldError& error) {
  const auto given = node.find(error.key);
  if (given) given->fail(error.rule);
  node.fail(error.key + ": " + error.rule);
}

}  // namespace tauflex
