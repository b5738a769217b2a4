// Kernels of mechanics on serial chains of n revolute joints, against a bare loop and against
// MuJoCo, DART, KDL and Simbody in one run; all of them are checked to give the same torques first.
// Every call has another state, so that nothing can be cached. With --benchmark_repetitions the
// table of ratios at the end takes the fastest repetition; --csv=FILE writes it to a file as well.
//   goals: RNEA at most 1.3 of the bare loop, many states at least 3 times as fast as one by one,
//   derivatives at most 3 RNEA of 12 joints and 4 of 30; the bare loop at most 0.2 of MuJoCo
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <fstream>
#include <map>
#include <stdexcept>

#include "benchmarks/bare_loop.hpp"
#include "mechanics/dart_robot.hpp"
#include "mechanics/mujoco_robot.hpp"
#include "mechanics/random_robots.hpp"
#include "tauflex/mechanics/forward_dynamics.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/lane_widths.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/mechanics/torques_of_states.hpp"
#ifdef TAUFLEX_KDL
#include "benchmarks/kdl_robot.hpp"
#endif
#ifdef TAUFLEX_SIMBODY
#include "benchmarks/simbody_robot.hpp"
#endif

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
  const State& first() const { return states_.front(); }
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

// What a peer computes, against what tauflex does.
void expect_same_torques(const Chain& chain, const char* name, const Vector& tau) {
  MechanicsData data(chain.robot());
  const State& s = chain.first();
  inverse_dynamics<double>(chain.robot(), data, s.q, s.v, s.vdot);
  if (!((tau - data.tau).norm() < 1e-10 * data.tau.norm()))
    throw std::runtime_error(fmt::format("{} gives other torques", name));
}

// World axes: what the derivatives start from, and robots whose joints have several axes use.
void tauflex_world_axes(benchmark::State& bench) {
  Chain chain(static_cast<int>(bench.range(0)));
  MechanicsData data(chain.robot());
  for (auto _ : bench) {
    const State& s = chain.next();
    body_forces<double>(chain.robot(), data, s.q, s.v, s.vdot);
    benchmark::DoNotOptimize(data.tau.data());
  }
}

template <int n>
void run_bare_loop(benchmark::State& bench) {
  Chain chain(n);
  const BareLoop<n> loop(chain.robot());
  Vector tau(n);
  const State& s = chain.first();
  loop.torques(s.q.data(), s.v.data(), s.vdot.data(), tau.data());
  expect_same_torques(chain, "the bare loop", tau);
  for (auto _ : bench) {
    const State& now = chain.next();
    loop.torques(now.q.data(), now.v.data(), now.vdot.data(), tau.data());
    benchmark::DoNotOptimize(tau.data());
  }
}

void bare_rnea(benchmark::State& bench) {
  switch (bench.range(0)) {
    case 6:
      return run_bare_loop<6>(bench);
    case 7:
      return run_bare_loop<7>(bench);
    case 12:
      return run_bare_loop<12>(bench);
    case 30:
      return run_bare_loop<30>(bench);
  }
}

// Time per state of 10,000 states, by the given number of lanes; 0: the widest.
void run_states(benchmark::State& bench, int lanes) {
  constexpr int states = 10000;
  const Chain chain(static_cast<int>(bench.range(0)));
  const int n = chain.robot().nv();
  Random random(2);
  Matrix q(n, states), v(n, states), vdot(n, states), tau(n, states);
  for (int i = 0; i < states; ++i) {
    q.col(i) = random.vector(n, 3);
    v.col(i) = random.vector(n, 2);
    vdot.col(i) = random.vector(n, 5);
  }
  const auto widths = lane_widths();
  if (lanes > widths.back()) return bench.SkipWithError("this processor has no such registers");
  StatesData data(chain.robot(), lanes == 0 ? widths.back() : lanes);
  // as often as a state is computed, so that times are per state
  while (bench.KeepRunningBatch(states)) {
    torques_of_states(chain.robot(), data, q, v, vdot, tau);
    benchmark::DoNotOptimize(tau.data());
  }
}
void tauflex_states(benchmark::State& bench) { run_states(bench, 0); }
void tauflex_states_2(benchmark::State& bench) { run_states(bench, 2); }
void tauflex_states_4(benchmark::State& bench) { run_states(bench, 4); }

