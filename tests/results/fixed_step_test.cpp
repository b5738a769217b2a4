// Methods with a fixed step: proved torques are right, errors are stated and unstable formulas
// refused.
#include <gtest/gtest.h>

#include <random>

#include "example_jobs.hpp"
#include "tauflex/report/summary.hpp"
#include "tauflex/results/motion_check.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/stated_errors.hpp"
#include "tauflex/solvers/step_error.hpp"

namespace tauflex {
namespace {

// Two driven joints about skew axes whose bearings give way: lightly damped internal motions of
// some ten Hz that the outputs, the joints, do not see. The same seed is the same robot.
Node random_job(unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
  };
  const auto size = [&](double low, double high) {
    return low * std::pow(high / low, number(0, 1));
  };
  std::string links;
  const bool elastic = number(0, 1) < 0.6;
  for (int i = 0; i < 2; ++i) {
    const double mass = size(1, 20), length = size(0.2, 1), inertia = mass * length * length;
    const double hertz = size(3, 30), damping = size(1e-3, 0.05);
    const double k = inertia * std::pow(2 * 3.14159 * hertz, 2),
                 d = 2 * damping * std::sqrt(k * inertia);
    const std::string drive =
        elastic ? fmt::format(", stiffness: {}, damping: {}", size(3, 100) * k, size(3, 30) * d)
                : "";
    links += fmt::format(
        "\n  - name: l{}\n    joint: {{parent: {}, at: [{}, 0, {}], type: revolute, axis: {}}}\n"
        "    mass: {}\n    com: [{}, {}, {}]\n    inertia: {{xx: {}, yy: {}, zz: {}}}\n"
        "    drive: {{rotor_inertia: {}{}}}\n    springs: {{{}: {{stiffness: {}, damping: {}}}}}",
        i, i ? "l0" : "world", i ? length : 0, number(-0.2, 0.2), i ? "y" : "z", mass, length / 2,
        number(-0.1, 0.1), number(-0.1, 0.1), 0.1 * inertia, 0.2 * inertia, 0.2 * inertia,
        size(0.1, 1) * inertia, drive, i ? "rz" : "ry", k, d);
  }
  return Node::read_text(
      fmt::format("tauflex: 1\nrobot:\n  gravity: [0, 0, -9.81]\n  links:{}\n"
                  "task:\n  outputs: [l0, l1]\n  path: {{line: {{from: [{}, {}], to: [{}, {}]}}, "
                  "duration: {}, profile: polynomial{}}}\n",
                  links, number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1), size(0.3, 2),
                  9 + 2 * (random() % 3)),
      "random.yaml");
}

Job job_of_unstable_mode(const std::string& method) {
  return read_job(TAUFLEX_SOURCE_DIR "/tests/results/jobs/unstable_mode.yaml",
                  {"method={" + method + "}"});
}
constexpr const char* unstable = "{order: 4, step: 0.00678457}";

TEST(FixedStep, an_unstable_formula_is_refused_with_the_step_that_would_do) {
  for (const std::string method : {"bdf", "kunkel_mehrmann", "decoupled"}) {
    const Record record = run(job_of_unstable_mode(method + ": " + unstable));
    EXPECT_EQ(record.exit_code(), ExitCode::not_solvable) << method;
    for (const char* word :
         {"order 4", "0.006762 s", "at 21.3", "a step of at most 0.00", "order 3"})
      EXPECT_NE(record.solution.message.find(word), std::string::npos)
          << word << ": " << record.solution.message;
  }
}

