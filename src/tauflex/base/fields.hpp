// What an options struct consists of, said once: key, member, range, unit and a sentence for each.
//
//   std::vector<Field> ExactOptions::fields() {
//     using namespace describe;
//     return {number("step", step, above(0), "s", "between samples"),
//             group("newton", newton.fields(), "of Newton's iteration")};
//   }
//
// From it options are read from a job file (read_fields.hpp), checked when they were set in C++,
// written to the record and described in docs/job.schema.json (fields_json.hpp). Fields point into
// the struct that made them; the values of a new struct are the defaults.
#pragma once

#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

// The numbers that a field takes; finite ones only.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool open = false;  // without its ends

  bool contains(double x) const;
  std::string rule() const;  // "must be greater than 0"
};

struct Field;

// One of several names. The members of a choice that carry a number, such as `{power: 2}`, are in
// `with`, under the same key as their name.
struct Choice {
  std::vector<std::pair<std::string, int>> names;
  std::function<int()> get;
  std::function<void(int)> set;
  std::vector<Field> with;
};

// Fields under a key of their own. `given`, if any, becomes true when a file has the key.
struct Group {
  std::vector<Field> fields;
  bool* given = nullptr;
};

// A key that belongs here but is read by somebody else.
struct ReadElsewhere {};

struct Field {
  using Member = std::variant<double*, std::optional<double>*, int*, long*, bool*,
                              std::vector<int>*, std::vector<std::string>*, std::optional<Vector>*,
                              std::map<std::string, double>*, Choice, Group, ReadElsewhere>;
  std::string key;
  Member member;
  Range range = {};
  std::string unit = {};
  std::string help = {};
  // What happens when the key is left out, where no value says the same: "from the zeros". Members
  // that are not optional are then left out by a 0 or an empty list.
  std::string left_out = {};

  Field if_left_out(std::string what) &&;
  bool is_left_out() const;
  std::string description() const;  // "s, before the path; left out: from the zeros"
};

namespace describe {

inline constexpr Range any_number = {};
constexpr Range above(double least) { return {.least = least, .open = true}; }
constexpr Range at_least(double least) { return {.least = least}; }
constexpr Range within(double least, double most) { return {.least = least, .most = most}; }
constexpr Range between(double least, double most) { return {least, most, true}; }

Field number(std::string key, double& member, Range range, std::string unit, std::string help);
Field number(std::string key, std::optional<double>& member, Range range, std::string unit,
             std::string help);
Field integer(std::string key, int& member, Range range, std::string help);
Field integer(std::string key, long& member, Range range, std::string help);
Field integers(std::string key, std::vector<int>& member, Range range, std::string help);
Field boolean(std::string key, bool& member, std::string help);
Field names(std::string key, std::vector<std::string>& member, std::string help);
Field numbers(std::string key, std::optional<Vector>& member, std::string unit, std::string help);
Field by_name(std::string key, std::map<std::string, double>& member, std::string unit,
              std::string help);
Field choice(std::string key, Choice choice, std::string help);
Field group(std::string key, std::vector<Field> fields, std::string help, bool* given = nullptr);
Field read_elsewhere(std::string key, std::string help);

// The names of an enum.
template <class Enum>
Field choice(std::string key, Enum& member,
             std::initializer_list<std::pair<const char*, Enum>> names, std::string help) {
  Choice c{.names = {},
           .get = [&member] { return static_cast<int>(member); },
           .set = [&member](int value) { member = static_cast<Enum>(value); },
           .with = {}};
  for (const auto& [name, value] : names) c.names.emplace_back(name, static_cast<int>(value));
  return choice(std::move(key), std::move(c), std::move(help));
}

// The same where name(Enum) gives the names.
template <class Enum>
Field choice(std::string key, Enum& member, std::initializer_list<Enum> values, std::string help) {
  Field field = choice(std::move(key), member,
                       std::initializer_list<std::pair<const char*, Enum>>{}, std::move(help));
  for (const Enum value : values)
    std::get<Choice>(field.member).names.emplace_back(name(value), static_cast<int>(value));
  return field;
}

}  // namespace describe

// A field of the options called `of` holds what it must not: "bdf.order: must be 1 to 6, got 7".
struct FieldError : InputError {
  FieldError(const std::string& of, std::string wrong_key, std::string broken_rule);
  std::string key, rule;
};

// Throws FieldError for the first field whose value breaks its rule.
void check_fields(const std::string& of, std::span<const Field> fields);

// "start, middle or mean"; names with a number as "{power: number}".
std::string names_of(const Choice& choice);

}  // namespace tauflex
