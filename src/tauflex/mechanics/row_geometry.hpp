// One row of g(q, t) between two frames A and B, as a wrench: small motions X of them change it by
//   dg = F . (X_B - X_A)                                                              theory (C.2)
// because a common motion changes nothing. So F is the force that a unit multiplier puts on B, and
// -F that on A; everything in world axes at the world origin. change() is the derivative of F.
#pragma once

#include "tauflex/mechanics/frame_motion.hpp"

namespace tauflex {

// After kinematics(): the row itself, without s(t).
template <class S>
S row_value(const Robot& robot, const MotionData<S>& data, const PointRow& row);
template <class S>
S row_value(const Robot& robot, const MotionData<S>& data, const AxesRow& row);

template <class S>
class RowGeometry {
 public:
  // After kinematics().
  RowGeometry(const Robot& robot, const MotionData<S>& data, const PointRow& row);
  RowGeometry(const Robot& robot, const MotionData<S>& data, const AxesRow& row);

  const Force<S>& wrench() const { return F_; }  // F
  const Frame& a() const { return *a_frame_; }
  const Frame& b() const { return *b_frame_; }

  // dF for motions of the two frames.
  Force<S> change(const Motion<S>& X_A, const Motion<S>& X_B) const;

 private:
  const Frame *a_frame_, *b_frame_;
  Force<S> F_;
  // Of a point row: point B, gradient and Hessian of the field in world axes.
  Vector3Of<S> p_, d_;
  Matrix3Of<S> H_;
  // Of an axes row.
  int count_ = 0;
  Vector3Of<S> a_[2], b_[2];
};

}  // namespace tauflex
