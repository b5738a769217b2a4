#include "tauflex/mechanics/row_geometry.hpp"

#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

namespace {

const Frame& frame(const Robot& robot, int index) {
  return index < 0 ? world_frame : robot.frames()[index];
}

// The point of a row as its field sees it.
template <class S>
Vector3Of<S> seen_point(const MotionData<S>& data, const Frame& a, const Frame& b,
                        const PointField& field) {
  return frame_rotation(data, a).transpose() * (frame_position(data, b) - frame_position(data, a)) -
         field.origin;
}

// What the distance from a sphere or a cylinder is measured across.
Matrix3 across(const PointField& field) {
  Matrix3 P = Matrix3::Identity();
  if (field.kind == PointField::Kind::cylinder) P -= field.normal * field.normal.transpose();
  return P;
}

// A polynomial and its first derivatives.
template <class S, size_t count>
void evaluate(const std::vector<double>& coefficients, const S& x, S (&p)[count]) {
  for (S& derivative : p) derivative = S(0);
  for (size_t k = coefficients.size(); k-- > 0;) {
    for (size_t d = count; d-- > 1;) p[d] = p[d] * x + p[d - 1] * static_cast<double>(d);
    p[0] = p[0] * x + S(coefficients[k]);
  }
}

// phi(x)
template <class S>
S field_value(const PointField& field, const Vector3Of<S>& x) {
  using std::sqrt;
  switch (field.kind) {
    case PointField::Kind::plane:
      return x.dot(field.normal) - S(field.offset);
    case PointField::Kind::sphere:
    case PointField::Kind::cylinder: {
      const Vector3Of<S> r = across(field) * x;
      return sqrt(S(r.squaredNorm())) - S(field.offset);
    }
    case PointField::Kind::polynomial:
      break;
  }
  S p[2];
  evaluate(field.coefficients, x[0], p);
  return (x[1] - p[0]) * (S(1) / sqrt(S(S(1) + p[1] * p[1]))) - S(field.offset);
}

// Gradient and Hessian of phi.
template <class S>
struct FieldSlopes {
  Vector3Of<S> gradient;
  Matrix3Of<S> hessian;
};
template <class S>
FieldSlopes<S> field_slopes(const PointField& field, const Vector3Of<S>& x) {
  using std::sqrt;
  FieldSlopes<S> f{field.normal, Matrix3Of<S>::Zero()};
  switch (field.kind) {
    case PointField::Kind::plane:
      break;
    case PointField::Kind::sphere:
    case PointField::Kind::cylinder: {
      const Matrix3 P = across(field);
      const Vector3Of<S> r = P * x;
      const S length = sqrt(S(r.squaredNorm()));
      f.gradient = r / length;
      f.hessian = (Matrix3Of<S>(P) - outer<S>(f.gradient, f.gradient)) / length;
      break;
    }
    case PointField::Kind::polynomial: {
      S p[4];
      evaluate(field.coefficients, x[0], p);
      // phi = e w with e = y - p(x), w = (1 + p'^2)^(-1/2)
      const S e = x[1] - p[0];
      const S w = S(1) / sqrt(S(S(1) + p[1] * p[1]));
      const S w3 = w * w * w;
      const S dw = -p[1] * p[2] * w3;
      const S ddw =
          -(p[2] * p[2] + p[1] * p[3]) * w3 + S(3) * p[1] * p[1] * p[2] * p[2] * w3 * w * w;
      f.gradient = Vector3Of<S>(e * dw - p[1] * w, w, S(0));
      f.hessian(0, 0) = e * ddw - S(2) * p[1] * dw - p[2] * w;
      f.hessian(0, 1) = f.hessian(1, 0) = dw;
      break;
    }
  }
  return f;
}

}  // namespace

template <class S>
S row_value(const Robot& robot, const MotionData<S>& data, const PointRow& row) {
  return field_value<S>(row.field,
                        seen_point(data, frame(robot, row.a), frame(robot, row.b), row.field));
}

template <class S>
S row_value(const Robot& robot, const MotionData<S>& data, const AxesRow& row) {
  const Matrix3Of<S> R_A = frame_rotation(data, frame(robot, row.a)),
                     R_B = frame_rotation(data, frame(robot, row.b));
  S value(0);
  for (int i = 0; i < row.count; ++i) {
    const AxesRow::Term& term = row.terms[i];
    value += R_A.col(term.axis_a).dot(R_B.col(term.axis_b)) * term.c;
  }
  return value;
}

template <class S>
RowGeometry<S>::RowGeometry(const Robot& robot, const MotionData<S>& data, const PointRow& row)
    : a_frame_(&frame(robot, row.a)), b_frame_(&frame(robot, row.b)) {
  const Matrix3Of<S> R_A = frame_rotation(data, a());
  const FieldSlopes<S> f = field_slopes<S>(row.field, seen_point(data, a(), b(), row.field));
  p_ = frame_position(data, b());
  d_ = R_A * f.gradient;
  H_ = R_A * f.hessian * R_A.transpose();
  F_ = {p_.cross(d_), d_};
}

template <class S>
RowGeometry<S>::RowGeometry(const Robot& robot, const MotionData<S>& data, const AxesRow& row)
    : a_frame_(&frame(robot, row.a)), b_frame_(&frame(robot, row.b)), count_(row.count) {
  const Matrix3Of<S> R_A = frame_rotation(data, a()), R_B = frame_rotation(data, b());
  F_ = Force<S>::zero();
  for (int i = 0; i < count_; ++i) {
    const AxesRow::Term& term = row.terms[i];
    a_[i] = R_A.col(term.axis_a) * term.c;
    b_[i] = R_B.col(term.axis_b);
    F_.n += b_[i].cross(a_[i]);
  }
}

template <class S>
Force<S> RowGeometry<S>::change(const Motion<S>& X_A, const Motion<S>& X_B) const {
  if (count_ > 0) {
    Force<S> dF = Force<S>::zero();
    for (int i = 0; i < count_; ++i)
      dF.n += X_B.w.cross(b_[i]).cross(a_[i]) + b_[i].cross(X_A.w.cross(a_[i]));
    return dF;
  }
  const Vector3Of<S> dp = X_B.v + X_B.w.cross(p_);
  const Vector3Of<S> seen_from_A = dp - X_A.v - X_A.w.cross(p_);
  const Vector3Of<S> dd = X_A.w.cross(d_) + H_ * seen_from_A;
  return {dp.cross(d_) + p_.cross(dd), dd};
}

#define TAUFLEX_INSTANTIATE(S)                                                  \
  template S row_value<S>(const Robot&, const MotionData<S>&, const PointRow&); \
  template S row_value<S>(const Robot&, const MotionData<S>&, const AxesRow&);
TAUFLEX_FOR_EACH_POSE_SCALAR(TAUFLEX_INSTANTIATE)
TAUFLEX_INSTANTIATE(ShortJet2)
#undef TAUFLEX_INSTANTIATE

#define TAUFLEX_INSTANTIATE(S) template class RowGeometry<S>;
TAUFLEX_FOR_EACH_FORCE_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex
