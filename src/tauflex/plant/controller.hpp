// What commands the motors during a forward simulation, on top of a torque table. A controller sees
// the plant's coordinates and velocities; the model it computes with may differ from the plant.
#pragma once

#include <string_view>

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

class Controller {
 public:
  virtual ~Controller() = default;

  // Torques added to u, one per drive.
  virtual void add_torques(double t, const VectorRef& q, const VectorRef& v, VectorOut u) = 0;

  // Derivatives of them by q and v (drives x nv), added. An approximation costs the integrator
  // speed, not accuracy.
  virtual void add_gains(double t, const VectorRef& q, const VectorRef& v, MatrixOut by_q,
                         MatrixOut by_v) = 0;
};

// Where a drive is measured: coordinate, velocity and motor turns per turn of it.
struct Encoder {
  int q, v;
  double ratio;
};
inline Encoder motor_encoder(const DriveLayout& drive) {
  return {drive.motor_q(), drive.row(), drive.lever()};
}
inline Encoder joint_encoder(const DriveLayout& drive) {
  return {drive.joint_q, drive.joint_v, drive.gear_ratio};
}

enum class Measured { motor, joint };

constexpr std::string_view name(Measured measured) {
  return measured == Measured::motor ? "motor" : "joint";
}

}  // namespace tauflex
