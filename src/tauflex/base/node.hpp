// A node of an input file that knows where it stands: every error names file, line, field, rule
// and value. Unknown keys are errors with a "did you mean".
#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

class Node {
 public:
  // Reads a YAML file, "-" for standard input, or text that is said to come from `name`. Throws
  // InputError.
  static Node read_file(const std::filesystem::path& path);
  static Node read_text(const std::string& text, const std::string& name);

  // --set: replaces or adds the value at a dotted path such as "task.path.duration" or
  // "robot.links.hand.mass" (list items by name or by number from 0).
  void set(const std::string& assignment);
  void set(const std::string& path, const Node& value);
  // Takes away the value at a dotted path.
  void remove(const std::string& path);
  // A deep copy.
  Node copy() const;
  // A deep copy with every number changed; an error where a value is no number.
  Node changed(const std::function<double(double)>& change) const;

  bool is_map() const;
  bool is_list() const;
  bool is_text() const;

  // Maps. `keys` is the whole set of keys that may stand here.
  void allow(std::initializer_list<const char*> keys) const;
  void allow(std::span<const std::string> keys) const;
  bool has(const std::string& key) const;
  // Error when missing.
  Node at(const std::string& key) const;
  std::optional<Node> find(const std::string& key) const;
  // By a dotted path, as set() takes it.
  std::optional<Node> find_path(const std::string& path) const;
  std::vector<std::string> keys() const;

  // Lists.
  int size() const;
  Node operator[](int index) const;

  // Values. Numbers are in SI units; in("m") lets them stand with a unit of that quantity too, "250
  // mm". Items of a list inherit it; in("rad|m") takes either.
  Node in(const std::string& units) const;
  std::string text() const;
  double number() const;
  double positive() const;
  double not_negative() const;
  int integer() const;
  bool boolean() const;
  // A list of numbers, any length.
  Vector numbers() const;
  // Of this length.
  Vector numbers(int length) const;
  Matrix matrix(int rows, int columns) const;

  // Values with a default.
  double number_or(const std::string& key, double otherwise) const;

  // "robot.links.hand.mass"
  const std::string& path() const;
  // "arm.yaml:12"
  std::string where() const;
  // Of the file, to resolve names of other files.
  std::filesystem::path folder() const;
  // "arm.yaml:12: path: rule"
  [[noreturn]] void fail(const std::string& rule) const;

 private:
  struct Data;
  explicit Node(std::shared_ptr<Data> data) : data_(std::move(data)) {}
  std::shared_ptr<Data> data_;
  std::string units_ = {};
};

}  // namespace tauflex
