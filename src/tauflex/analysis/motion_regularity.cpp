#include "tauflex/analysis/motion_regularity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/analysis/pose_regularity.hpp"
#include "tauflex/base/on_threads.hpp"
#include "tauflex/equations/start.hpp"
#include "tauflex/math/golden_section.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/model/natural_units.hpp"

namespace tauflex {

namespace {

// How far outputs and constraints are from where they shall be, rad or sizes of the robot.
double distance_from_path(const InverseProblem& problem, double t, const Vector& q) {
  const Robot& robot = problem.robot();
  MechanicsData data(robot);
  kinematics<double>(robot, data, q);
  Vector wanted(problem.output_count()), error(problem.output_count()),
      open(robot.constraint_count());
  path_values<double>(problem.path(), t, wanted);
  output_errors<double>(robot, data, q, Vector::Zero(robot.constraint_count()), problem.outputs(),
                        wanted, error);
  constraint_values<double>(robot, data, q, t, open);
  const double size = robot_size(robot);
  open = open.cwiseQuotient(constraint_units(robot));
  double distance = open.size() > 0 ? open.cwiseAbs().maxCoeff() : 0;
  for (const int i : problem.motion_outputs()) {
    const bool is_length = problem.outputs().rows[i].quantity == Quantity::length;
    distance = std::max(distance, std::abs(error[i]) / (is_length ? size : 1));
  }
  return distance;
}

// Cubic between two samples, with the rates of both.
class Between {
 public:
  Between(const Robot& robot, const Vector& t, const Matrix& q, const Matrix& v)
      : robot_(robot), t_(t), q_(q), v_(v), a_(Vector::Zero(robot.nq())), b_(a_) {}

  Vector at(double time) {
    const auto after = std::upper_bound(t_.begin(), t_.end(), time) - t_.begin();
    const auto i = std::clamp<Eigen::Index>(after - 1, 0, t_.size() - 2);
    const double h = t_[i + 1] - t_[i], s = (time - t_[i]) / h;
    position_rate<double>(robot_, q_.col(i), v_.col(i), a_);
    position_rate<double>(robot_, q_.col(i + 1), v_.col(i + 1), b_);
    Vector q = (1 + 2 * s) * (1 - s) * (1 - s) * q_.col(i) + s * s * (3 - 2 * s) * q_.col(i + 1) +
               h * s * (1 - s) * ((1 - s) * a_ - s * b_);
    normalize(robot_, q);
    return q;
  }

 private:
  const Robot& robot_;
  const Vector& t_;
  const Matrix &q_, &v_;
  Vector a_, b_;
};

// Whether a joint moves from sample i to the next much farther than velocities explain. Those of a
// difference formula just after a jump contain it, so they are not asked.
bool jumps(const Robot& robot, const Vector& units, const Vector& t, const Matrix& q,
           const Matrix& v, Eigen::Index i) {
  constexpr Eigen::Index contaminated = 8;   // samples: the longest formula has seven
  constexpr double much = 10, least = 1e-2;  // times; rad or sizes of the robot
  const double h = t[i + 1] - t[i];
  const Eigen::Index before = std::max<Eigen::Index>(0, i - contaminated),
                     after = std::min(i + contaminated, t.size() - 1),
                     last = std::min(i + 2 * contaminated, t.size() - 1);
  for (int k = 0; k < robot.tree_nv(); ++k) {
    const int at = robot.coordinates().of_velocity[k];
    if (at < 0) continue;  // of a quaternion
    const double speed = std::max(v.row(k).segment(before, i - before + 1).cwiseAbs().maxCoeff(),
                                  v.row(k).segment(after, last - after + 1).cwiseAbs().maxCoeff());
    if (std::abs(q(at, i + 1) - q(at, i)) > least * units[k] + much * h * speed) return true;
  }
  return false;
}

// The samples of a motion, looked at one after the other.
class Watch {
 public:
  Watch(const InverseProblem& problem, const Vector& t, const Matrix& q, const Matrix& v,
        DenseSolution* dense)
      : problem_(problem),
        robot_(problem.robot()),
        units_(velocity_units(robot_)),
        t_(t),
        q_(q),
        v_(v),
        dense_(dense),
        measure_(problem, q.col(0)),
        between_(robot_, t, q, v),
        start_(measure_.at(q.col(0))),
        worst_{1, Part::outputs},
        worst_t_(t[0]),
        worst_q_(q.col(0)) {
    result_.outputs.q = result_.loops.q = result_.coupling.q = q.col(0);
    result_.outputs.t = result_.loops.t = result_.coupling.t = t[0];
  }

  MotionRegularity run() {
    result_.along.resize(3, t_.size());
    measure_samples();
    Regularity last = look_at(0);
    double before = 1, latest = closeness(last, start_).value;
    if (latest < singular_ratio) return stopped(0, singular());
    for (Eigen::Index i = 1; i < t_.size(); ++i) {
      if (!q_.col(i).allFinite()) return jumped(i);
      const bool far = jumps(robot_, units_, t_, q_, v_, i - 1);
      if (far && !connects(i - 1)) return jumped(i);
      const Regularity now = look_at(i);
      const double here = closeness(now, start_).value;
      const bool flips =
          now.pose_branch * last.pose_branch < 0 || now.motion_branch * last.motion_branch < 0;
      // A local minimum at the last sample.
      const bool lowest = i > 1 && latest < suspicious_ratio && latest <= before && latest <= here;
      const Eigen::Index first = i - (lowest ? 2 : 1);
      if (flips || lowest) look_between(first, i, far ? dense_ : nullptr);
      if (flips && leaves_path(i)) return jumped(i);
      if (flips)
        return stopped(i - 1, singular() +
                                  "; behind it the motion would go on on another branch, as "
                                  "when an elbow flips");
      if (worst_.value < singular_ratio)
        return stopped(std::max<Eigen::Index>(first, 0), singular());
      before = latest;
      latest = here;
      last = now;
    }
    return std::move(result_);
  }

