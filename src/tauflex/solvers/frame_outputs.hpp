// The outputs of a question as rows of a frame of elements.                           theory (E.11)
#pragma once

#include "tauflex/elements/frame_rows.hpp"
#include "tauflex/problem/inverse_problem.hpp"

namespace tauflex {

// How the paths of a frame's rows follow from that of the outputs.
class FrameOutputs {
 public:
  struct Followed {
    // Which of the frame's paths: a joint, or beyond the joints an output.
    int path;
    // Row of y, and what is taken off it: the joint at the start.
    int row;
    double start;
  };
  std::vector<Followed> followed;
  // An orientation: the first of its three paths, its first row of y, and the axes of what sees it.
  struct Turned {
    int path, row;
    Matrix3 axes;
  };
  std::vector<Turned> turned;

  // y_d and its first two derivatives, one column each.
  void write(const MatrixRef& y, std::vector<Driven>& paths) const;
};

// Adds the rows of outputs alone. `where`: what messages name.
FrameOutputs add_output_rows(const Robot& robot, const Outputs& outputs, const std::string& where,
                             ElementFrame& frame);

// Adds rows: driven joints where these are the outputs, else outputs with the forces of the driven
// joints. Throws ProblemError for outputs that a frame has no rows for, and unless outputs are as
// many as drives.
FrameOutputs add_outputs(const InverseProblem& problem, ElementFrame& frame);

}  // namespace tauflex
