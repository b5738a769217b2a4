// Random jobs for laws about elastic drives: trees with rigid, damped and undamped drives, gears,
// springs that harden, couplings and passive spring joints. The same seed is the same job.
#pragma once

#include <fmt/format.h>

#include <cmath>

#include "math/random.hpp"
#include "tauflex/jobs/pose.hpp"

namespace tauflex {

class RandomElasticJob {
 public:
  explicit RandomElasticJob(unsigned seed) : seed_(seed), random_(seed) {}

  Job job() {
    const int count = 2 + random_.below(5);
    for (int i = 0; i < count; ++i) add_link(i);
    return read_job(Node::read_text(text(), "random.yaml"), fmt::format("random {}", seed_));
  }

 private:
  // A number between two others, of any size.
  double any_size(double low, double high) {
    return std::exp(random_.uniform(std::log(low), std::log(high)));
  }

  std::string drive(int i) {
    const int kind = random_.below(4);
    const double gear = random_.chance(0.5) ? 1 : random_.uniform(20, 150);
    std::string drive = fmt::format("drive: {{rotor_inertia: {:.5g}, gear_ratio: {:.5g}",
                                    any_size(0.05, 2) / (gear * gear), gear);
    if (kind == 0) return drive + "}";
    const double stiffness = any_size(5e3, 1e6);
    drive += fmt::format(", stiffness: {:.5g}", stiffness);
    // time constants from far below to far above a step
    if (kind > 1) drive += fmt::format(", damping: {:.5g}", stiffness * any_size(1e-9, 1e-2));
    if (random_.chance(0.2))
      drive += fmt::format(", hardening: [{:.5g}]", stiffness * any_size(10, 1e5));
    if (elastic_ >= 0 && random_.chance(0.3)) couple(elastic_, elastic_stiffness_, i, stiffness);
    elastic_ = i;
    elastic_stiffness_ = stiffness;
    return drive + "}";
  }

  void couple(int a, double stiffness_a, int b, double stiffness_b) {
    if (!couplings_.empty()) return;
    couplings_ = fmt::format(
        "  couplings: [{{drives: [l{}, l{}], stiffness: [[{:.5g}, {:.5g}], [{:.5g}, {:.5g}]]}}]\n",
        a, b, stiffness_a, 0.3 * std::sqrt(stiffness_a * stiffness_b),
        0.3 * std::sqrt(stiffness_a * stiffness_b), stiffness_b);
  }

  void add_link(int i) {
    const bool passive = i > 0 && passive_ < 2 && random_.chance(0.3);
    const Vector3 com = random_.vector3(0.2), extra = random_.vector3(0.1);
    const int parent = i == 0 ? -1 : random_.chance(0.7) ? i - 1 : random_.below(i);
    links_ += fmt::format(
        "  - name: l{}\n    joint: {{parent: {}, at: [{:.4g}, 0, 0.1], type: revolute, axis: {}}}\n"
        "    mass: {:.4g}\n    com: [{:.4g}, {:.4g}, {:.4g}]\n"
        "    inertia: {{xx: {:.4g}, yy: {:.4g}, zz: {:.4g}}}\n    {}\n",
        i, parent < 0 ? "world" : fmt::format("l{}", parent),
        i == 0 ? 0 : random_.uniform(0.3, 0.8),
        i == 0 || random_.chance(0.6) ? "y"
        : random_.chance(0.5)         ? "x"
                                      : "z",
        any_size(1, 30), com[0], com[1], com[2], 0.3 + extra[0], 0.3 + extra[1], 0.3 + extra[2],
        passive ? fmt::format("spring: {{stiffness: {:.4g}, damping: {:.4g}}}", any_size(300, 1e5),
                              any_size(1, 50))
                : drive(i));
    passive_ += passive ? 1 : 0;
    if (passive) return;
    // the first drive may be told where the tool shall be, 0.1 cos + 0.5 sin of its angle
    const bool tool = i == 0 && random_.chance(0.3);
    const double angle = tool ? 0.24331 : random_.uniform(-1, 1);
    const auto add = [&](std::string& list, const std::string& what) {
      list += (list.empty() ? "" : ", ") + what;
    };
    add(outputs_, tool ? "tool.x" : fmt::format("l{}", i));
    add(from_, fmt::format("{:.5g}", angle));
    add(to_, fmt::format("{:.4g}", angle + random_.uniform(-0.5, tool ? 0.2 : 0.5)));
    add(near_, fmt::format("l{}: {:.4g}", i, angle));
  }

  std::string text() {
    const char* profile = random_.chance(0.5) ? "polynomial11" : "polynomial9";
    const auto move = [&](const std::string& points) {
      return fmt::format("  - {{line: {{{}}}, duration: {:.4g}, profile: {}}}\n", points,
                         random_.uniform(0.3, 1.2), profile);
    };
    std::string path = move(fmt::format("from: [{}], to: [{}]", from_, to_));
    if (random_.chance(0.4)) path += "  - {hold: 0.1}\n" + move(fmt::format("to: [{}]", from_));
    return fmt::format(
        "tauflex: 1\nrobot:\n  gravity: [0, 0, {}]\n  links:\n{}{}"
        "  frames:\n    tool: {{link: l0, at: [0.1, 0.1, 0.5]}}\ntask:\n  outputs: [{}]\n"
        "  path:\n{}  start: {{near: {{{}}}}}\n",
        random_.chance(0.7) ? "-9.81" : "0", links_, couplings_, outputs_, path, near_);
  }

  unsigned seed_;
  Random random_;
  int passive_ = 0, elastic_ = -1;
  double elastic_stiffness_ = 0;
  std::string links_, couplings_, outputs_, from_, to_, near_;
};

}  // namespace tauflex
