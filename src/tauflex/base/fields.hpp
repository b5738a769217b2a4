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
  // Without its ends.
  bool open = false;

  bool contains(double x) const;
  // "must be greater than 0"
  std::string rule() const;
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
  Field(const char* key_, Member member_, Range range_, const char* unit_, const char* help_);
  // Defaulted in the .cpp file, so that they are compiled once.
  Field(const Field&);
  Field(Field&&) noexcept;
  Field& operator=(const Field&);
  Field& operator=(Field&&) noexcept;
  ~Field();

  std::string key;
  Member member;
  Range range;
  const char* unit;
  const char* help;
  // What happens when the key is left out, where no value says the same: "from the zeros". Members
  // that are not optional are then left out by a 0 or an empty list.
  const char* left_out = "";

  Field if_left_out(const char* what) &&;
  bool is_left_out() const;
  // "s, before the path; left out: from the zeros"
  std::string description() const;
};

namespace describe {

constexpr Range above(double least) { return {.least = least, .open = true}; }
constexpr Range at_least(double least) { return {.least = least}; }
constexpr Range within(double least, double most) { return {.least = least, .most = most}; }
constexpr Range between(double least, double most) { return {least, most, true}; }

Field number(const char* key, double& member, Range range, const char* unit, const char* help);
Field number(const char* key, std::optional<double>& member, Range range, const char* unit,
             const char* help);
Field integer(const char* key, int& member, Range range, const char* help);
Field integer(const char* key, long& member, Range range, const char* help);
Field integers(const char* key, std::vector<int>& member, Range range, const char* help);
Field boolean(const char* key, bool& member, const char* help);
Field names(const char* key, std::vector<std::string>& member, const char* help);
Field numbers(const char* key, std::optional<Vector>& member, const char* unit, const char* help);
Field by_name(const char* key, std::map<std::string, double>& member, const char* unit,
              const char* help);
Field choice(const char* key, Choice choice, const char* help);
Field group(const char* key, std::vector<Field> fields, const char* help, bool* given = nullptr);
Field read_elsewhere(const char* key, const char* help);

template <class Enum>
Choice choice_of(Enum& member) {
  return {.names = {},
          .get = [&member] { return static_cast<int>(member); },
          .set = [&member](int value) { member = static_cast<Enum>(value); },
          .with = {}};
}
// The names of an enum.
template <class Enum>
Field choice(const char* key, Enum& member,
             std::initializer_list<std::pair<const char*, Enum>> names, const char* help) {
  Choice made = choice_of(member);
  for (const auto& [name, value] : names) made.names.emplace_back(name, static_cast<int>(value));
  return choice(key, std::move(made), help);
}
// The same where name(Enum) gives the names.
template <class Enum>
Field choice(const char* key, Enum& member, std::initializer_list<Enum> values, const char* help) {
  Choice made = choice_of(member);
  for (const Enum value : values) made.names.emplace_back(name(value), static_cast<int>(value));
  return choice(key, std::move(made), help);
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
