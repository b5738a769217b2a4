// Kernels of mechanics on serial chains of n revolute joints, against MuJoCo and DART in one run.
// Every call has another state, so that nothing can be cached. With --benchmark_repetitions the
// table of ratios at the end takes the fastest repetition.
//   goals: RNEA of 12 joints at most 0.6 of MuJoCo's and DART's; its derivatives at most 5 RNEA
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <map>

#include "mechanics/dart_robot.hpp"
#include "mechanics/mujoco_robot.hpp"
#include "mechanics/random_robots.hpp"
#include "tauflex/mechanics/forward_dynamics.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"

namespace tauflex {
namespace {

struct State {
  Vector q, v, vdot, tau;
};

class Chain {
 public:
  explicit Chain(int joints) : robot_(benchmark_chain(joints)) {
    Random random(1);
    for (State& state : states_)
      state = {random.vector(joints, 3), random.vector(joints, 2), random.vector(joints, 5),
               random.vector(joints, 50)};
  }
  const Robot& robot() const { return robot_; }
  const State& next() { return states_[++turn_ % states_.size()]; }

 private:
  Robot robot_;
  std::array<State, 16> states_;
  size_t turn_ = 0;
};

void tauflex_rnea(benchmark::State& bench) {
  Chain chain(static_cast<int>(bench.range(0)));
  MechanicsData data(chain.robot());
  for (auto _ : bench) {
    const State& s = chain.next();
    inverse_dynamics<double>(chain.robot(), data, s.q, s.v, s.vdot);
    benchmark::DoNotOptimize(data.tau.data());
  }
}

void tauflex_derivatives(benchmark::State& bench) {
  Chain chain(static_cast<int>(bench.range(0)));
  MechanicsData data(chain.robot());
  for (auto _ : bench) {
    const State& s = chain.next();
    inverse_dynamics_derivatives(chain.robot(), data, s.q, s.v, s.vdot);
    benchmark::DoNotOptimize(data.dtau_dq.data());
  }
}

void tauflex_crba(benchmark::State& bench) {
  Chain chain(static_cast<int>(bench.range(0)));
  MechanicsData data(chain.robot());
  for (auto _ : bench) {
    mass_matrix(chain.robot(), data, chain.next().q);
    benchmark::DoNotOptimize(data.M.data());
  }
}

void tauflex_aba(benchmark::State& bench) {
  Chain chain(static_cast<int>(bench.range(0)));
  MechanicsData data(chain.robot());
  Vector vdot(chain.robot().nv());
  for (auto _ : bench) {
    const State& s = chain.next();
    tree_accelerations(chain.robot(), data, s.q, s.v, s.tau, vdot);
    benchmark::DoNotOptimize(vdot.data());
  }
}

// The steps of mj_inverse() that rigid bodies need, without its sensors, contacts and tendons.
void mujoco_rnea(benchmark::State& bench) {
  Chain chain(static_cast<int>(bench.range(0)));
  MujocoRobot peer(chain.robot());
  Vector tau(chain.robot().nv());
  for (auto _ : bench) {
    const State& s = chain.next();
    peer.set(s.q, s.v, s.vdot);
    mj_kinematics(peer.model(), peer.data());
    mj_comPos(peer.model(), peer.data());
    mj_comVel(peer.model(), peer.data());
    mj_rne(peer.model(), peer.data(), 1, tau.data());
    benchmark::DoNotOptimize(tau.data());
  }
}

void mujoco_crba(benchmark::State& bench) {
  Chain chain(static_cast<int>(bench.range(0)));
  MujocoRobot peer(chain.robot());
  for (auto _ : bench) {
    const State& s = chain.next();
    peer.set(s.q, s.v, s.vdot);
    mj_kinematics(peer.model(), peer.data());
    mj_comPos(peer.model(), peer.data());
    mj_crb(peer.model(), peer.data());
    benchmark::DoNotOptimize(peer.data()->qM);
  }
}

// MuJoCo has no articulated bodies: it factorises the mass matrix.
void mujoco_forward(benchmark::State& bench) {
  Chain chain(static_cast<int>(bench.range(0)));
  MujocoRobot peer(chain.robot());
  const int n = chain.robot().nv();
  Vector h(n), force(n), vdot(n);
  for (auto _ : bench) {
    const State& s = chain.next();
    peer.set(s.q, s.v, s.vdot);
    mj_kinematics(peer.model(), peer.data());
    mj_comPos(peer.model(), peer.data());
    mj_crb(peer.model(), peer.data());
    mj_factorM(peer.model(), peer.data());
    mj_comVel(peer.model(), peer.data());
    mj_rne(peer.model(), peer.data(), 0, h.data());
    force = s.tau - h;
    mj_solveM(peer.model(), peer.data(), vdot.data(), force.data(), 1);
    benchmark::DoNotOptimize(vdot.data());
  }
}

void dart_rnea(benchmark::State& bench) {
  Chain chain(static_cast<int>(bench.range(0)));
  DartRobot peer(chain.robot());
  for (auto _ : bench) {
    const State& s = chain.next();
    peer.set(s.q, s.v, s.vdot);
    peer.compute_inverse_dynamics();
  }
}

void dart_crba(benchmark::State& bench) {
  Chain chain(static_cast<int>(bench.range(0)));
  DartRobot peer(chain.robot());
  for (auto _ : bench) {
    const State& s = chain.next();
    peer.set(s.q, s.v, s.vdot);
    peer.compute_mass_matrix();
  }
}

void dart_aba(benchmark::State& bench) {
  Chain chain(static_cast<int>(bench.range(0)));
  DartRobot peer(chain.robot());
  for (auto _ : bench) {
    const State& s = chain.next();
    peer.set(s.q, s.v, s.vdot);
    peer.set_torques(s.tau);
    peer.compute_forward_dynamics();
  }
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const int joints : {6, 7, 12, 30}) bench->Arg(joints);
}

BENCHMARK(tauflex_rnea)->Apply(sizes);
BENCHMARK(mujoco_rnea)->Apply(sizes);
BENCHMARK(dart_rnea)->Apply(sizes);
BENCHMARK(tauflex_derivatives)->Apply(sizes);
BENCHMARK(tauflex_crba)->Apply(sizes);
BENCHMARK(mujoco_crba)->Apply(sizes);
BENCHMARK(dart_crba)->Apply(sizes);
BENCHMARK(tauflex_aba)->Apply(sizes);
BENCHMARK(mujoco_forward)->Apply(sizes);
BENCHMARK(dart_aba)->Apply(sizes);

// Prints what Google Benchmark prints, and keeps the fastest time of every benchmark.
class Reporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      const std::string name = run.run_name.function_name + "/" + run.run_name.args;
      const double time = run.GetAdjustedCPUTime();
      const auto [entry, first] = fastest_.emplace(name, time);
      if (!first) entry->second = std::min(entry->second, time);
    }
    ConsoleReporter::ReportRuns(runs);
  }

  void print_ratio(const char* one, const char* other, int joints, const char* goal) const {
    const auto a = fastest_.find(fmt::format("{}/{}", one, joints));
    const auto b = fastest_.find(fmt::format("{}/{}", other, joints));
    if (a == fastest_.end() || b == fastest_.end()) return;
    fmt::print("{:<20} / {:<20} n = {:<3} {:>7.0f} / {:>7.0f} ns = {:5.2f}   {}\n", one, other,
               joints, a->second, b->second, a->second / b->second, goal);
  }

 private:
  std::map<std::string, double> fastest_;
};

}  // namespace
}  // namespace tauflex

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  tauflex::Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  fmt::print("\n");
  for (const int joints : {6, 7, 12, 30}) {
    const bool goal = joints == 12;
    reporter.print_ratio("tauflex_rnea", "mujoco_rnea", joints, goal ? "goal 0.6" : "");
    reporter.print_ratio("tauflex_rnea", "dart_rnea", joints, goal ? "goal 0.6" : "");
    reporter.print_ratio("tauflex_derivatives", "tauflex_rnea", joints, goal ? "goal 5" : "");
    reporter.print_ratio("tauflex_crba", "mujoco_crba", joints, "");
    reporter.print_ratio("tauflex_crba", "dart_crba", joints, "");
    reporter.print_ratio("tauflex_aba", "mujoco_forward", joints, "");
    reporter.print_ratio("tauflex_aba", "dart_aba", joints, "");
  }
}
