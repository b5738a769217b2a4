// PD control of every drive towards a motion, measured at the motor or at the joint.
//   u += kp (a_ref(t) - a) + kd (a_ref'(t) - a')      a: angle on the motor side
#pragma once

#include <vector>

#include "tauflex/plant/controller.hpp"

namespace tauflex {

struct FeedbackReference {
  // N m/rad, per drive, on the motor side
  Vector kp;
  Vector kd;  // N m s/rad
  // Times of the motion,
  Vector t;
  // Its angles and rates on the motor side, one column per time (cubic Hermite).
  Matrix angle, rate;
};

class Feedback final : public Controller {
 public:
  Feedback(const Robot& plant, FeedbackReference reference, Measured measured = Measured::motor);

  void add_torques(double t, const VectorRef& q, const VectorRef& v, VectorOut u) override;
  void add_gains(double t, const VectorRef& q, const VectorRef& v, MatrixOut by_q,
                 MatrixOut by_v) override;

 private:
  void interpolate(double t);

  FeedbackReference reference_;
  std::vector<Encoder> encoders_;
  Vector angle_, rate_;
};

}  // namespace tauflex
