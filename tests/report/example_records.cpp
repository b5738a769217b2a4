#include "example_records.hpp"

#include <cmath>

namespace tauflex {

std::string example(const std::string& name) {
  return std::string(TAUFLEX_SOURCE_DIR) + "/examples/" + name + ".yaml";
}

const Record& e12() {
  static const Record record = run(read_job(example("e12_bdf")));
  return record;
}

Record round_numbers() {
  Record record = e12();
  Solution& s = record.solution;
  s.u.setConstant(-1);
  s.u(0, 3) = 136205.4;
  s.u(1, 7) = -84542;
  s.torque_errors = Vector::Constant(2, 160);
  s.method = "bdf blockwise";
  s.order = 3;
  s.step = 0.0005;
  s.steps = 600;
  s.solve_seconds = 0.0012;
  Verification& proof = *record.verification;
  proof.status = Status::solved;
  proof.max_tool_error_m = 1.23e-5;
  proof.rms_tool_error_m = 4.01e-6;
  proof.log_growth = std::log(2.2);
  return record;
}

Record not_converged() {
  Record record = e12();
  record.verification.reset();
  Solution& s = record.solution;
  s.status = Status::not_converged;
  s.message = "t = 0.42 s: Newton failed in equation 'servo tool.z' (off by 2); x < 1 & y > 2";
  s.steps = 200;
  s.t.conservativeResize(201);
  for (Matrix* m : {&s.q, &s.v, &s.vdot, &s.u, &s.y}) m->conservativeResize(Eigen::NoChange, 201);
  return record;
}

Record invert_only() {
  Record record = e12();
  record.verification.reset();
  return record;
}

Record missed() {
  Record record = round_numbers();
  record.verification->status = Status::missed;
  record.verification->max_tool_error_m = 3.2e-3;
  record.verification->rms_tool_error_m = 1.1e-3;
  return record;
}

}  // namespace tauflex
