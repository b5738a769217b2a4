// One row of g(q, t) between two frames A and B, as a wrench: small motions X of them
// change it by
//   dg = F . (X_B - X_A)                                                              theory (C.2)
// because a common motion changes nothing. So F is the force that a unit multiplier puts on B, and
// -F that on A; everything in world axes at the world origin. change() is the derivative of F.
#pragma once

#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

// phi, its gradient and its Hessian at x.
template <class S>
struct FieldValue {
  S value;
  Vector3Of<S> gradient;
  Matrix3Of<S> hessian;
};

template <class S>
FieldValue<S> evaluate_field(const PointField& field, const Vector3Of<S>& point) {
  using std::sqrt;
  const Vector3Of<S> x = point - field.origin.template cast<S>();
  const Vector3Of<S> n = field.normal.template cast<S>();
  FieldValue<S> f{S(0), n, Matrix3Of<S>::Zero()};
  switch (field.kind) {
    case PointField::Kind::plane:
      f.value = n.dot(x) - S(field.offset);
      break;
    case PointField::Kind::sphere:
    case PointField::Kind::cylinder: {
      Matrix3Of<S> P = Matrix3Of<S>::Identity();
      if (field.kind == PointField::Kind::cylinder) P -= n * n.transpose();
      const Vector3Of<S> r = P * x;
      const S length = sqrt(S(r.squaredNorm()));
      f.value = length - S(field.offset);
      f.gradient = r / length;
      f.hessian = (P - f.gradient * f.gradient.transpose()) / length;
      break;
    }
    case PointField::Kind::polynomial: {
      // p and its first three derivatives at x[0]
      S p[4] = {S(0), S(0), S(0), S(0)};
      for (size_t k = field.coefficients.size(); k-- > 0;) {
        for (int d = 3; d > 0; --d) p[d] = p[d] * x[0] + p[d - 1] * S(d);
        p[0] = p[0] * x[0] + S(field.coefficients[k]);
      }
      // phi = e w with e = y - p(x), w = (1 + p'^2)^(-1/2)
      const S e = x[1] - p[0];
      const S w = S(1) / sqrt(S(S(1) + p[1] * p[1]));
      const S w3 = w * w * w;
      const S dw = -p[1] * p[2] * w3;
      const S ddw =
          -(p[2] * p[2] + p[1] * p[3]) * w3 + S(3) * p[1] * p[1] * p[2] * p[2] * w3 * w * w;
      f.value = e * w - S(field.offset);
      f.gradient << e * dw - p[1] * w, w, S(0);
      f.hessian(0, 0) = e * ddw - S(2) * p[1] * dw - p[2] * w;
      f.hessian(0, 1) = f.hessian(1, 0) = dw;
      break;
    }
  }
  return f;
}

template <class S>
class RowGeometry {
 public:
  // After kinematics().
  RowGeometry(const Robot& robot, const MotionData<S>& data, const PointRow& row)
      : a_frame_(&frame(robot, row.a)), b_frame_(&frame(robot, row.b)) {
    const Matrix3Of<S> R_A = frame_rotation(data, a());
    const Vector3Of<S> p_A = frame_position(data, a());
    p_ = frame_position(data, b());
    const FieldValue<S> f =
        evaluate_field<S>(row.field, Vector3Of<S>(R_A.transpose() * (p_ - p_A)));
    value_ = f.value;
    d_ = R_A * f.gradient;
    H_ = R_A * f.hessian * R_A.transpose();
    F_ = {p_.cross(d_), d_};
  }
  RowGeometry(const Robot& robot, const MotionData<S>& data, const AxesRow& row)
      : a_frame_(&frame(robot, row.a)), b_frame_(&frame(robot, row.b)), count_(row.count) {
    const Matrix3Of<S> R_A = frame_rotation(data, a()), R_B = frame_rotation(data, b());
    value_ = S(0);
    F_ = Force<S>::zero();
    for (int i = 0; i < count_; ++i) {
      const AxesRow::Term& term = row.terms[i];
      a_[i] = R_A.col(term.axis_a) * S(term.c);
      b_[i] = R_B.col(term.axis_b);
      value_ += a_[i].dot(b_[i]);
      F_.n += b_[i].cross(a_[i]);
    }
  }

  const S& value() const { return value_; }      // without s(t)
  const Force<S>& wrench() const { return F_; }  // F
  const Frame& a() const { return *a_frame_; }
  const Frame& b() const { return *b_frame_; }

  // dF for motions of the two frames.
  Force<S> change(const Motion<S>& X_A, const Motion<S>& X_B) const {
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

 private:
  static const Frame& frame(const Robot& robot, int index) {
    return index < 0 ? world_frame : robot.frames()[index];
  }

  const Frame *a_frame_, *b_frame_;
  S value_;
  Force<S> F_;
  Vector3Of<S> p_, d_;  // of a point row: point B, gradient and Hessian of the field in world axes
  Matrix3Of<S> H_;
  int count_ = 0;  // of an axes row
  Vector3Of<S> a_[2], b_[2];
};

}  // namespace tauflex
