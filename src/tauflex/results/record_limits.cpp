#include "tauflex/results/record_limits.hpp"

namespace tauflex {

namespace {

// The simulated motion is another one than that of the solution.
bool simulated_motion_counts(const Record& record) {
  return record.verification && (record.verification->mode == VerificationMode::feedback ||
                                 !record.job.plant_differences.empty());
}

}  // namespace

SentMotion sent_motion(const Record& record) {
  const Solution& s = record.solution;
  const SentTorques* torques = record.verification && record.verification->commanded
                                   ? &*record.verification->commanded
                               : record.sent ? &*record.sent
                                             : nullptr;
  const Vector& torque_t = torques ? torques->t : s.t;
  const Matrix& u = torques ? torques->u : s.u;
  const bool held = torques && torques->hold == Hold::held;
  if (simulated_motion_counts(record)) {
    const Verification& proof = *record.verification;
    return {proof.t, proof.q, proof.v, torque_t, u, held};
  }
  return {s.t, s.q, s.v, torque_t, u, held};
}

std::string sent_motion_text(const Record& record) {
  if (record.verification && record.verification->commanded)
    return "the simulated run with feedback";
  if (simulated_motion_counts(record)) return "the simulated run";
  return record.sent ? "the torques in the controller's samples" : "the solution";
}

std::vector<LimitMargin> sent_limits(const Record& record) {
  return limit_margins(record.robot, sent_motion(record));
}

}  // namespace tauflex
