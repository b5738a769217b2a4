// A control loop in real time: this process takes a step of a Stepper every millisecond and hands
// the torques through shared memory to another process, which simulates the robot. Steps whose
// torques come after their time are counted.
//   control_loop JOB [SECONDS [RATE [PREVIEW]]]
#include <fmt/format.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tauflex/base/text.hpp"
#include "tauflex/mechanics/forward_dynamics.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/tauflex.hpp"

using namespace tauflex;

namespace {

constexpr int most = 32;         // drives, or outputs
constexpr long slots = 1 << 17;  // steps

// What both processes see. The controller writes torques and posts; the plant waits, simulates and
// writes where the tool is then.
struct Shared {
  sem_t torques;
  double u[slots][most];
  double y[slots][most];
};

double seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return seconds(time);
}

void sleep_until(double time) {
  const double whole = std::floor(time);
  const timespec until = {static_cast<time_t>(whole), static_cast<long>((time - whole) * 1e9)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

// The robot, from rest, under torques that are straight lines from sample to sample: the method of
// Runge and Kutta with short steps.
class Plant {
 public:
  Plant(const InverseProblem& problem, const Instant& start)
      : robot_(problem.robot()),
        outputs_(problem.outputs()),
        data_(robot_),
        q_(start.q),
        v_(start.v) {
    for (Vector* x : {&u_, &from_}) *x = start.u;
    for (Vector* x : {&a_, &qdot_, &vdot_}) *x = v_;
    position_ = q_;
    for (auto& k : q_rates_) k = v_;
    for (auto& k : v_rates_) k = v_;
  }

  void step(double h, const double* u, double* y) {
    constexpr int parts = 10;
    const Eigen::Map<const Vector> to(u, u_.size());
    const double part = h / parts;
    for (int i = 0; i < parts; ++i) {
      rates(q_, v_, to, (i + 0.0) / parts, 0);
      rates(moved(part / 2, 0), velocity(part / 2, 0), to, (i + 0.5) / parts, 1);
      rates(moved(part / 2, 1), velocity(part / 2, 1), to, (i + 0.5) / parts, 2);
      rates(moved(part, 2), velocity(part, 2), to, (i + 1.0) / parts, 3);
      qdot_ = (q_rates_[0] + 2 * q_rates_[1] + 2 * q_rates_[2] + q_rates_[3]) / 6;
      vdot_ = (v_rates_[0] + 2 * v_rates_[1] + 2 * v_rates_[2] + v_rates_[3]) / 6;
      move(robot_, part * qdot_, q_);
      v_ += part * vdot_;
    }
    from_ = to;
    kinematics<double>(robot_, data_, q_);
    Eigen::Map<Vector> out(y, outputs_.count());
    output_values(robot_, data_, q_, Vector(0), outputs_, out);
  }

 private:
  void rates(const Vector& q, const Vector& v, const Eigen::Map<const Vector>& to, double x,
             int k) {
    u_ = from_ + x * (to - from_);
    forward_dynamics(robot_, data_, q, v, u_, v_rates_[k]);
    q_rates_[k] = v;
  }
  const Vector& moved(double h, int k) {
    position_ = q_;
    move(robot_, h * q_rates_[k], position_);
    return position_;
  }
  const Vector& velocity(double h, int k) { return a_ = v_ + h * v_rates_[k]; }

  const Robot& robot_;
  const Outputs& outputs_;
  MechanicsData data_;
  Vector q_, v_, u_, from_, a_, qdot_, vdot_, position_;
  Vector q_rates_[4], v_rates_[4];
};

struct Loop {
  long steps = 0, late = 0;
  std::vector<double> took;  // s, from the beginning of a sample to its torques
};

// Torques for sample k have to be there when it ends.
Loop control(Stepper& stepper, Shared& shared, long steps) {
  const double h = stepper.options().step;
  Loop loop;
  loop.took.reserve(static_cast<size_t>(steps));
  const double start = now() + 0.02;
  for (; loop.steps < steps; ++loop.steps) {
    const double begin = start + static_cast<double>(loop.steps) * h;
    sleep_until(begin);
    if (stepper.step_along_path() != StepperStatus::ok) {
      fmt::print(stderr, "{}\n", stepper.message());
      break;
    }
    std::copy(stepper.now().u.begin(), stepper.now().u.end(), shared.u[loop.steps]);
    sem_post(&shared.torques);
    loop.took.push_back(now() - begin);
    if (loop.took.back() > h) ++loop.late;
  }
  return loop;
}

int simulate(const Stepper& stepper, Shared& shared, long steps) {
  Plant plant(stepper.problem(), stepper.now());
  for (long k = 0; k < steps; ++k) {
    while (sem_wait(&shared.torques) != 0) continue;
    plant.step(stepper.options().step, shared.u[k], shared.y[k]);
  }
  return 0;
}

double largest_tool_error(const Stepper& stepper, const Shared& shared, long steps) {
  const InverseProblem& problem = stepper.problem();
  Vector y(problem.output_count());
  double largest = 0;
  for (long k = 0; k < steps; ++k) {
    const double t = problem.begin() + static_cast<double>(k + 1) * stepper.options().step;
    path_values<double>(problem.path(), t, y);
    for (const int row : problem.motion_outputs())
      largest = std::max(largest, std::abs(shared.y[k][row] - y[row]));
  }
  return largest;
}

int run(const char* job, double duration, double rate, double preview) {
  Stepper stepper(read_job(job), {.step = 1 / rate, .preview = preview});
  const InverseProblem& problem = stepper.problem();
  if (problem.robot().constraint_count() > 0 || problem.robot().actuation().count() > most ||
      problem.output_count() > most)
    return fmt::print(stderr, "the plant of this loop has no constraints, and {} drives at most\n",
                      most),
           3;
  const long steps = std::clamp(std::lround(duration * rate), 1L, slots);
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return fmt::print(stderr, "no shared memory\n"), 7;
  auto* shared = static_cast<Shared*>(memory);
  sem_init(&shared->torques, /*between processes*/ 1, 0);
  const pid_t plant = fork();
  if (plant < 0) return fmt::print(stderr, "no second process\n"), 7;
  if (plant == 0) _exit(simulate(stepper, *shared, steps));
  Loop loop = control(stepper, *shared, steps);
  for (long k = loop.steps; k < steps; ++k) sem_post(&shared->torques);  // the plant ends too
  waitpid(plant, nullptr, 0);
  if (loop.steps < steps) return 5;
  std::sort(loop.took.begin(), loop.took.end());
  fmt::print("{} steps of {:g} ms: {} late\n", steps, 1e3 / rate, loop.late);
  fmt::print("torques after {:.0f} us (median), {:.0f} us (longest)\n",
             1e6 * loop.took[loop.took.size() / 2], 1e6 * loop.took.back());
  fmt::print("the simulated robot is off its path by at most {:.2g} mm\n",
             1e3 * largest_tool_error(stepper, *shared, steps));
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const auto number = [&](int i, double otherwise) {
    return count > i ? parse_number(arguments[i]).value_or(-1) : otherwise;
  };
  const double duration = number(2, 1), rate = number(3, 1000), preview = number(4, 0);
  if (count < 2 || count > 5 || !(duration > 0) || !(rate > 0) || !(preview >= 0))
    return fmt::print(stderr, "usage: control_loop JOB [SECONDS [RATE [PREVIEW]]]\n"), 2;
  try {
    return run(arguments[1], duration, rate, preview);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.code());
  }
}
