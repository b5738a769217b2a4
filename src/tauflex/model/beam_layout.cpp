#include "tauflex/model/beam_layout.hpp"

#include <algorithm>

#include "tauflex/math/rotations.hpp"

namespace tauflex {

Matrix3 Beam::axes() const {
  const Vector3 x = (to - from).normalized();
  if (y) {
    const Vector3 across = (*y - x * x.dot(*y)).normalized();
    Matrix3 R;
    R << x, across, x.cross(across);
    return R;
  }
  return rotation_with_x_along(x);
}

int BeamLayout::most_columns() const {
  int most = 0;
  for (const Part& part : parts) most = std::max(most, part.end - part.begin);
  return most + kinds();
}

void add_end_second(BeamLayout& layout) {
  layout.end_second.fill(Matrix::Zero(layout.n, layout.n));
  for (const BeamLayout::Term& term : layout.end) {
    if (term.z < layout.n) continue;
    const auto [k, l] = layout.pairs[term.z - layout.n];
    layout.end_second[term.component](k, l) += term.a;
    layout.end_second[term.component](l, k) += term.a;
  }
}

Matrix mass_at_rest(const BeamLayout& layout) {
  Matrix M = Matrix::Zero(layout.n, layout.n);
  for (const BeamLayout::Point& point : layout.points)
    for (const BeamLayout::Term& a : point.terms)
      for (const BeamLayout::Term& b : point.terms)
        if (a.z < layout.n && b.z < layout.n && a.component == b.component)
          M(a.z, b.z) += point.mass * a.a * b.a;
  for (const BeamLayout::Entry& entry : layout.twist_mass)
    M(entry.row, entry.column) += entry.value;
  return M;
}

}  // namespace tauflex
