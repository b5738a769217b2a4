// Arms with more drives than outputs: the joints that would be held move instead, so that the
// torques over the whole motion are least.
//   minimise  int |u|^2 dt / int |u_0|^2 dt  +  w / T int |q_h - q_h(t_0)|^2 dt       theory (P.10)
// u are those of the arm with rigid drives and springs, u_0 with the joints h held, T the window.
#pragma once

#include "tauflex/jobs/pose.hpp"
#include "tauflex/problem/solution.hpp"

namespace tauflex {

// int |u|^2 dt over the whole window, (N m)^2 s, by the trapezoidal rule.
double torque_squared(const Solution& solution);

struct LeastTorquePosture {
  // The joints that were held move along a curve, as further outputs.
  Task task;
  // Which joints move, and what it saves.
  std::string sentence;
};

// `held` is the question with these joints held, `asked` the task of the job; asked.least_torque is
// the weight w, 1/rad^2.
// Throws ProblemError when there is no posture to choose or when the rigid arm cannot be solved.
LeastTorquePosture least_torque_posture(const Posed& held, const Task& asked);

}  // namespace tauflex