TEST(FixedStep, the_advice_of_a_refusal_holds) {
  const Record right = run(job_of_unstable_mode("jets: {step: 0.00678457}"));
  const std::string message =
      run(job_of_unstable_mode(std::string("bdf: ") + unstable)).solution.message;
  const double step = std::stod(message.substr(message.find("at most ") + 8));
  EXPECT_GT(step, 1e-3);  // s; the period of the mode is 47 ms
  for (const std::string& advice : {fmt::format("bdf: {{order: 4, step: {}}}", step),
                                    std::string("bdf: {order: 3, step: 0.00678457}")}) {
    const Record record = run(job_of_unstable_mode(advice));
    EXPECT_EQ(record.exit_code(), ExitCode::success) << advice << record.solution.message;
    for (int d = 0; d < 5; ++d)
      EXPECT_NEAR(record.solution.u.row(d).cwiseAbs().maxCoeff() /
                      right.solution.u.row(d).cwiseAbs().maxCoeff(),
                  1, 0.05)  // what proved promises
          << advice;
  }
}

// What the method itself, run past the refusal, would have said: peak 4000 N instead of 155, the
// tool within 0.34 mm.
TEST(FixedStep, neither_error_nor_motion_of_an_unstable_mode_is_taken_for_proved) {
  const Job job = job_of_unstable_mode(std::string("bdf: ") + unstable);
  const Posed posed = pose(job);
  const Solution s = solve_with_error(posed.problem, posed.start, *job.method);
  const Solution alone = solve(posed.problem, posed.start, *job.method);
  EXPECT_EQ(s.steps, alone.steps);
  EXPECT_EQ(s.newton_iterations, alone.newton_iterations);
  EXPECT_EQ(s.u, alone.u);
  EXPECT_GT(s.torque_errors[0], 0.5 * s.u.row(0).cwiseAbs().maxCoeff());  // N; the true error
  const auto sentence = unknown_torque(posed.problem.robot(), s, 1e-3);
  ASSERT_TRUE(sentence);
  EXPECT_NE(sentence->find("may be off by"), std::string::npos) << *sentence;
  EXPECT_NE(sentence->find("take a smaller step"), std::string::npos) << *sentence;

  Verification proof = verify(posed.plant, posed.problem, s, job.verification);
  EXPECT_EQ(proof.status, Status::solved);  // by its outputs
  check_motion(posed.plant, posed.problem, s, job.verification, proof);
  EXPECT_EQ(proof.status, Status::missed);
  EXPECT_EQ(proof.motion_error_of, "l2.z");
  EXPECT_NEAR(*proof.max_motion_error, 0.8e-3, 0.2e-3);  // m; one digit, measured independently
  EXPECT_NE(proof.doubt.find("'l2.z' is off by"), std::string::npos) << proof.doubt;
}

TEST(FixedStep, on_another_plant_the_outputs_decide) {
  Job job = job_of_unstable_mode(std::string("bdf: ") + unstable);
  const Posed posed = pose(job);
  const Solution s = solve(posed.problem, posed.start, *job.method);
  EXPECT_TRUE(is_same_plant(posed.plant, posed.problem.robot(), s));
  job.plant.links[2].inertia.mass *= 1.0001;
  const Posed other = pose(job);
  EXPECT_FALSE(is_same_plant(other.plant, other.problem.robot(), s));
  Verification proof = verify(other.plant, other.problem, s, job.verification);
  const Status before = proof.status;
  check_motion(other.plant, other.problem, s, job.verification, proof);
  EXPECT_EQ(proof.status, before);
  EXPECT_FALSE(proof.max_motion_error);
}

// The path's third derivative, on which the torque depends, has a corner at the start.
TEST(FixedStep, a_spike_at_the_start_is_no_torque) {
  const Job job = example_job(
      "e12_limits", {"task.path.profile=polynomial7", "method={bdf: {order: 3, step: 0.001}}"});
  const Record record = run(job);
  const Posed posed = pose(job);
  const Solution right = solve(posed.problem, posed.start, JetOptions{.step = 1e-3});
  EXPECT_EQ(record.exit_code(), ExitCode::proof_missed);
  for (int d = 0; d < 2; ++d)
    EXPECT_LT(
        (record.solution.u - right.u).row(d).cwiseAbs().maxCoeff(),
        record.solution.torque_errors[d]);  // N m; an error of order h is twice the difference
  const std::string summary = text_summary(record);
  EXPECT_NE(summary.find("not proved: the torque of 'upper' may be off by"), std::string::npos);
  EXPECT_NE(summary.find("too much, but the torque may be off by"), std::string::npos) << summary;
}