// KDL and Simbody take the state and give the torques in one call.
template <class Peer>
void run_peer(benchmark::State& bench, const char* name) {
  Chain chain(static_cast<int>(bench.range(0)));
  Peer peer(chain.robot());
  const State& s = chain.first();
  expect_same_torques(chain, name, peer.inverse_dynamics(s.q, s.v, s.vdot));
  for (auto _ : bench) {
    const State& now = chain.next();
    benchmark::DoNotOptimize(peer.inverse_dynamics(now.q, now.v, now.vdot).data());
  }
}
#ifdef TAUFLEX_KDL
void kdl_rnea(benchmark::State& bench) { run_peer<KdlRobot>(bench, "KDL"); }
#endif
#ifdef TAUFLEX_SIMBODY
void simbody_rnea(benchmark::State& bench) { run_peer<SimbodyRobot>(bench, "Simbody"); }
#endif

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

BENCHMARK(bare_rnea)->Apply(sizes);
BENCHMARK(tauflex_rnea)->Apply(sizes);
BENCHMARK(tauflex_world_axes)->Apply(sizes);
BENCHMARK(tauflex_states)->Apply(sizes);
BENCHMARK(tauflex_states_2)->Apply(sizes);
BENCHMARK(tauflex_states_4)->Apply(sizes);
BENCHMARK(mujoco_rnea)->Apply(sizes);
BENCHMARK(dart_rnea)->Apply(sizes);
#ifdef TAUFLEX_KDL
BENCHMARK(kdl_rnea)->Apply(sizes);
#endif
#ifdef TAUFLEX_SIMBODY
BENCHMARK(simbody_rnea)->Apply(sizes);
#endif
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

  void print_ratio(const std::string& one, const std::string& other, int joints,
                   const std::string& goal = "") {
    const auto a = fastest_.find(fmt::format("{}/{}", one, joints));
    const auto b = fastest_.find(fmt::format("{}/{}", other, joints));
    if (a == fastest_.end() || b == fastest_.end()) return;
    const double ratio = a->second / b->second;
    fmt::print("{:<20} / {:<20} n = {:<3} {:>7.0f} / {:>7.0f} ns = {:5.2f}   {}\n", one, other,
               joints, a->second, b->second, ratio, goal.empty() ? "" : "goal " + goal);
    csv_ += fmt::format("{},{},{},{:.0f},{:.0f},{:.3f},{}\n", one, other, joints, a->second,
                        b->second, ratio, goal);
  }

  void write_csv(const std::string& path) const {
    std::ofstream(path) << "kernel,against,joints,kernel_ns,against_ns,ratio,goal\n" << csv_;
  }

 private:
  std::map<std::string, double> fastest_;
  std::string csv_;
};

void print_ratios(Reporter& reporter, int joints) {
  const bool is_12 = joints == 12;
  for (const char* peer : {"mujoco_rnea", "dart_rnea", "kdl_rnea", "simbody_rnea"})
    reporter.print_ratio("bare_rnea", peer, joints,
                         peer == std::string("mujoco_rnea") ? "0.2" : "");
  reporter.print_ratio("tauflex_rnea", "bare_rnea", joints, "1.3");
  for (const char* peer : {"mujoco_rnea", "dart_rnea", "kdl_rnea", "simbody_rnea"})
    reporter.print_ratio("tauflex_rnea", peer, joints, is_12 ? "0.6" : "");
  reporter.print_ratio("tauflex_rnea", "tauflex_world_axes", joints);
  reporter.print_ratio("tauflex_rnea", "tauflex_states", joints, "at least 3");
  reporter.print_ratio("tauflex_rnea", "tauflex_states_2", joints);
  reporter.print_ratio("tauflex_rnea", "tauflex_states_4", joints);
  reporter.print_ratio("tauflex_derivatives", "tauflex_rnea", joints,
                       is_12          ? "3"
                       : joints == 30 ? "4"
                                      : "");
  reporter.print_ratio("tauflex_crba", "mujoco_crba", joints);
  reporter.print_ratio("tauflex_crba", "dart_crba", joints);
  reporter.print_ratio("tauflex_aba", "mujoco_forward", joints);
  reporter.print_ratio("tauflex_aba", "dart_aba", joints);
}

}  // namespace
}  // namespace tauflex

int main(int argc, char** argv) {
  std::string csv;
  for (int i = 1; i < argc; ++i)
    if (const std::string argument = argv[i]; argument.starts_with("--csv=")) {
      csv = argument.substr(6);
      std::copy(argv + i + 1, argv + argc--, argv + i--);
    }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  tauflex::Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  fmt::print("\n");
  for (const int joints : {6, 7, 12, 30}) tauflex::print_ratios(reporter, joints);
  if (!csv.empty()) reporter.write_csv(csv);
}
