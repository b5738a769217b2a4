#include "tauflex/base/fields.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/base/text.hpp"

namespace tauflex {

bool Range::contains(double x) const {
  return std::isfinite(x) && (open ? least < x && x < most : least <= x && x <= most);
}

std::string Range::rule() const {
  const bool below = std::isfinite(least), above = std::isfinite(most);
  if (!below && !above) return "must be a finite number";
  if (open && below && above)
    return fmt::format("must be greater than {} and less than {}", least, most);
  if (open)
    return below ? fmt::format("must be greater than {}", least)
                 : fmt::format("must be less than {}", most);
  if (below && above) return fmt::format("must be {} to {}", least, most);
  if (!below) return fmt::format("must be at most {}", most);
  return least == 0 ? "must not be negative" : fmt::format("must be at least {}", least);
}

Field Field::if_left_out(std::string what) && {
  left_out = std::move(what);
  return std::move(*this);
}

bool Field::is_left_out() const {
  const bool or_nothing = !left_out.empty();
  return std::visit(
      [&](const auto& m) {
        using Type = std::decay_t<decltype(m)>;
        if constexpr (std::is_same_v<Type, std::optional<double>*> ||
                      std::is_same_v<Type, std::optional<Vector>*>)
          return !m->has_value();
        else if constexpr (std::is_same_v<Type, double*> || std::is_same_v<Type, int*> ||
                           std::is_same_v<Type, long*>)
          return or_nothing && *m == 0;
        else if constexpr (std::is_same_v<Type, std::vector<int>*> ||
                           std::is_same_v<Type, std::vector<std::string>*>)
          return or_nothing && m->empty();
        else if constexpr (std::is_same_v<Type, Group>)
          return m.given && !*m.given;
        else
          return std::is_same_v<Type, ReadElsewhere>;
      },
      member);
}

std::string Field::description() const {
  std::string text = unit;
  if (!help.empty()) text += (text.empty() ? "" : ", ") + help;
  if (!left_out.empty()) text += (text.empty() ? "left out: " : "; left out: ") + left_out;
  return text;
}

namespace describe {

Field number(std::string key, double& member, Range range, std::string unit, std::string help) {
  return {std::move(key), &member, range, std::move(unit), std::move(help)};
}
Field number(std::string key, std::optional<double>& member, Range range, std::string unit,
             std::string help) {
  return {std::move(key), &member, range, std::move(unit), std::move(help)};
}
Field integer(std::string key, int& member, Range range, std::string help) {
  return {std::move(key), &member, range, "", std::move(help)};
}
Field integer(std::string key, long& member, Range range, std::string help) {
  return {std::move(key), &member, range, "", std::move(help)};
}
Field integers(std::string key, std::vector<int>& member, Range range, std::string help) {
  return {std::move(key), &member, range, "", std::move(help)};
}
Field boolean(std::string key, bool& member, std::string help) {
  return {std::move(key), &member, {}, "", std::move(help)};
}
Field names(std::string key, std::vector<std::string>& member, std::string help) {
  return {std::move(key), &member, {}, "", std::move(help)};
}
Field numbers(std::string key, std::optional<Vector>& member, std::string unit, std::string help) {
  return {std::move(key), &member, {}, std::move(unit), std::move(help)};
}
Field by_name(std::string key, std::map<std::string, double>& member, std::string unit,
              std::string help) {
  return {std::move(key), &member, {}, std::move(unit), std::move(help)};
}
Field choice(std::string key, Choice choice, std::string help) {
  return {std::move(key), std::move(choice), {}, "", std::move(help)};
}
Field group(std::string key, std::vector<Field> fields, std::string help, bool* given) {
  return {std::move(key), Group{std::move(fields), given}, {}, "", std::move(help)};
}
Field read_elsewhere(std::string key, std::string help) {
  return {std::move(key), ReadElsewhere{}, {}, "", std::move(help)};
}

}  // namespace describe

std::string names_of(const Choice& choice) {
  std::vector<std::string> names;
  for (const auto& [name, value] : choice.names) {
    const bool carries = std::any_of(choice.with.begin(), choice.with.end(),
                                     [&](const Field& f) { return f.key == name; });
    names.push_back(carries ? "{" + name + ": number}" : name);
  }
  return either(names);
}

FieldError::FieldError(const std::string& of, std::string wrong_key, std::string broken_rule)
    : InputError(of + "." + wrong_key + ": " + broken_rule),
      key(std::move(wrong_key)),
      rule(std::move(broken_rule)) {}

namespace {

struct Check {
  const std::string& of;
  const Field& field;

  void number(double x) const {
    if (!field.range.contains(x))
      throw FieldError(
          of, field.key,
          fmt::format("{}, got {}", std::isfinite(x) ? field.range.rule() : Range().rule(), x));
  }

  void operator()(const double* x) const { number(*x); }
  void operator()(const std::optional<double>* x) const { number(**x); }
  void operator()(const int* x) const { number(*x); }
  void operator()(const long* x) const { number(static_cast<double>(*x)); }
  void operator()(const std::vector<int>* list) const {
    for (const int x : *list) number(x);
  }
  void operator()(const std::optional<Vector>* list) const {
    for (const double x : **list) number(x);
  }
  void operator()(const std::map<std::string, double>* values) const {
    for (const auto& [name, x] : *values) number(x);
  }
  void operator()(const bool*) const {}
  void operator()(const std::vector<std::string>*) const {}
  void operator()(const Choice& choice) const {
    const int chosen = choice.get();
    for (const auto& [name, value] : choice.names)
      if (value == chosen) return check_fields(of + "." + field.key, choice.with);
    throw FieldError(of, field.key, "must be " + names_of(choice));
  }
  void operator()(const Group& group) const { check_fields(of + "." + field.key, group.fields); }
  void operator()(const ReadElsewhere&) const {}
};

}  // namespace

void check_fields(const std::string& of, std::span<const Field> fields) {
  for (const Field& field : fields)
    if (!field.is_left_out()) std::visit(Check{of, field}, field.member);
}

}  // namespace tauflex
