#include "tauflex/plant/simulation_options.hpp"

#include "tauflex/base/fields.hpp"

namespace tauflex {

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
}

}  // namespace tauflex
