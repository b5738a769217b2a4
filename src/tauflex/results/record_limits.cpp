#include "tauflex/results/record_limits.hpp"

#include "tauflex/base/text.hpp"

namespace tauflex {

namespace {

// The simulated motion is another one than that of the solution.
bool simulated_motion_counts(const Record& record) {
  return record.verification && (record.verification->mode == VerificationMode::feedback ||
                                 !record.job.plant_differences.empty());
}

// Where they are not those of the solution in its samples: with feedback, in the samples of a
// controller, or at all times.
const SentTorques* sent_beside_solution(const Record& record) {
  const Verification* proof = record.verification ? &*record.verification : nullptr;
  if (proof && proof->commanded) return &*proof->commanded;
  if (record.sent) return &*record.sent;
  return proof && proof->sent.hold == Hold::exact ? &proof->sent : nullptr;
}

}  // namespace

SentMotion sent_motion(const Record& record) {
  const Solution& s = record.solution;
  const SentTorques* torques = sent_beside_solution(record);
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
  if (record.sent) return "the torques in the controller's samples";
  return sent_beside_solution(record) ? "the torques at all times" : "the solution";
}

std::vector<LimitMargin> sent_limits(const Record& record) {
  std::vector<LimitMargin> margins = limit_margins(record.robot, sent_motion(record));
  const Solution& s = record.solution;
  if (s.torque_errors.size() == 0 || s.u.cols() == 0) return margins;
  for (LimitMargin& margin : margins) {
    if (margin.kind != LimitKind::torque && margin.kind != LimitKind::torque_rate) continue;
    const int drive = index_of(margin.of, record.robot.actuation().names);
    const double peak = s.u.row(drive).cwiseAbs().maxCoeff();
    if (peak > 0) margin.error_share = s.torque_errors[drive] / peak;
  }
  return margins;
}

}  // namespace tauflex
