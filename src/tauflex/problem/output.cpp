#include "tauflex/problem/output.hpp"

#include <algorithm>

#include "tauflex/mechanics/scalars.hpp"
#include "tauflex/problem/angle_rule.hpp"
#include "tauflex/problem/arc_rule.hpp"
#include "tauflex/problem/axis_rule.hpp"
#include "tauflex/problem/coordinate_rule.hpp"
#include "tauflex/problem/orientation_rule.hpp"
#include "tauflex/problem/position_rule.hpp"

namespace tauflex {

Outputs::Outputs() = default;
Outputs::Outputs(const Outputs&) = default;
Outputs::Outputs(Outputs&&) noexcept = default;
Outputs& Outputs::operator=(const Outputs&) = default;
Outputs& Outputs::operator=(Outputs&&) noexcept = default;
Outputs::~Outputs() = default;

bool Outputs::has(Quantity quantity) const {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const Output& output) { return output.quantity == quantity; });
}

std::optional<int> OutputGroup::frame() const {
  return std::visit(
      [](const auto& output) -> std::optional<int> {
        if constexpr (requires { output.frame; }) return output.frame;
        return std::nullopt;
      },
      rule);
}

bool Outputs::follows_coordinate(int q) const {
  return std::any_of(groups.begin(), groups.end(), [&](const OutputGroup& group) {
    const auto* coordinate = std::get_if<CoordinateOutput>(&group.rule);
    return coordinate && coordinate->q == q;
  });
}

namespace {

using namespace output_rules;

// f(rule, rows) for every group.
template <class F>
void for_each_rule(const Outputs& outputs, const F& f) {
  for (const OutputGroup& group : outputs.groups)
    std::visit([&](const auto& rule) { f(rule, group.rows); }, group.rule);
}

}  // namespace

void output_values(const Robot& robot, const MechanicsData& data, const VectorRef& q,
                   const VectorRef& lambda, const Outputs& outputs, VectorOut c) {
  const Place<double> at{robot, data, q, lambda};
  for_each_rule(outputs, [&](const auto& rule, const Rows& rows) { values(rule, at, rows, c); });
}

template <class S>
void output_errors(const Robot& robot, const MotionData<S>& data, const VectorRefOf<S>& q,
                   const VectorRefOf<S>& lambda, const Outputs& outputs, const VectorRefOf<S>& y_d,
                   VectorOutOf<S> error) {
  const Place<S> at{robot, data, q, lambda};
  for_each_rule(outputs,
                [&](const auto& rule, const Rows& rows) { errors(rule, at, y_d, rows, error); });
}

template <class S>
void output_jacobian(const Robot& robot, const MotionData<S>& data, const Outputs& outputs,
                     const VectorRefOf<S>& y_d, MatrixOutOf<S> J) {
  J.setZero();
  for_each_rule(outputs, [&](const auto& rule, const Rows& rows) {
    add_jacobian<S>(rule, robot, data, y_d, rows, J);
  });
}

void output_rates(const Outputs& outputs, const MatrixRef& y, VectorOut rate,
                  VectorOut acceleration) {
  for_each_rule(outputs, [&](const auto& rule, const Rows& rows) {
    rates(rule, y, rows, rate, acceleration);
  });
}

void output_bias(const Robot& robot, const MechanicsData& data, const Outputs& outputs,
                 const VectorRef& y_d, VectorOut bias) {
  bias.setZero();
  for_each_rule(outputs, [&](const auto& rule, const Rows& rows) {
    add_bias(rule, robot, data, y_d, rows, bias);
  });
}

double error_size(const OutputGroup& group, const VectorRef& y, const VectorRef& y_d) {
  return std::visit([&](const auto& rule) { return error_distance(rule, y, y_d, group.rows); },
                    group.rule);
}

std::optional<double> largest_error(const Outputs& outputs, Quantity quantity, const VectorRef& y,
                                    const VectorRef& y_d) {
  std::optional<double> largest;
  for (const OutputGroup& group : outputs.groups)
    if (group.quantity == quantity)
      largest = std::max(largest.value_or(0), error_size(group, y, y_d));
  return largest;
}

#define TAUFLEX_INSTANTIATE(S)                                                                 \
  template void output_errors<S>(const Robot&, const MotionData<S>&, const VectorRefOf<S>&,    \
                                 const VectorRefOf<S>&, const Outputs&, const VectorRefOf<S>&, \
                                 VectorOutOf<S>);
TAUFLEX_FOR_EACH_POSE_SCALAR(TAUFLEX_INSTANTIATE)
TAUFLEX_INSTANTIATE(Complex)
#undef TAUFLEX_INSTANTIATE

#define TAUFLEX_INSTANTIATE(S)                                                         \
  template void output_jacobian<S>(const Robot&, const MotionData<S>&, const Outputs&, \
                                   const VectorRefOf<S>&, MatrixOutOf<S>);
TAUFLEX_INSTANTIATE(double)
TAUFLEX_INSTANTIATE(ShortJet2)
TAUFLEX_INSTANTIATE(Complex)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex
