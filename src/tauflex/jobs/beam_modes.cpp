#include "tauflex/jobs/beam_modes.hpp"

#include "tauflex/model/beam_coordinates.hpp"
#include "tauflex/model/beam_nodes.hpp"
#include "tauflex/trajectory/spectrum.hpp"

namespace tauflex {

std::vector<KeptModes> choose_modes(RobotDescription& robot, const OutputPath& path) {
  constexpr double noticeable = 1e-3;  // of the largest acceleration, in the spectrum of the path
  constexpr double negligible = 1e-4;  // of the inertia forces of a segment
  std::vector<KeptModes> result;
  for (Link& link : robot.links) {
    if (!link.beam || !(link.beam->modes || link.beam->automatic_modes)) continue;
    Beam& beam = *link.beam;
    const std::vector<ComponentMode> modes = component_modes(lay_out_nodes(beam, 0));
    KeptModes kept{.link = link.name, .all = static_cast<int>(modes.size())};
    kept.path_frequency = highest_frequency(path, noticeable);
    if (beam.automatic_modes) {
      beam.modes = 0;
      while (*beam.modes < kept.all &&
             missed_inertia(modes, *beam.modes, kept.path_frequency) > negligible)
        ++*beam.modes;
    }
    kept.kept = *beam.modes;
    if (kept.kept < kept.all) kept.left_out_from = modes[kept.kept].frequency;
    kept.missed = missed_inertia(modes, kept.kept, kept.path_frequency);
    result.push_back(kept);
  }
  return result;
}

}  // namespace tauflex
