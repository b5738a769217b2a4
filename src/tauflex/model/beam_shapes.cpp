#include "tauflex/model/beam_shapes.hpp"

#include <fmt/format.h>

namespace tauflex {

BeamElements::BeamElements(const Beam& beam, int segment, BeamLayout& layout)
    : count_(beam.elements), h_(beam.length() / beam.segments / beam.elements) {
  if (beam.shear_y > 0) soft_[y_field] = 12 * beam.EI_y / (beam.shear_y * h_ * h_);
  if (beam.shear_z > 0) soft_[z_field] = 12 * beam.EI_z / (beam.shear_z * h_ * h_);
  const std::array<bool, 4> has = {beam.EA > 0, beam.EI_y > 0, beam.EI_z > 0, beam.GJ > 0};
  for (int node = 1; node <= count_; ++node)
    for (int field = 0; field < 4; ++field) {
      if (!has[field]) continue;
      const int number = segment * count_ + node;
      const auto add = [&](const char* name, bool angle) {
        layout.names.push_back(fmt::format("{}{}", name, number));
        layout.is_angle.push_back(angle);
        return layout.n++;
      };
      const char* value_names[4] = {"x", "y", "z", "rx"};
      value_[{field, node}] = add(value_names[field], field == twist_field);
      if (field == y_field) slope_[{field, node}] = add("rz", true);
      if (field == z_field) slope_[{field, node}] = add("ry", true);
    }
  per_node_ = layout.n / count_;
}

std::vector<BeamShape> BeamElements::shapes(int e, double s) const {
  std::vector<BeamShape> list;
  for (int side = 0; side < 2; ++side) {
    const int node = e + side;
    if (node == 0) continue;
    const double sign = side == 0 ? -1 : 1;
    for (const BeamField field : {u_field, twist_field})
      if (const auto k = value_.find({field, node}); k != value_.end())
        list.push_back({field, k->second, side == 0 ? 1 - s : s, sign / h_, 0, 0});
    for (const BeamField field : {y_field, z_field}) {
      const auto k = value_.find({field, node});
      if (k == value_.end()) continue;
      const double f = soft_[field], c = 1 / (1 + f);
      // 3 s^2 - 2 s^3 at the far node, 1 minus that at the near one; shear adds a straight part
      const double far = c * (s * s * (3 - 2 * s) + f * s), turns = c * 6 * s * (1 - s);
      list.push_back({field, k->second, side == 0 ? 1 - far : far, sign * (turns + c * f) / h_,
                      sign * turns / h_, sign * c * (6 - 12 * s) / (h_ * h_)});
      // a turn about y lowers z
      const double turn = c * (field == y_field ? h_ : -h_), out = f / 2 * s * (1 - s);
      const double a = side == 0 ? s * (1 - s) * (1 - s) + out : s * s * (s - 1) - out;
      const double a1 = side == 0 ? (1 - s) * (1 - 3 * s) : s * (3 * s - 2);
      const double a2 = side == 0 ? 6 * s - 4 - f : 6 * s - 2 + f;
      list.push_back({field, slope_.at({field, node}), turn * a,
                      turn * (a1 - sign * f / 2 * (1 - 2 * s)) / h_,
                      turn * (a1 + f * (side == 0 ? 1 - s : s)) / h_, turn * a2 / (h_ * h_)});
    }
  }
  return list;
}

}  // namespace tauflex
