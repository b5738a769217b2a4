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

Field::Field(const char* key_, Member member_, Range range_, const char* unit_, const char* help_)
    : key(key_), member(std::move(member_)), range(range_), unit(unit_), help(help_) {}
Field::Field(const Field&) = default;
Field::Field(Field&&) noexcept = default;
Field& Field::operator=(const Field&) = default;
Field& Field::operator=(Field&&) noexcept = default;
Field::~Field() = default;

Field Field::if_left_out(const char* what) && {
  left_out = what;
  return std::move(*this);
}

bool Field::is_left_out() const {
  const bool or_nothing = *left_out;
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
  if (const auto bar = text.find('|'); bar != std::string::npos) text.replace(bar, 1, " or ");
  if (*help) text.append(text.empty() ? "" : ", ").append(help);
  if (*left_out) text.append(text.empty() ? "left out: " : "; left out: ").append(left_out);
  return text;
}

namespace describe {

Field number(const char* key, double& member, Range range, const char* unit, const char* help) {
  return {key, &member, range, unit, help};
}
Field number(const char* key, std::optional<double>& member, Range range, const char* unit,
             const char* help) {
  return {key, &member, range, unit, help};
}
Field integer(const char* key, int& member, Range range, const char* help) {
  return {key, &member, range, "", help};
}
Field integer(const char* key, long& member, Range range, const char* help) {
  return {key, &member, range, "", help};
}
Field integers(const char* key, std::vector<int>& member, Range range, const char* help) {
  return {key, &member, range, "", help};
}
Field boolean(const char* key, bool& member, const char* help) {
  return {key, &member, {}, "", help};
}
Field names(const char* key, std::vector<std::string>& member, const char* help) {
  return {key, &member, {}, "", help};
}
Field numbers(const char* key, std::optional<Vector>& member, const char* unit, const char* help) {
  return {key, &member, {}, unit, help};
}
Field by_name(const char* key, std::map<std::string, double>& member, const char* unit,
              const char* help) {
  return {key, &member, {}, unit, help};
}
Field choice(const char* key, Choice choice, const char* help) {
  return {key, std::move(choice), {}, "", help};
}
Field group(const char* key, std::vector<Field> fields, const char* help, bool* given) {
  return {key, Group{std::move(fields), given}, {}, "", help};
}
Field read_elsewhere(const char* key, const char* help) {
  return {key, ReadElsewhere{}, {}, "", help};
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
