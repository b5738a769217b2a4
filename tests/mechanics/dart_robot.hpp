// A tauflex robot as a DART skeleton, rigid bodies only: oracle of the tests, peer of the
// benchmarks. DART's headers take long to compile; they stay in dart_robot.cpp.
#pragma once

#include <memory>

#include "tauflex/model/robot.hpp"

namespace tauflex {

class DartRobot {
 public:
  explicit DartRobot(const Robot& robot);
  ~DartRobot();

  void set(const Vector& q, const Vector& v, const Vector& vdot);  // tree coordinates come first
  void set_torques(const Vector& tau);

  void compute_inverse_dynamics();
  void compute_mass_matrix();
  void compute_forward_dynamics();

  Vector torques() const;  // after compute_inverse_dynamics()
  Matrix mass_matrix() const;
  Vector accelerations() const;  // after compute_forward_dynamics()

 private:
  struct Skeleton;
  std::unique_ptr<Skeleton> skeleton_;
};

}  // namespace tauflex
