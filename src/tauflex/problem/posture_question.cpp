#include "tauflex/problem/posture_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauflex/model/natural_units.hpp"

namespace tauflex {

namespace {

constexpr double unnamed = 0.01;         // weight of a joint that start.near does not name
constexpr double range_rounding = 1e-9;  // rad or m

double beyond(const Robot& robot, int at, double x) {
  const Coordinates& c = robot.coordinates();
  return std::max({0.0, c.lowest[at] - x, x - c.highest[at]});
}

}  // namespace

double range_excess(const Robot& robot, int coordinate, double x) {
  const double excess = beyond(robot, coordinate, x);
  return excess > range_rounding ? excess : 0;
}

PreferredPosture::PreferredPosture(const Robot& robot, const std::map<std::string, double>& near)
    : q(robot.coordinates().neutral) {
  const Coordinates& c = robot.coordinates();
  const double size = robot_size(robot);
  weight = Vector::Zero(robot.nq());
  for (int i = 0; i < robot.tree_nq(); ++i) {
    weight[i] = unnamed / (c.is_angle[i] ? 1 : size * size);
    if (std::isfinite(c.lowest[i]) && std::isfinite(c.highest[i]))
      q[i] = (c.lowest[i] + c.highest[i]) / 2;
  }
  for (const auto& [name, value] : near) {
    const int i = c.find(name);
    if (i < 0 || i >= robot.tree_nq()) continue;
    q[i] = value;
    weight[i] /= unnamed;
  }
}

double PreferredPosture::distance(const Vector& other) const {
  return std::sqrt(weight.dot((other - q).cwiseAbs2()));
}

double range_excess(const Robot& robot, const VectorRef& q) {
  double largest = 0;
  for (int i = 0; i < robot.tree_nq(); ++i) largest = std::max(largest, beyond(robot, i, q[i]));
  return largest > range_rounding ? largest : 0;
}

std::string range_text(const Robot& robot, const VectorRef& q) {
  int worst = -1;
  for (int i = 0; i < robot.tree_nq(); ++i)
    if (beyond(robot, i, q[i]) > (worst < 0 ? range_rounding : beyond(robot, worst, q[worst])))
      worst = i;
  if (worst < 0) return "";
  const Coordinates& c = robot.coordinates();
  const char* unit = unit_of(c.is_angle[worst] ? Quantity::angle : Quantity::length);
  return fmt::format("'{}' at {:.6g} {}, range {:.6g} .. {:.6g} {}", c.names[worst], q[worst], unit,
                     c.lowest[worst], c.highest[worst], unit);
}

std::string degrees_doubt(const Robot& robot, int coordinate, double x) {
  const Coordinates& c = robot.coordinates();
  if (coordinate >= robot.tree_nq() || !c.is_angle[coordinate]) return "";
  const double least = c.lowest[coordinate], most = c.highest[coordinate];
  const bool limited = std::isfinite(least) && std::isfinite(most);
  const double turns = std::abs(x) / (2 * std::numbers::pi);
  if (limited ? (x >= least && x <= most) || turns <= 1 : turns <= 2) return "";
  return fmt::format("'{}' at {:.6g} rad{}: did you mean degrees? write '{:.6g} deg'",
                     c.names[coordinate], x,
                     limited ? fmt::format(", outside its range {:.6g} .. {:.6g} rad", least, most)
                     : turns < 1e6 ? fmt::format(", {:.1f} turns", turns)
                                   : fmt::format(", {:.3g} turns", turns),
                     x);
}

}  // namespace tauflex
