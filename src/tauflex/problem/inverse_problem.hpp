// The question: which torques u make the outputs follow the path. Constant after construction.
//
// Rows of (D.1) with a motor torque are set aside: they give u explicitly once the motion is known.
// What is left are the unactuated rows and the constraints, as many as velocities and multipliers:
//   S (M vdot + h + k - G^T lambda) = 0      S picks the rows without a motor
//   c(q) - y_d(t) = 0,   g(q, t) = 0,   lambda_f - lambda_d(t) = 0                    theory (P.1)
//
// When no output is a rotor this is block triangular:                                 theory (P.2)
//   1. constraints and rows of joints without a drive   -> joint positions and multipliers
//   2. K d + D d' = tau - G^T lambda for the stretch d = T (q_m/n) - q of drive springs -> rotors
//   3. rotor rows                                        -> u
#pragma once

#include "tauflex/model/robot_kind.hpp"
#include "tauflex/problem/output.hpp"
#include "tauflex/problem/task.hpp"
#include "tauflex/problem/window.hpp"

namespace tauflex {

class InverseProblem {
 public:
  // Throws InputError for unknown names, ProblemError for more outputs than drives.
  InverseProblem(Robot robot, Task task);
  // The compiler makes these once, in the .cpp file.
  InverseProblem(const InverseProblem&);
  InverseProblem(InverseProblem&&) noexcept;
  InverseProblem& operator=(const InverseProblem&);
  InverseProblem& operator=(InverseProblem&&) noexcept;
  ~InverseProblem();

  const Robot& robot() const { return robot_; }
  const Task& task() const { return task_; }
  const OutputPath& path() const { return *task_.path; }
  const Outputs& outputs() const { return outputs_; }
  int output_count() const { return outputs_.count(); }
  // Outputs that are motions, and those that are forces of constraints, with their rows of g.
  const std::vector<int>& motion_outputs() const { return outputs_.motions; }
  const std::vector<ForceRow>& force_outputs() const { return outputs_.forces; }
  int motion_output_count() const { return static_cast<int>(outputs_.motions.size()); }

  // Outputs and constraints alone determine every joint: no internal dynamics among the joints.
  bool is_complete() const {
    return is_block_triangular_ &&
           motion_output_count() + robot_.constraint_count() == robot_.tree_nv();
  }
  // And no spring lies between motors and joints: nothing at all is left to integrate.
  bool is_algebraic() const { return is_complete() && !has_elastic_drives(robot_); }
  // More drives than outputs: the least torque is taken.
  bool is_redundant() const { return outputs_.rows.size() < robot_.actuation().drives.size(); }
  // Throws ProblemError when there are more drives than outputs and the motion is not complete.
  void require_determined() const;

  double begin() const { return 0 - task_.hold_before; }
  double end() const { return task_.path->duration() + task_.hold_after; }
  Window window() const { return {task_.hold_before, task_.hold_after}; }
  // The same question with other holds before and after the path.
  InverseProblem with_window(const Window& window) const;

  const std::vector<int>& unactuated_rows() const { return unactuated_rows_; }  // of (D.1)
  const std::vector<int>& passive_rows() const { return passive_rows_; }  // joints without a drive
  bool is_block_triangular() const { return is_block_triangular_; }
  const Vector& near() const { return near_; }  // nq: start.near, zero where nothing was said

  // "motion of hand"
  std::string row_name(int row) const;
  // "servo tool.z"
  std::string output_row_name(int output) const;
  // "constraint loop.x"
  std::string constraint_row_name(int row) const;

 private:
  Robot robot_;
  Task task_;
  Outputs outputs_;
  std::vector<int> unactuated_rows_, passive_rows_;
  bool is_block_triangular_ = true;
  Vector near_;
};

// y_d(t) over any scalar; y has one entry per output.
template <class S>
void path_values(const OutputPath& path, const S& t, VectorOutOf<S> y);

}  // namespace tauflex
