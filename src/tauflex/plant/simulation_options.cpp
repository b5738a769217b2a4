#include "tauflex/plant/simulation_options.hpp"

#include "tauflex/base/fields.hpp"
#include "tauflex/elements/newmark_rule.hpp"

namespace tauflex {

std::vector<Field> FramePlantOptions::fields() {
  using namespace describe;
  return {integer("elements", elements, within(1, 1000), "of each segment of a beam")
              .if_left_out("as many as the robot says"),
          boolean("timoshenko", timoshenko, "linear Timoshenko elements"),
          number("step", step, above(0), "s", "at most"),
          number("delta", delta, at_least(0.5), "", "of Newmark's formula; above 1/2 it damps"),
          number("beta", beta, above(0), "", "of Newmark's formula, at least (delta + 1/2)^2 / 4")};
}

void FramePlantOptions::check() const {
  check_fields("plant", FramePlantOptions(*this).fields());
  check_newmark("plant", delta, beta);
}

std::vector<Field> SimulationOptions::fields() {
  using namespace describe;
  return {
      number("relative_tolerance", relative_tolerance, above(0), "", "of positions and velocities"),
      number("absolute_tolerance", absolute_tolerance, above(0), "", "rad, m, and per second"),
      integer("max_steps", max_steps, at_least(1),
              "of the whole run, besides one for each sample")};
}

void SimulationOptions::check() const {
  check_fields("simulation", SimulationOptions(*this).fields());
  if (frame) frame->check();
}

}  // namespace tauflex
