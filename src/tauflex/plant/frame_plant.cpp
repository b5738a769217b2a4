#include "tauflex/plant/frame_plant.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/elements/frame_pose.hpp"
#include "tauflex/elements/frame_system.hpp"
#include "tauflex/elements/newmark.hpp"
#include "tauflex/elements/robot_frame.hpp"

namespace tauflex {

namespace {

// The free frame with the torques of a forward problem.
class FrameRun {
 public:
  FrameRun(ForwardProblem& problem, const VectorRef& q0, const FramePlantOptions& options)
      : problem_(problem),
        frame_(robot_frame(problem.plant(), q0, frame_of(options))),
        system_(
            frame_, {}, [this](double t, VectorOut forces) { command(t, forces); },
            FrameRotors(problem.plant(), frame_, q0)),
        newmark_(system_, {.delta = options.delta, .beta = options.beta}),
        q_(q0),
        v_(Vector::Zero(problem.plant().nv())),
        vdot_(v_),
        u_(Vector::Zero(problem.drives())) {}

  // Joints at q0 and v0, beams at rest between them.
  bool start(double t, const VectorRef& v0, const FramePlantOptions& options) {
    if (!frame_.beams.empty() && !hang(t, options)) return false;
    FrameState moving(frame_);
    Vector travel;
    pose_of_joints(frame_, q_, v0, Vector::Zero(v0.size()), moving, travel);
    Vector v = Vector::Zero(system_.size());
    system_.write_rotors(v0, v);
    for (int node = 0; node < frame_.nodes(); ++node)
      for (int k = 0; k < 3; ++k) {
        if (frame_.dof[node][k] >= 0) v[frame_.dof[node][k]] = moving.v[node][k];
        if (frame_.dof[node][k + 3] >= 0) v[frame_.dof[node][k + 3]] = moving.w[node][k];
      }
    v_ = v0;
    problem_.start(t, problem_.state(q_, v_));
    newmark_.start(t, v);
    read();
    return true;
  }

  // Steps of at most `step` to t; energies are balanced on the way.
  bool advance(double t, double step) {
    while (newmark_.time() < t) {
      const double now = newmark_.time(), corner = problem_.next_corner(now),
                   stop = std::min(corner, t);
      const long steps = std::max(1L, std::lround(std::ceil((stop - now) / step - 1e-9)));
      for (long k = 1; k <= steps; ++k) {
        const double power = work_rate(), loss = system_.losses(), before = newmark_.time();
        const double to =
            k == steps ? stop
                       : now + (stop - now) * static_cast<double>(k) / static_cast<double>(steps);
        if (!newmark_.step(to)) return false;
        ++steps_;
        read();
        work_ += (to - before) / 2 * (power + work_rate());
        dissipated_ += (to - before) / 2 * (loss + system_.losses());
      }
      if (corner <= t) problem_.enter(stop, problem_.state(q_, v_));
    }
    return true;
  }

  void store(Eigen::Index i, Simulation& result) {
    result.q.col(i) = q_;
    result.v.col(i) = v_;
    result.vdot.col(i) = vdot_;
    result.u.col(i) = u_;
    for (size_t k = 0; k < frame_.rows.size(); ++k)
      if (const int row = frame_.rows[k].constraint; row >= 0)
        result.lambda(row, i) = newmark_.lambda()[static_cast<Eigen::Index>(k)];
    result.work[i] = work_;
    result.dissipated[i] = dissipated_;
    result.steps = steps_;
  }

 private:
  static FrameOptions frame_of(const FramePlantOptions& options) {
    return {options.timoshenko ? ElementKind::timoshenko : ElementKind::bernoulli,
            options.elements};
  }

  bool hang(double t, const FramePlantOptions& options) {
    ElementFrame held = robot_frame(problem_.plant(), q_, frame_of(options));
    for (size_t j = 0; j < held.joints.size(); ++j) held.drive_joint(static_cast<int>(j));
    FrameSystem system(held, {}, {});
    Newmark newmark(system, {});
    if (!newmark.settle(t)) return false;
    system_.state() = system.state();
    return true;
  }

