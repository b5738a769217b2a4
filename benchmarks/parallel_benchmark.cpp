// The parallel solution scheme: the eight-joint forward analysis, steps of longer and longer
// chains, and the recovery of torques on one and two threads.
#include <benchmark/benchmark.h>

#include "tauflex/elements/frame_system.hpp"
#include "tauflex/elements/newmark.hpp"
#include "tauflex/elements/robot_frame.hpp"
#include "tauflex/elements/torque_recovery.hpp"

namespace {

using namespace tauflex;

// Rods of 0.1 m in a plane, the first joint driven.
Robot rods(int count) {
  RobotDescription robot;
  robot.gravity.setZero();
  for (int i = 0; i < count; ++i) {
    Link link;
    link.name = "link" + std::to_string(i + 1);
    if (i > 0) {
      link.joint.parent = "link" + std::to_string(i);
      link.joint.X_PJ.p = {0.1, 0, 0};
    } else {
      link.drive.emplace();
    }
    link.inertia.mass = 4.95e-2;
    link.inertia.com = {0.05, 0, 0};
    link.inertia.about_com(2, 2) = 4.125e-5;
    link.inertia.given = {false, false, true, false, false, false};
    robot.links.push_back(link);
  }
  return Robot(robot);
}

// 5 ms, delta 5/6, beta 4/9, M0 sin(pi t) at the first joint; `count` steps.
void run_moment(const Robot& robot, int count) {
  const ElementFrame frame = robot_frame(robot, Vector::Zero(robot.nq()));
  FrameSystem system(frame, {}, [](double t, VectorOut forces) {
    forces.setZero();
    forces[0] = 0.005 * std::sin(M_PI * t);
  });
  Newmark newmark(system, {.delta = 5.0 / 6, .beta = 4.0 / 9});
  newmark.start(0, Vector::Zero(frame.size));
  for (int i = 1; i <= count; ++i)
    if (!newmark.step(i * 0.005)) std::abort();
  benchmark::DoNotOptimize(newmark.a().data());
}

void EightJoints400Steps(benchmark::State& state) {
  const Robot robot = rods(8);
  for (auto _ : state) run_moment(robot, 400);
}

// The time of twenty steps, less what laying out the frame takes.
void StepsOfChain(benchmark::State& state) {
  const Robot robot = rods(static_cast<int>(state.range(0)));
  const ElementFrame frame = robot_frame(robot, Vector::Zero(robot.nq()));
  FrameSystem system(frame, {}, [](double, VectorOut forces) {
    forces.setZero();
    forces[0] = 0.005;
  });
  Newmark newmark(system, {.delta = 5.0 / 6, .beta = 4.0 / 9});
  newmark.start(0, Vector::Zero(frame.size));
  double t = 0;
  for (auto _ : state)
    if (!newmark.step(t += 0.005)) state.SkipWithError("Newton failed");
  state.SetComplexityN(state.range(0));
}

void Recovery10000Links(benchmark::State& state) {
  std::vector<RecoveryLink> links(10000);
  const auto threads = static_cast<int>(state.range(0));
  std::vector<JointLoad> loads;
  for (size_t i = 0; i < links.size(); ++i) {
    links[i].parent = static_cast<int>(i) - 1;
    links[i].start = {0.1 * static_cast<double>(i), 0, 0};
    links[i].span = {0.1, 0, 0};
    add_rod(1, 0, {Vector3(1, 2, 3), Vector3(0.1, 0.2, 0.3), Vector3(3, 2, 1)}, links[i]);
  }
  for (auto _ : state) {
    recover_torques(links, threads, loads);
    benchmark::DoNotOptimize(loads.data());
  }
}

BENCHMARK(EightJoints400Steps)->Unit(benchmark::kMillisecond);
BENCHMARK(StepsOfChain)
    ->Arg(8)
    ->Arg(30)
    ->Arg(100)
    ->Arg(300)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond)
    ->Complexity(benchmark::oN);
BENCHMARK(Recovery10000Links)->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