TEST(FixedStep, a_drive_without_work_is_known) {
  // the third axis of a planar motion has nothing but rounding for a torque
  Record record = run(example_job("e12_bdf"));
  record.solution.u.row(1) *= 1e-12;
  record.solution.torque_errors[1] = record.solution.u.row(1).cwiseAbs().maxCoeff();
  EXPECT_FALSE(unknown_torque(record.robot, record.solution, 1e-3));
  EXPECT_TRUE(unknown_torque(record.robot, record.solution, 1e-12));
}

TEST(FixedStep, rounding_asks_for_a_larger_step) {
  const Job job = example_job("two_cars", {"method={bdf: {order: 4, step: 0.001}}"});
  const Record record = run(job);
  EXPECT_EQ(record.exit_code(), ExitCode::proof_missed);
  EXPECT_NE(record.verification->doubt.find("larger step"), std::string::npos)
      << record.verification->doubt;
}

// Internal motions of a few Hz to some ten, steps from coarse to fine, orders 3 to 6.
TEST(FixedStep, proved_means_within_five_per_cent_of_jets) {
  int proved = 0, refused = 0, doubted = 0;
  double least = 1e300, largest = 0;  // true over stated error
  for (unsigned seed = 0; seed < 14; ++seed) {
    const Job job = read_job(random_job(seed), "random");
    const double duration = job.task.path->duration();
    const std::string method = seed % 7 == 0   ? "kunkel_mehrmann"
                               : seed % 7 == 1 ? "decoupled"
                                               : "bdf";
    for (const int steps : {50, 150, 450}) {
      if (method != "bdf" && steps == 450) continue;  // they take a second each
      Job tried = job;
      const int order = 3 + static_cast<int>(seed % 4);
      const double h = duration / steps;
      if (method == "bdf")
        tried.method = BdfOptions{.order = order, .step = h};
      else
        tried.method =
            ArrayOptions{.closure = method == "decoupled" ? ArrayClosure::decoupled
                                                          : ArrayClosure::kunkel_mehrmann,
                         .order = order,
                         .step = h};
      const Record record = run(tried);
      if (record.exit_code() == ExitCode::not_solvable) ++refused;
      if (record.exit_code() == ExitCode::proof_missed) ++doubted;
      if (record.solution.status != Status::solved) continue;
      const Posed posed = pose(job);
      const Solution right = solve(posed.problem, posed.start, JetOptions{.step = h});
      ASSERT_EQ(right.status, Status::solved) << seed << right.message;
      for (int d = 0; d < 2; ++d) {
        const double peak = right.u.row(d).cwiseAbs().maxCoeff(),
                     error = (record.solution.u - right.u).row(d).cwiseAbs().maxCoeff();
        if (record.exit_code() == ExitCode::success)
          EXPECT_LT(error, 0.05 * peak) << seed << " " << method << " " << order << " " << steps;
        if (error < 1e-8 * peak) continue;  // that of jets
        least = std::min(least, error / record.solution.torque_errors[d]);
        largest = std::max(largest, error / record.solution.torque_errors[d]);
      }
      proved += record.exit_code() == ExitCode::success;
    }
  }
  EXPECT_GT(proved, 10);
  EXPECT_GT(refused + doubted, 5);
  EXPECT_LT(largest, 2) << "stated errors are too small";  // 1.4 measured
  fmt::print("{} proved, {} refused, {} doubted, true over stated {:.3g} to {:.3g}\n", proved,
             refused, doubted, least, largest);
}