  void command(double t, VectorOut forces) {
    read_coordinates();
    problem_.torques(t, problem_.state(q_, v_), u_);
    forces.setZero();
    for (const auto& [joint, drive] : frame_.motors)
      forces[joint] = u_[frame_.joints[joint].drive] * drive.gear_ratio;
    system_.write_rotor_torques(u_, forces);
  }

  void read_coordinates() {
    joints_of_pose(frame_, system_.state(), system_.travel(), q_, v_, vdot_);
    system_.read_rotors(q_, v_, vdot_);
  }

  void read() {
    system_.set_motion(newmark_.v(), newmark_.a());
    read_coordinates();
    problem_.torques(newmark_.time(), problem_.state(q_, v_), u_);
  }

  double work_rate() const {
    double power = 0;
    const auto& drives = problem_.plant().actuation().drives;
    for (size_t d = 0; d < drives.size(); ++d)
      power += u_[static_cast<Eigen::Index>(d)] * drives[d].lever() * v_[drives[d].row()];
    return power;
  }

  ForwardProblem& problem_;
  ElementFrame frame_;
  FrameSystem system_;
  Newmark newmark_;
  Vector q_, v_, vdot_, u_;
  double work_ = 0, dissipated_ = 0;
  long steps_ = 0;
};

Simulation empty_result(const ForwardProblem& problem, const Vector& times,
                        const FramePlantOptions& options) {
  const Robot& plant = problem.plant();
  const auto n = times.size();
  Simulation result;
  result.integrator =
      fmt::format("frame of finite elements, Newmark with delta {:.4g}, beta {:.4g}", options.delta,
                  options.beta);
  result.t = times;
  result.q = Matrix::Zero(plant.nq(), n);
  result.v = result.vdot = Matrix::Zero(plant.nv(), n);
  result.u = Matrix::Zero(problem.drives(), n);
  result.lambda = Matrix::Zero(plant.constraint_count(), n);
  result.work = result.dissipated = Vector::Zero(n);
  return result;
}

// Newmark's steps are as long as they were asked for, so their number is known before the run.
void require_enough_steps(double span, double step, long most) {
  const double steps = span / step;
  if (steps > static_cast<double>(most))
    throw InputError(fmt::format(
        "verification.plant.step: {:.3g} s over {:.6g} s are {:.3g} steps, more than the {} that "
        "verification.simulation.max_steps allows; take a longer step or allow more",
        step, span, steps, most));
}

}  // namespace

Simulation simulate_frame(ForwardProblem& problem, const VectorRef& q0, const VectorRef& v0,
                          const Vector& times, const FramePlantOptions& options, long max_steps,
                          const Progress& progress) {
  require_enough_steps(times[times.size() - 1] - times[0], options.step, max_steps);
  Simulation result = empty_result(problem, times, options);
  FrameRun run(problem, q0, options);
  const auto end_early = [&](Status status, std::string message, Eigen::Index samples) {
    result.status = status;
    result.message = std::move(message);
    for (Matrix* m : {&result.q, &result.v, &result.vdot, &result.u, &result.lambda})
      m->conservativeResize(Eigen::NoChange, samples);
    for (Vector* x : {&result.t, &result.work, &result.dissipated}) x->conservativeResize(samples);
  };
  for (Eigen::Index i = 0; i < times.size(); ++i) {
    if (i == 0 ? !run.start(times[0], v0, options) : !run.advance(times[i], options.step)) {
      end_early(Status::not_converged,
                fmt::format("t = {:.6g} s: Newton failed in the equilibrium of the frame of "
                            "elements; try a smaller plant.step",
                            times[i]),
                i);
      break;
    }
    run.store(i, result);
    if (progress && i % 64 == 63 &&
        !progress(static_cast<double>(i) / static_cast<double>(times.size()))) {
      end_early(Status::interrupted, fmt::format("interrupted at t = {:.6g} s", times[i]), i + 1);
      break;
    }
  }
  return result;
}

}  // namespace tauflex
