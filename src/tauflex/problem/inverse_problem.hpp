// The question: which torques u make the outputs follow the path. Constant after construction.
//
// Rows of (D.1) with a motor torque are set aside: they give u explicitly once the motion is known.
// What is left are the unactuated rows and the servo constraints, as many as there are coordinates:
//   S (M vdot + h + k) = 0      S picks the rows without a motor
//   c(q) - y_d(t) = 0                                                                 theory (P.1)
//
// When no output is a rotor this is block triangular:                                 theory (P.2)
//   1. constraints and rows of joints without a drive   -> joint positions
//   2. K d + D d' = tau for the stretch d = q_m/n - q    -> rotors
//   3. rotor rows                                        -> u
#pragma once

#include "tauflex/problem/output.hpp"
#include "tauflex/problem/task.hpp"

namespace tauflex {

class InverseProblem {
 public:
  // Throws InputError for unknown names, ProblemError when outputs and drives do not fit.
  InverseProblem(Robot robot, Task task);

  const Robot& robot() const { return robot_; }
  const Task& task() const { return task_; }
  const OutputPath& path() const { return *task_.path; }
  const std::vector<Output>& outputs() const { return outputs_; }
  int output_count() const { return static_cast<int>(outputs_.size()); }

  double begin() const { return 0 - task_.hold_before; }
  double end() const { return task_.path->duration() + task_.hold_after; }

  const std::vector<int>& unactuated_rows() const { return unactuated_rows_; }  // of (D.1)
  const std::vector<int>& passive_rows() const { return passive_rows_; }  // joints without a drive
  bool is_block_triangular() const { return is_block_triangular_; }
  const Vector& near() const { return near_; }  // nq: start.near, zero where nothing was said

  std::string row_name(int row) const;            // "motion of hand"
  std::string output_row_name(int output) const;  // "servo tool.z"

 private:
  Robot robot_;
  Task task_;
  std::vector<Output> outputs_;
  std::vector<int> unactuated_rows_, passive_rows_;
  bool is_block_triangular_ = true;
  Vector near_;
};

// y_d(t) over any scalar; y has one entry per output.
template <class S>
void path_values(const OutputPath& path, const S& t, VectorOutOf<S> y);

}  // namespace tauflex
