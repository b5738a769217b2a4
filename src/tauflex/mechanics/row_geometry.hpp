// One row of g(q, t) between two frames A and B, as a wrench: small motions X of their bodies
// change it by
//   dg = F . (X_B - X_A)                                                              theory (C.2)
// because a common motion changes nothing. So F is the force that a unit multiplier puts on B, and
// -F that on A; everything in world axes at the world origin. change() is the derivative of F.
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

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
  RowGeometry(const Robot& robot, const MotionData<S>& data, const PointRow& row) {
    const Pose_ A = pose(robot, data, row.a);
    p_ = pose(robot, data, row.b).p;
    const FieldValue<S> f =
        evaluate_field<S>(row.field, Vector3Of<S>(A.R.transpose() * (p_ - A.p)));
    value_ = f.value;
    d_ = A.R * f.gradient;
    H_ = A.R * f.hessian * A.R.transpose();
    F_ = {p_.cross(d_), d_};
    body_a = A.body;
    body_b = pose(robot, data, row.b).body;
  }
  RowGeometry(const Robot& robot, const MotionData<S>& data, const AxesRow& row)
      : count_(row.count) {
    const Pose_ A = pose(robot, data, row.a), B = pose(robot, data, row.b);
    body_a = A.body;
    body_b = B.body;
    value_ = S(0);
    F_ = Force<S>::zero();
    for (int i = 0; i < count_; ++i) {
      const AxesRow::Term& term = row.terms[static_cast<size_t>(i)];
      a_[i] = A.R.col(term.axis_a) * S(term.c);
      b_[i] = B.R.col(term.axis_b);
      value_ += a_[i].dot(b_[i]);
      F_.n += b_[i].cross(a_[i]);
    }
  }

  const S& value() const { return value_; }      // without s(t)
  const Force<S>& wrench() const { return F_; }  // F
  int body_a = -1, body_b = -1;

  // dF for motions of the two bodies.
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
  struct Pose_ {
    int body;
    Matrix3Of<S> R;
    Vector3Of<S> p;
  };
  static Pose_ pose(const Robot& robot, const MotionData<S>& data, int frame) {
    if (frame < 0) return {-1, Matrix3Of<S>::Identity(), Vector3Of<S>::Zero()};
    const Frame& f = robot.frames()[static_cast<size_t>(frame)];
    const Matrix3Of<S> R = f.X_BF.R.template cast<S>();
    const Vector3Of<S> p = f.X_BF.p.template cast<S>();
    if (f.body < 0) return {-1, R, p};
    const auto b = static_cast<size_t>(f.body);
    return {f.body, data.R[b] * R, data.p[b] + data.R[b] * p};
  }

  S value_;
  Force<S> F_;
  Vector3Of<S> p_, d_;  // of a point row: point B, gradient and Hessian of the field in world axes
  Matrix3Of<S> H_;
  int count_ = 0;  // of an axes row
  Vector3Of<S> a_[2], b_[2];
};

}  // namespace tauflex
