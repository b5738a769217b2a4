// What joint_torques() computes, of many states of one robot, several at once where its joints have
// one axis each (mechanics/torque_lanes.hpp). Every number of lanes gives the bits of the scalar
// code: inverse_dynamics() and add_armatures_and_springs().
#pragma once

#include <vector>

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// The workspace, one per thread.
struct StatesData {
  // By the widest lanes of this processor, or by one of lane_widths().
  explicit StatesData(const Robot& robot);
  StatesData(const Robot& robot, int width);

  int lanes;
  MechanicsData mechanics;
  // Of torque_lanes.hpp, and where its first aligned number is.
  std::vector<double> numbers;
  double* aligned;

  StatesData(const StatesData&) = delete;
  StatesData& operator=(const StatesData&) = delete;
};

// tau at the joints, a column per state; rows of rotors may follow those of the tree.
void torques_of_states(const Robot& robot, StatesData& data, const MatrixRef& q, const MatrixRef& v,
                       const MatrixRef& vdot, MatrixOut tau);

}  // namespace tauflex
