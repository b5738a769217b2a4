// Random jobs for laws about elastic drives: trees with rigid, damped and undamped drives, gears,
// springs that harden, couplings and passive spring joints. The same seed is the same job.
#pragma once

#include <fmt/format.h>

#include <cmath>

#include "math/random.hpp"
#include "tauflex/jobs/pose.hpp"

namespace tauflex {

// A number between two others of any size.
inline double any_size(Random& random, double low, double high) {
  return std::exp(random.uniform(std::log(low), std::log(high)));
}

inline std::string random_drive(Random& random) {
  const int kind = random.below(4);
  const double gear = random.chance(0.5) ? 1 : random.uniform(20, 150);
  std::string drive = fmt::format("{{rotor_inertia: {:.5g}, gear_ratio: {:.5g}",
                                  any_size(random, 0.05, 2) / (gear * gear), gear);
  if (kind > 0) {
    const double stiffness = any_size(random, 5e3, 1e6);
    drive += fmt::format(", stiffness: {:.5g}", stiffness);
    // time constants from far below to far above a step
    if (kind > 1)
      drive += fmt::format(", damping: {:.5g}", stiffness * any_size(random, 1e-9, 1e-2));
    if (random.chance(0.2))
      drive += fmt::format(", hardening: [{:.5g}]", stiffness * any_size(random, 10, 1e5));
  }
  return drive + "}";
}

// The drives are told where their joints shall go, or the first of them where the tool shall be.
inline Job random_elastic_job(unsigned seed) {
  Random random(seed);
  const int count = 2 + random.below(4);
  std::string links, outputs, from, to, near;
  int driven = 0, springs = 0;
  for (int i = 0; i < count; ++i) {
    const bool passive = i > 0 && springs < 2 && random.chance(0.25);
    const Vector3 com = random.vector3(0.2), principal = random.vector3(0.1);
    const int parent = i == 0 ? -1 : random.chance(0.7) ? i - 1 : random.below(i);
    const double angle = random.uniform(-1, 1);
    links += fmt::format(
        "  - name: l{}\n    joint: {{parent: {}, at: [{:.4g}, 0, 0.1], type: revolute, axis: {}}}\n"
        "    mass: {:.4g}\n    com: [{:.4g}, {:.4g}, {:.4g}]\n"
        "    inertia: {{xx: {:.4g}, yy: {:.4g}, zz: {:.4g}}}\n    {}\n",
        i, parent < 0 ? "world" : fmt::format("l{}", parent), i == 0 ? 0 : random.uniform(0.3, 0.8),
        random.chance(0.6) ? "y" : random.chance(0.5) ? "x" : "z", any_size(random, 1, 30), com[0],
        com[1], com[2], 0.3 + principal[0], 0.3 + principal[1], 0.3 + principal[2],
        passive ? fmt::format("spring: {{stiffness: {:.4g}, damping: {:.4g}}}",
                              any_size(random, 1e3, 1e5), any_size(random, 1, 50))
                : "drive: " + random_drive(random));
    const char* comma = outputs.empty() ? "" : ", ";
    if (passive) {
      ++springs;
    } else {
      ++driven;
      outputs += fmt::format("{}l{}", comma, i);
      from += fmt::format("{}{:.4g}", comma, angle);
      to += fmt::format("{}{:.4g}", comma, angle + random.uniform(-0.5, 0.5));
      near += fmt::format("{}l{}: {:.4g}", comma, i, angle);
    }
  }
  const char* profile = random.chance(0.5) ? "polynomial11" : "polynomial9";
  const std::string text = fmt::format(
      "tauflex: 1\nrobot:\n  gravity: [0, 0, {}]\n  links:\n{}task:\n  outputs: [{}]\n"
      "  path: {{line: {{from: [{}], to: [{}]}}, duration: {:.4g}, profile: {}}}\n"
      "  start: {{near: {{{}}}}}\n",
      random.chance(0.7) ? "-9.81" : "0", links, outputs, from, to, random.uniform(0.3, 1.5),
      profile, near);
  return read_job(Node::read_text(text, "random.yaml"), fmt::format("random {}", seed));
}

}  // namespace tauflex
