#include "tauflex/planning/plan.hpp"

#include "tauflex/planning/least_torque_posture.hpp"
#include "tauflex/planning/rest_shape.hpp"

namespace tauflex {

namespace {

Posed with_least_torque(const Job& job, const Posed& held) {
  const LeastTorquePosture found = least_torque_posture(held, job.task);
  Job moved = job;
  moved.task = found.task;
  Posed posed = pose(moved);
  posed.diagnosis.self_motion = held.diagnosis.self_motion;
  posed.notes = {found.sentence};
  return posed;
}

Posed with_rest_shape(const Job& job, const Posed& straight) {
  const RestShape shape = shape_to_rest(straight);
  if (shape.sentence.empty()) return straight;
  Task task = straight.problem.task();
  task.path = shape.path;
  Posed posed(InverseProblem(straight.problem.robot(), task), straight.start, straight.plant,
              job.method);
  posed.diagnosis.self_motion = straight.diagnosis.self_motion;
  posed.notes = straight.notes;
  posed.notes.push_back(shape.sentence);
  return posed;
}

}  // namespace

Posed plan(const Job& given) {
  const Job job = with_smooth_path(given);
  Posed posed = pose(job);
  if (job.task.least_torque) posed = with_least_torque(job, posed);
  if (job.ends_at_rest && !posed.unsolvable) posed = with_rest_shape(job, posed);
  return posed;
}

}  // namespace tauflex
