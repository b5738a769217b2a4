// Rotors of elastic drives, counted from where their springs are at rest:
//   r = q_m - W q,   r' = v_m - W v          W: turns of rotors per turn of joints    theory (M.14)
// The stretch of a spring is then a number of its own, with all its digits. As the difference of
// two angles it has the rounding of the angles, and a spring of 1e12 N m/rad turns the 1e-16 of
// 1 rad into 1e-4 N m of noise.
#pragma once

#include <vector>

#include "tauflex/model/robot.hpp"

namespace tauflex {

class RelativeRotors {
 public:
  explicit RelativeRotors(const Robot& robot);

  int count() const { return static_cast<int>(rotors_.size()); }
  // Entries of q and v from angles to relative ones, and back.
  void make_relative(VectorOut q, VectorOut v) const { add_joints(-1, q, v); }
  void make_absolute(VectorOut q, VectorOut v) const { add_joints(1, q, v); }
  // A relative position as one with the same stretches and the driven joints at 0.
  void leave_stretch_only(VectorOut q, VectorOut v) const;
  // Rates (q', v', ..) of a relative state x = (q, v, ..) from those of the angles. r' is that of
  // x, without the rounding of the angles' rates.
  void make_rates_relative(const VectorRef& x, VectorOut xdot) const;
  // d(rates)/d(q, v, ..) from angles to relative ones: both rows and columns are (q, v, ..).
  void make_relative(MatrixOut J) const;
  // Of the two angles whose difference relative rotor k is, at a relative position: each at least
  // that of joints at 1 rad or m.
  double size(int k, const VectorRef& q) const;

 private:
  void add_joints(double sign, VectorOut q, VectorOut v) const;

  struct Rotor {
    int joint_q, joint_v, rotor_q, rotor_v;
  };
  int nq_, nv_;
  std::vector<Rotor> rotors_;
  Matrix W_;
};

}  // namespace tauflex
