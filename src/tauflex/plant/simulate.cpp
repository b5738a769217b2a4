#include "tauflex/plant/simulate.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/equations/start.hpp"
#include "tauflex/plant/frame_plant.hpp"
#include "tauflex/plant/integrator.hpp"

namespace tauflex {

namespace {

constexpr double fastest = 1e6;  // rad/s or m/s: nothing that a robot does

double mean_distance(const Vector& t) {
  const auto last = t.size() - 1;
  return last > 0 ? (t[last] - t[0]) / static_cast<double>(last) : 0;
}

// A run in the making: the integrator goes from corner to corner, samples are kept.
class Run {
 public:
  Run(ForwardProblem& problem, const Vector& x0, const Vector& times,
      const SimulationOptions& options)
      : problem_(problem),
        options_(options),
        integrator_(problem, times[0], x0, mean_distance(times), options) {
    const int nq = problem.plant().nq(), nv = problem.plant().nv();
    const auto n = times.size();
    result_.t = times;
    result_.q = Matrix::Zero(nq, n);
    result_.v = result_.vdot = Matrix::Zero(nv, n);
    result_.u = Matrix::Zero(problem.drives(), n);
    result_.lambda = Matrix::Zero(problem.plant().constraint_count(), n);
    result_.work = result_.dissipated = Vector::Zero(n);
    now_ = mark_time_ = times[0];
    store(0);
  }

  // To sample i. Returns false when the integrator fails; the status says so.
  bool advance(Eigen::Index i) {
    while (now_ < result_.t[i]) {
      const double corner = problem_.next_corner(now_);
      const double stop = std::min(corner, result_.t[i]);
      if (stop > now_ && !integrate(stop, corner)) return false;
      now_ = stop;
      if (corner <= result_.t[i]) {
        problem_.enter(now_, integrator_.x());
        if (problem_.jumps()) integrator_.restart();
      }
    }
    store(i);
    return true;
  }

  void interrupt() { fail(Status::interrupted, fmt::format("interrupted at t = {:.6g} s", now_)); }

  // With the first `samples` samples.
  Simulation result(Eigen::Index samples) {
    result_.steps = integrator_.steps();
    result_.integrator = integrator_.name();
    if (samples < result_.t.size()) {
      for (Matrix* m : {&result_.q, &result_.v, &result_.vdot, &result_.u, &result_.lambda})
        m->conservativeResize(Eigen::NoChange, samples);
      for (Vector* x : {&result_.t, &result_.work, &result_.dissipated})
        x->conservativeResize(samples);
    }
    return std::move(result_);
  }

 private:
  bool integrate(double stop, double corner) {
    ++stops_;
    if (!integrator_.advance(stop, corner))
      return fail(
          Status::not_converged,
          fmt::format("t = {:.6g} s: the forward simulation stops: {} ({})", integrator_.t(),
                      integrator_.failure(), pose_text(problem_.plant(), integrator_.x())));
    const int nq = problem_.plant().nq(), nv = problem_.plant().nv();
    if (!(integrator_.x().segment(nq, nv).cwiseAbs().maxCoeff() < fastest))
      return fail(
          Status::not_converged,
          fmt::format("t = {:.6g} s: the motion runs away; is the controller stable?", stop));
    // each sample and each corner may take a step, however easy the motion is
    if (integrator_.steps() - stops_ > options_.max_steps)
      return fail(Status::not_converged,
                  fmt::format("t = {:.6g} s: {} steps were not enough; the motion may be too stiff "
                              "or unstable, or close to a singular position",
                              stop, options_.max_steps));
    return is_getting_on(stop);
  }

  // A tenth of the steps that are allowed, and not a hundredth of the way: at this pace it would
  // need ten times as many as are allowed, and nobody has to wait for all of them to hear it.
  bool is_getting_on(double stop) {
    const long taken = integrator_.steps() - stops_ - mark_steps_;
    constexpr long start = 1000;  // steps that the first moments may take, however few are allowed
    if (taken < std::max(start, options_.max_steps / 10)) return true;
    const double whole = result_.t[result_.t.size() - 1] - result_.t[0];
    const double share = (stop - mark_time_) / whole;
    mark_steps_ += taken;
    mark_time_ = stop;
    if (share > 0.01) return true;
    return fail(
        Status::not_converged,
        fmt::format("t = {:.6g} s: the last {} steps covered {:.2g} s of the {:.4g} s to simulate; "
                    "{} steps are allowed (max_steps); the motion may be too stiff or "
                    "unstable, or close to a singular position",
                    stop, taken, share * whole, whole, options_.max_steps));
  }

  bool fail(Status status, std::string message) {
    result_.status = status;
    result_.message = std::move(message);
    return false;
  }

  void store(Eigen::Index i) {
    const int nq = problem_.plant().nq(), nv = problem_.plant().nv();
    const auto& x = integrator_.x();
    problem_.motion(x, result_.q.col(i), result_.v.col(i));
    problem_.torques(result_.t[i], x, result_.u.col(i));
    problem_.accelerations(result_.t[i], x, result_.vdot.col(i), result_.lambda.col(i));
    result_.work[i] = x[nq + nv];
    result_.dissipated[i] = x[nq + nv + 1];
  }

  ForwardProblem& problem_;
  const SimulationOptions& options_;
  Integrator integrator_;
  Simulation result_;
  double now_ = 0;
  // Samples and corners so far.
  long stops_ = 0;
  // Where the pace was looked at last.
  long mark_steps_ = 0;
  double mark_time_ = 0;
};

// A constraint whose path jumps, or jumps in velocity, would strike the plant: impacts are out of
// scope.
void require_smooth_paths(const Robot& plant, double begin, double end) {
  for (const ConstraintRow& row : plant.constraints()) {
    if (!row.path) continue;
    const Constraint& constraint = plant.description().constraints[row.constraint];
    for (const Corner& corner : row.path->corners())
      if (corner.output == row.component && corner.derivative <= 1 && corner.time > begin &&
          corner.time < end)
        throw InputError(fmt::format(
            "{}: the path of constraint '{}' jumps in {} at t = {:.6g} s, which would be an impact "
            "on the robot; simulate up to that time only, or give the path a smoother profile",
            constraint.where, constraint.name, corner.derivative ? "velocity" : "position",
            corner.time));
  }
}

}  // namespace

Simulation simulate(ForwardProblem& problem, const VectorRef& q0, const VectorRef& v0,
                    const Vector& times, const SimulationOptions& options,
                    const Progress& progress) {
  options.check();
  if (options.frame)
    return simulate_frame(problem, q0, v0, times, *options.frame, options.max_steps, progress);
  require_smooth_paths(problem.plant(), times[0], times[times.size() - 1]);
  Vector x0 = problem.state(q0, v0);
  problem.project(times[0], x0);
  problem.start(times[0], x0);
  Run run(problem, x0, times, options);
  const auto n = times.size();
  for (Eigen::Index i = 1; i < n; ++i) {
    if (!run.advance(i)) return run.result(i);
    if (progress && i % 64 == 0 && !progress(static_cast<double>(i) / static_cast<double>(n))) {
      run.interrupt();
      return run.result(i);
    }
  }
  return run.result(n);
}

}  // namespace tauflex
