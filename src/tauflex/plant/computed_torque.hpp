// Computed torque: the torques that give the outputs of a rigid model the acceleration
//   y_d'' + kd (y_d' - y') + kp (y_d - y)
// and the force outputs what they shall be; for trees and loops.
//   [ M  -B  -G^T ] [ vdot   ]   [ -(h + k)                       ]
//   [ J   0    0  ] [ u      ] = [ y_d'' + kd e' + kp e - J' v    ]
//   [ G   0    0  ] [ lambda ]   [ -gamma                         ]                    theory (P.7)
// With constant gains the error of a plant that is like the model obeys e'' + kd e' + kp e = 0.
#pragma once

#include "tauflex/math/lu.hpp"
#include "tauflex/plant/controller.hpp"
#include "tauflex/problem/inverse_problem.hpp"

namespace tauflex {

class ComputedTorque final : public Controller {
 public:
  // The model of `problem` with rigid drives; the plant has the same joints and drives. kp (1/s^2)
  // and kd (1/s), one per output. Throws ProblemError when there are more drives than outputs.
  ComputedTorque(const InverseProblem& problem, const Robot& plant, Vector kp, Vector kd,
                 Measured measured = Measured::joint);

  void add_torques(double t, const VectorRef& q, const VectorRef& v, VectorOut u) override;
  void add_gains(double t, const VectorRef& q, const VectorRef& v, MatrixOut by_q,
                 MatrixOut by_v) override;

 private:
  void measure(const VectorRef& q, const VectorRef& v);
  void factorize(double t);

  InverseProblem problem_;
  Vector kp_, kd_;
  // Of the plant, per drive; empty when joints are measured.
  std::vector<Encoder> rotors_;
  int n_, nu_, ny_, ng_;
  MechanicsData mechanics_;
  Vector q_, v_, zero_, c_, bias_, rate_, acceleration_, gamma_, none_, right_, solved_;
  Matrix y_, J_, G_, B_, kkt_;
  Lu lu_;
};

// The same robot with rigid drives: rotors move with their joints.
RobotDescription with_rigid_drives(RobotDescription robot);

}  // namespace tauflex