 private:
  // Each by itself, in pieces so long that a thread is worth it.
  void measure_samples() {
    constexpr Eigen::Index piece = 64;
    const Eigen::Index n = t_.size();
    samples_.resize(n);
    on_threads(static_cast<size_t>((n + piece - 1) / piece), cores(), [&] {
      return [&, measure = PoseRegularity(problem_, q_.col(0))](size_t k) mutable {
        const Eigen::Index first = piece * static_cast<Eigen::Index>(k);
        for (Eigen::Index i = first; i < std::min(n, first + piece); ++i)
          if (q_.col(i).allFinite()) samples_[i] = measure.at(q_.col(i));
      };
    });
  }

  Regularity look_at(Eigen::Index i) {
    const Regularity& r = samples_[i];
    result_.along.col(i) << r.outputs, r.loops, r.coupling;
    keep(t_[i], q_.col(i), r);
    return r;
  }

  Regularity look(double t, const Vector& q) {
    const Regularity r = measure_.at(q);
    keep(t, q, r);
    return r;
  }

  void keep(double t, const Vector& q, const Regularity& r) {
    const auto keep_least = [&](double value, MotionRegularity::Least& least) {
      if (value < least.value) least = {value, t, q};
    };
    keep_least(r.outputs, result_.outputs);
    keep_least(r.loops, result_.loops);
    keep_least(r.coupling, result_.coupling);
    const Closeness here = closeness(r, start_);
    if (here.value < worst_.value) {
      worst_ = here;
      worst_t_ = t;
      worst_q_ = q;
    }
  }

  // Whether the motion, where it is known at any time, goes from sample i to the next without a
  // jump. Steps of the output may be longer than those that the solver took.
  bool connects(Eigen::Index i) const {
    constexpr Eigen::Index pieces = 128;
    if (!dense_) return false;
    const Vector t = Vector::LinSpaced(pieces + 1, t_[i], t_[i + 1]);
    Matrix q(q_.rows(), pieces + 1), v(v_.rows(), pieces + 1);
    q.col(0) = q_.col(i);
    v.col(0) = v_.col(i);
    q.col(pieces) = q_.col(i + 1);
    v.col(pieces) = v_.col(i + 1);
    Instant now;
    for (Eigen::Index k = 1; k < pieces; ++k) {
      if (!dense_->at(t[k], now) || !now.q.allFinite()) return false;
      q.col(k) = now.q;
      v.col(k) = now.v;
    }
    for (Eigen::Index k = 0; k < pieces; ++k)
      if (jumps(robot_, units_, t, q, v, k)) return false;
    return true;
  }

  // Closely, at the minimum between two samples.
  void look_between(Eigen::Index first, Eigen::Index last, DenseSolution* dense) {
    Instant now;
    const auto at = [&](double t) { return dense && dense->at(t, now) ? now.q : between_.at(t); };
    golden_section(t_[first], t_[last], 1e-6 * (t_[last] - t_[last - 1]),
                   [&](double t) { return closeness(look(t, at(t)), start_).value; });
  }

  // On the way through a singular pose the outputs stay on the path. A solver that lands on the
  // other side has not been there.
  bool leaves_path(Eigen::Index i) const {
    double moved = 0;
    for (int k = 0; k < robot_.tree_nq(); ++k) {
      const double unit = robot_.coordinates().is_angle[k] ? 1 : robot_size(robot_);
      moved = std::max(moved, std::abs(q_(k, i) - q_(k, i - 1)) / unit);
    }
    return distance_from_path(problem_, worst_t_, worst_q_) > 1e-2 * moved * moved;
  }

  std::string singular() const {
    return fmt::format(
        "t = {:.6g} s: the robot comes to a singular pose, at {}: {} ({:.1e}; 0 is singular)",
        worst_t_, pose_text(robot_, worst_q_), meaning_of(worst_.part), worst_.value);
  }

  MotionRegularity stopped(Eigen::Index column, std::string sentence) {
    result_.stop = static_cast<int>(column);
    result_.sentence = std::move(sentence);
    result_.along.conservativeResize(Eigen::NoChange, column + 1);
    return std::move(result_);
  }

  MotionRegularity jumped(Eigen::Index i) {
    result_.jumped = true;
    return stopped(i - 1,
                   fmt::format("the robot jumps to another branch between t = {:.6g} s, at {}, "
                               "and t = {:.6g} s, at {}; a smaller step may keep it",
                               t_[i - 1], pose_text(robot_, q_.col(i - 1)), t_[i],
                               pose_text(robot_, q_.col(i))));
  }

  const InverseProblem& problem_;
  const Robot& robot_;
  // nv: robot_size() for lengths
  Vector units_;
  const Vector& t_;
  const Matrix &q_, &v_;
  // null: unknown between samples
  DenseSolution* dense_;
  PoseRegularity measure_;
  // Of each sample, computed by measure_samples()
  std::vector<Regularity> samples_;
  Between between_;
  Regularity start_;
  MotionRegularity result_;
  // The smallest closeness so far, and where.
  Closeness worst_;
  double worst_t_;
  Vector worst_q_;
};

}  // namespace

MotionRegularity regularity_along(const InverseProblem& problem, const Vector& t, const Matrix& q,
                                  const Matrix& v, DenseSolution* dense) {
  return Watch(problem, t, q, v, dense).run();
}

}  // namespace tauflex
