#include "tauflex/elements/frame_rows.hpp"

#include <cmath>

namespace tauflex {

namespace {

// How one end of a row moves; the world stands still.
struct RowEnd {
  Matrix3 R = Matrix3::Identity();
  Vector3 x = Vector3::Zero(), v = Vector3::Zero(), w = Vector3::Zero();

  RowEnd(int node, const FrameState& state) {
    if (node < 0) return;
    R = state.R[node];
    x = state.x[node];
    v = state.v[node];
    w = state.w[node];
  }
};

RowValues point_values(const ElementFrame::Row& row, const RowEnd& a, const RowEnd& b,
                       const Driven& s) {
  const Vector3 &p = row.b.p, &n = row.n;
  const Vector3 d = b.x + b.R * p - a.x, d_rate = b.v + b.R * b.w.cross(p) - a.v,
                d_bias = b.R * b.w.cross(b.w.cross(p));
  const Vector3 y = a.R.transpose() * d, y_rate = a.R.transpose() * d_rate;
  RowValues out;
  out.g = n.dot(y) - row.offset - s.value;
  out.rate = -s.rate;
  out.bias = n.dot(a.R.transpose() * d_bias - 2 * a.w.cross(y_rate) + a.w.cross(a.w.cross(y))) -
             s.acceleration;
  const Vector3 m = a.R * n;
  out.by.segment<3>(0) = -m;
  out.by.segment<3>(3) = n.cross(y);
  out.by.segment<3>(6) = m;
  out.by.segment<3>(9) = p.cross(b.R.transpose() * m);
  return out;
}

RowValues axes_values(const ElementFrame::Row& row, const RowEnd& a, const RowEnd& b,
                      const Driven& s) {
  RowValues out{0, 0, 0, Eigen::Matrix<double, 12, 1>::Zero()};
  for (size_t k = 0; k < row.terms.size(); ++k) {
    const auto& [constant, given, w] = row.terms[k];
    double c = constant, c_rate = 0, c_bias = 0;
    Vector3 u = given, u_rate = Vector3::Zero(), u_bias = Vector3::Zero();
    if (row.turns_with_path) {
      u = s.turned * given;
      u_rate = s.turned_rate * given;
      u_bias = s.turned_acceleration * given;
    } else if (row.driven >= 0) {  // -sin s, cos s and their derivatives
      const double sine = std::sin(s.value), cosine = std::cos(s.value);
      c = k == 0 ? -sine : cosine;
      c_rate = (k == 0 ? -cosine : -sine) * s.rate;
      c_bias =
          (k == 0 ? sine : -cosine) * s.rate * s.rate + (k == 0 ? -cosine : -sine) * s.acceleration;
    }
    const Vector3 A = a.R * u, B = b.R * w;
    const Vector3 A_rate = a.R * (a.w.cross(u) + u_rate), B_rate = b.R * b.w.cross(w);
    const Vector3 A_bias = a.R * (a.w.cross(a.w.cross(u) + 2 * u_rate) + u_bias);
    const double p = A.dot(B), p_rate = A_rate.dot(B) + A.dot(B_rate);
    const double p_bias =
        A_bias.dot(B) + 2 * A_rate.dot(B_rate) + A.dot(b.R * b.w.cross(b.w.cross(w)));
    out.g += c * p;
    out.rate += c_rate * p + c * B.dot(a.R * u_rate);
    out.bias += c * p_bias + 2 * c_rate * p_rate + c_bias * p;
    out.by.segment<3>(3) += c * u.cross(a.R.transpose() * B);
    out.by.segment<3>(9) += c * w.cross(b.R.transpose() * A);
  }
  return out;
}

RowValues distance_values(const ElementFrame::Row& row, const RowEnd& a, const RowEnd& b) {
  const Vector3 d = b.x - a.x, rate = b.v - a.v;
  const double length = d.norm();
  const Vector3 c = d / length;
  const double along = c.dot(rate);
  RowValues out{length - row.offset, 0, (rate.squaredNorm() - along * along) / length,
                Eigen::Matrix<double, 12, 1>::Zero()};
  out.by.segment<3>(0) = -c;
  out.by.segment<3>(6) = c;
  return out;
}

}  // namespace

RowValues row_values(const ElementFrame::Row& row, const FrameState& state,
                     const std::vector<Driven>& driven) {
  const RowEnd a(row.a.node, state), b(row.b.node, state);
  static const Driven still;
  const Driven& s = row.driven >= 0 ? driven[row.driven] : still;
  switch (row.kind) {
    case ElementFrame::Row::Kind::point:
      return point_values(row, a, b, s);
    case ElementFrame::Row::Kind::axes:
      return axes_values(row, a, b, s);
    default:
      return distance_values(row, a, b);
  }
}

}  // namespace tauflex
