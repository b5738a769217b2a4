// What a parameter of a study may be:
//   x0.8..x1.2                   short for {uniform: [x0.8, x1.2]}
//   {normal: [x1, x0.1]}         mean and standard deviation
//   {log_normal: [x1, 0.1]}      median, and standard deviation of the natural logarithm
//   {values: [0, 50, 100]}       one of these; anything that may stand in the job
//   {files: 'paths/*.csv'}       the name of one of these files
// x0.8 is a factor and +2 an offset of what stands in the job; other numbers replace it, and may
// have a unit.
#pragma once

#include <string>
#include <vector>

#include "tauflex/base/node.hpp"

namespace tauflex {

struct Field;

// What a drawn number does to the number in the job.
enum class ChangeBy { value, factor, offset };

struct StatedNumber {
  ChangeBy by = ChangeBy::value;
  double number = 0;
};
// x0.8, +2, 250 mm or 7. Throws InputError.
StatedNumber read_stated_number(const Node& node);
StatedNumber read_stated_number(const std::string& text, const Node& where);

struct Distribution {
  enum class Kind {
    uniform,
    normal,
    log_normal,
    choice,
    // A column of a table of points.
    column,
  };
  Kind kind = Kind::uniform;
  ChangeBy by = ChangeBy::value;
  // Bounds of uniform; mean and standard deviation of normal; median and sigma of log-normal.
  double a = 0, b = 1;
  std::vector<Node> choices = {};
  std::vector<double> column = {};
  // One number for all places of a group.
  bool together = false;

  // Of a value that is a map.
  std::vector<Field> fields();
  // The number below which this share of all numbers lies; not of choices and columns.
  double quantile(double share) const;
  // Whether it has a first and a last value, so that a grid can go from one to the other.
  bool is_range() const { return kind == Kind::uniform; }
  bool is_choice() const { return kind == Kind::choice; }
};

// The value of a key under `vary`. Throws InputError.
Distribution read_distribution(const Node& node);

}  // namespace tauflex
