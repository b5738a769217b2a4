// A chain of revolute joints as Simbody computes it.
#pragma once

#include <memory>

#include "tauflex/model/robot.hpp"

namespace tauflex {

class SimbodyRobot {
 public:
  explicit SimbodyRobot(const Robot& robot);
  ~SimbodyRobot();

  const Vector& inverse_dynamics(const Vector& q, const Vector& v, const Vector& vdot);

 private:
  struct System;
  std::unique_ptr<System> system_;
};

}  // namespace tauflex
