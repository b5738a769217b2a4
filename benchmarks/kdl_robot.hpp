// A chain of revolute joints as KDL (Orocos) computes it.
#pragma once

#include <memory>

#include "tauflex/model/robot.hpp"

namespace tauflex {

class KdlRobot {
 public:
  explicit KdlRobot(const Robot& robot);
  ~KdlRobot();

  const Vector& inverse_dynamics(const Vector& q, const Vector& v, const Vector& vdot);

 private:
  struct Chain;
  std::unique_ptr<Chain> chain_;
};

}  // namespace tauflex