TEST(FixedStep, a_chosen_bdf_takes_the_step_with_the_least_error) {
  const Job job = example_job("e12_bdf");
  const Posed posed = pose(job);
  const BdfOptions coarse{.order = 4, .step = 4e-3};
  const Solution first = solve_with_error(posed.problem, posed.start, coarse);
  const ChosenSteps chosen =
      solve_with_best_step(posed.problem, posed.start, posed.diagnosis, coarse);
  EXPECT_LT(std::get<BdfOptions>(chosen.method).step, 2e-3);  // s
  EXPECT_LT(chosen.solution.largest_torque_error(), 0.1 * first.largest_torque_error());
  const Solution right =
      solve(posed.problem, posed.start, JetOptions{.step = chosen.solution.step});
  EXPECT_LT((chosen.solution.u - right.u).cwiseAbs().maxCoeff(),
            chosen.solution.largest_torque_error());
}

// Rotors as outputs: the default is bdf, and its options are those that were taken.
TEST(FixedStep, the_default_states_its_error) {
  Job job =
      example_job("e12_bdf", {"task.outputs=[upper.rotor, fore.rotor]",
                              "task.path.line.from=[0, 0.3]", "task.path.line.to=[0.5, 0.8]"});
  job.method.reset();
  const Record record = run(job);
  ASSERT_EQ(record.solution.status, Status::solved) << record.solution.message;
  EXPECT_EQ(record.solution.torque_errors.size(), 2);
  ASSERT_TRUE(std::holds_alternative<BdfOptions>(*record.method));
  EXPECT_NEAR(std::get<BdfOptions>(*record.method).step, record.solution.step, 1e-9);
  EXPECT_EQ(std::get<BdfOptions>(*record.method).order, record.solution.order);
}

// The motor of a car pushes a second one through a damper: accelerations do not determine the
// motion, so jets do not apply, and a drive with little damping makes a torque that all but jumps.
Job two_cars(double damping, const char* profile) {
  return read_job(Node::read_text(fmt::format(R"(
tauflex: 1
robot:
  gravity: [0, 0, 0]
  links:
    - name: first
      joint: {{parent: world, type: prismatic, axis: x}}
      mass: 1.8
      drive: {{rotor_inertia: 1.05e-3, gear_ratio: 180, stiffness: 69000, damping: {}}}
    - name: second
      joint: {{parent: first, type: prismatic, axis: x}}
      mass: 16
      spring: {{stiffness: 42000, damping: 82}}
  frames: {{tool: {{link: second, at: [0, 0, 0]}}}}
task:
  outputs: [tool.x]
  path: {{line: {{from: [0], to: [0.018]}}, duration: 0.6, profile: {}}}
verification: {{tolerance: 1e-4, torque: smooth}}
)",
                                              damping, profile),
                                  "cars.yaml"),
                  "cars");
}

// Law: torques and verdicts as damping goes to none. With four continuous derivatives the undamped
// robot is refused, as its torque would jump; a damped one has an answer.
TEST(FixedStep, the_default_finds_a_torque_that_all_but_jumps) {
  const Record jumps = run(two_cars(0, "polynomial9"));
  EXPECT_EQ(jumps.exit_code(), ExitCode::not_solvable);
  const Record steep = run(two_cars(0.69, "polynomial9"));
  EXPECT_EQ(steep.exit_code(), ExitCode::success) << steep.verification->message;
  ASSERT_TRUE(std::holds_alternative<ArrayOptions>(*steep.method));
  EXPECT_EQ(std::get<ArrayOptions>(*steep.method).closure, ArrayClosure::decoupled);
  const Record undamped = run(two_cars(0, "polynomial11")),
               damped = run(two_cars(0.69, "polynomial11"));
  EXPECT_EQ(undamped.exit_code(), ExitCode::success);
  EXPECT_EQ(damped.exit_code(), ExitCode::success);
  const double peak = undamped.solution.u.cwiseAbs().maxCoeff();
  ASSERT_EQ(undamped.solution.u.cols(), damped.solution.u.cols());
  // the damping delays by 10 us of the 10 ms in which the torque changes; stated errors besides
  EXPECT_LT((undamped.solution.u - damped.solution.u).cwiseAbs().maxCoeff(), 0.02 * peak);
}

}  // namespace
}  // namespace tauflex
