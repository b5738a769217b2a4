// From the names of outputs in a task to what computes them.
#pragma once

#include "tauflex/problem/output.hpp"
#include "tauflex/problem/task.hpp"

namespace tauflex {

// The outputs of a task. Throws InputError that names what there is.
Outputs find_outputs(const Robot& robot, const Task& task);

}  // namespace tauflex
