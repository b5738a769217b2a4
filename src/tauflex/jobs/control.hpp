// Controllers as a job says them, key `controller`:
//   {pd: {kp: [..], kd: [..], measured: motor}, feedforward: true, sample: 0.001}
//   {computed_torque: {kp: [..], kd: [..], measured: joint}, sample: 0.001}
//   {sample: 0.001, hold: zero, torques: best}        the torques alone, as a sampled controller
//                                                     sends them
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/node.hpp"
#include "tauflex/plant/controller.hpp"
#include "tauflex/plant/held_torques.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/solution.hpp"

namespace tauflex {

struct ControllerOptions {
  enum class Kind { pd, computed_torque, torques_alone };
  Kind kind = Kind::pd;
  Measured measured = Measured::motor;
  // pd: per drive, motor side; computed torque: per output
  std::optional<Vector> kp, kd;
  // The solution's torques are sent too.
  bool feedforward = true;
  // s between two commands, held in between; 0: continuous
  double sample = 0;
  // Between samples; linear for torques alone.
  Hold hold = Hold::held;
  // Of the solution, in each sample.
  HeldValue torques = HeldValue::start;

  // Of its gains, for messages.
  std::string where = "controller";

  static ControllerOptions of(Kind kind);  // its defaults
  // Keys of `controller` in a job file, for this kind.
  std::vector<Field> fields();
  // Throws InputError naming the field, the rule and the value.
  void check() const;
  bool measures() const { return kind != Kind::torques_alone; }
};

// kp and kd.
std::vector<Field> gain_fields(ControllerOptions& options);

ControllerOptions read_controller(const Node& node);

// "PD control of the motors on top of the torques, sampled every 1 ms"
std::string controller_text(const ControllerOptions& options);

// What is sent ahead of any feedback: the torques of the solution, in the samples of a controller
// that has some, else between those of the solution as `hold` says.
struct SentTorques {
  Vector t;
  Matrix u;
  Hold hold = Hold::linear;
  // t are samples of the controller
  bool sampled = false;
};
SentTorques sent_torques(const std::optional<ControllerOptions>& options,
                         const InverseProblem& problem, const Solution& solution, Hold hold);

// Throws InputError for gains that are not as many as the drives, or as the outputs.
void require_gains(const ControllerOptions& options, const InverseProblem& problem);

// pd follows the motion of the solution; gains that are not given make each motor with what it
// carries a well damped oscillator of 5 Hz. computed_torque follows the path of the problem; its
// default gains let errors die out with 10 per second. Throws InputError for gains that do not fit.
// None for torques alone.
std::shared_ptr<Controller> make_controller(const ControllerOptions& options, const Robot& plant,
                                            const InverseProblem& problem,
                                            const Solution& solution);

}  // namespace tauflex
