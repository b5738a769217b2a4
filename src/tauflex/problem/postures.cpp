#include "tauflex/problem/postures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/least_squares.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/model/natural_units.hpp"
#include "tauflex/problem/inverse_kinematics.hpp"
#include "tauflex/problem/posture_parts.hpp"

namespace tauflex {

namespace {

constexpr double full_turn = 2 * std::numbers::pi;
constexpr int most_free_joints = 7;
constexpr size_t most_joints = 16;
// Postures of several arms together; with more of them only the best of each arm are combined.
constexpr size_t most_combined = 256;
constexpr int most_samples = 24;  // of the joints that an arm has more than outputs
// rad or sizes of the robot: steps along the arm's own motion, and what is one posture then
constexpr double longest_pull = 0.3, smallest_pull = 1e-3, merged = 0.05;
constexpr int most_pulls = 60;

// The same angle, by full turns within its range or as close to it as can be, there as close to
// `best` as can be.
double turned_into_range(const Robot& robot, int at, double angle, double best) {
  double chosen = best + std::remainder(angle - best, full_turn);
  for (const double towards : {robot.coordinates().lowest[at], robot.coordinates().highest[at]}) {
    if (!std::isfinite(towards) || range_excess(robot, at, chosen) == 0) continue;
    const double turns = (towards - chosen) / full_turn;
    for (const double k : {std::floor(turns), std::ceil(turns)})
      if (range_excess(robot, at, chosen + k * full_turn) < range_excess(robot, at, chosen))
        chosen += k * full_turn;
  }
  return chosen;
}

// Entry i of the sequence of van der Corput in a base: evenly spread in 0 .. 1, however many.
double spread(int i, int base) {
  double x = 0, digit = 1.0 / base;
  for (; i > 0; i /= base, digit /= base) x += digit * (i % base);
  return x;
}

}  // namespace

std::vector<int> moving_joints(const Robot& robot) {
  std::vector<int> joints;
  for (const DriveLayout& drive : robot.actuation().drives) joints.push_back(drive.joint_v);
  if (!joints.empty()) return joints;
  for (int v = 0; v < robot.tree_nv(); ++v)
    if (robot.coordinates().of_velocity[v] >= 0) joints.push_back(v);
  return joints;
}

namespace {

// One question with the coordinates of its joints.
class PostureSearch {
 public:
  explicit PostureSearch(const PostureQuestion& question)
      : question_(question), data_(question.robot) {
    for (const int v : question.joints) at_.push_back(question.robot.coordinates().of_velocity[v]);
    units_ = velocity_units(question.robot)(question.joints);
  }

  // Joints that no output names.
  int free_joints() const {
    return static_cast<int>(std::count_if(
        at_.begin(), at_.end(), [&](int at) { return !question_.outputs.follows_coordinate(at); }));
  }

  std::vector<Vector> square() const {
    return InverseKinematics(question_.robot, question_.outputs, question_.joints, question_.q)
        .postures(question_.y);
  }

  // Some joints are outputs too, at several places; what is found is pulled to the preferred
  // posture by the arm's own motion.
  std::vector<Vector> redundant() {
    const auto held = joints_to_hold();
    PostureQuestion fixed = question_;
    for (const int j : held) {
      fixed.outputs.groups.push_back(
          {CoordinateOutput{at_[j], question_.joints[j]}, quantity(j), {fixed.outputs.count()}});
      fixed.outputs.motions.push_back(fixed.outputs.count());
      fixed.outputs.rows.push_back({question_.robot.coordinates().names[at_[j]], quantity(j)});
    }
    const InverseKinematics kinematics(fixed.robot, fixed.outputs, fixed.joints, fixed.q);
    std::vector<Vector> found;
    for (int sample = 0; sample < (held.size() == 1 ? most_samples / 2 : most_samples); ++sample) {
      Vector y(fixed.outputs.count());
      y.head(question_.y.size()) = question_.y;
      for (size_t k = 0; k < held.size(); ++k)
        y[question_.y.size() + static_cast<Eigen::Index>(k)] =
            place(held[k], sample, static_cast<int>(k));
      for (const Vector& q : kinematics.postures(y)) add(pulled(q), found);
    }
    if (std::none_of(found.begin(), found.end(), [&](const Vector& q) {
          return range_excess(question_.robot, into_range(q)) == 0;
        }))
      add_from_all_over(found);
    return found;
  }

  // Where the places that joints were held at suit no posture, all joints start from many places.
  void add_from_all_over(std::vector<Vector>& found) {
    const auto outputs_of = [&](const Vector& at, Vector& r, Matrix& J) {
      errors(with_joints(at), r, J);
    };
    for (int sample = 0; sample < most_samples; ++sample) {
      Vector x(units_.size());
      for (int j = 0; j < x.size(); ++j) x[j] = place(j, sample, j) / units_[j];
      const Vector q = with_joints(least_squares(outputs_of, x).x);
      if (outputs_reached(question_.robot, question_.outputs, q, question_.y))
        add(pulled(q), found);
    }
  }

  Vector into_range(Vector q) const {
    for (const int at : at_)
      if (question_.robot.coordinates().is_angle[at] && !question_.outputs.follows_coordinate(at))
        q[at] = turned_into_range(question_.robot, at, q[at], question_.preferred.q[at]);
    return q;
  }

 private:
  Quantity quantity(int j) const {
    return question_.robot.coordinates().is_angle[at_[j]] ? Quantity::angle : Quantity::length;
  }

  void errors(const Vector& q, Vector& r, Matrix& J) {
    const Robot& robot = question_.robot;
    kinematics<double>(robot, data_, q);
    r.resize(question_.outputs.count());
    output_errors<double>(robot, data_, q, Vector::Zero(robot.constraint_count()),
                          question_.outputs, question_.y, r);
    Matrix by_v(r.size(), robot.nv());
    output_jacobian(robot, data_, question_.outputs, question_.y, by_v);
    J = by_v(Eigen::all, question_.joints) * units_.asDiagonal();
    for (Eigen::Index i = 0; i < r.size(); ++i) {
      const double unit =
          question_.outputs.rows[i].quantity == Quantity::length ? robot_size(robot) : 1;
      r[i] /= unit;
      J.row(i) /= unit;
    }
  }

  Vector with_joints(const Vector& x) const {
    Vector q = question_.q;
    for (size_t j = 0; j < at_.size(); ++j) q[at_[j]] = x[j] * units_[j];
    return q;
  }
  Vector joints_of(const Vector& q) const { return Vector(q(at_)).cwiseQuotient(units_); }

  // Those that take part most in the motion that leaves the outputs, at some pose.
  std::vector<int> joints_to_hold() {
    Vector x(at_.size()), r;
    for (Eigen::Index j = 0; j < x.size(); ++j) x[j] = 0.4 + 0.7 * static_cast<double>(j % 3);
    Matrix J;
    errors(with_joints(x), r, J);
    const auto missing = J.cols() - J.rows();
    std::vector<int> order = pivot_columns(svd(J).V.rightCols(missing).transpose()).columns;
    order.resize(missing);
    return order;
  }

  // Where joint j is held in a sample.
  double place(int j, int sample, int dimension) const {
    constexpr int primes[] = {2, 3, 5, 7, 11, 13};
    const Coordinates& c = question_.robot.coordinates();
    const int at = at_[j];
    const double half = c.is_angle[at] ? std::numbers::pi : robot_size(question_.robot);
    const double least = std::max(c.lowest[at], question_.preferred.q[at] - half),
                 most = std::min(c.highest[at], question_.preferred.q[at] + half);
    if (sample == 0) return question_.preferred.q[at];
    return least + (most - least) * spread(sample, primes[dimension % 6]);
  }

  // Along the arm's own motion to where it is closest to the preferred posture, in steps that do
  // not leave the ranges of the joints.
  Vector pulled(const Vector& q) {
    const Vector best = joints_of(question_.preferred.q);
    const auto outputs_of = [&](const Vector& at, Vector& r, Matrix& J) {
      errors(with_joints(at), r, J);
    };
    Vector x = joints_of(into_range(q));
    double longest = longest_pull;
    for (int step = 0; step < most_pulls && longest > smallest_pull; ++step) {
      Vector r;
      Matrix J;
      errors(with_joints(x), r, J);
      const Matrix own = svd(J).V.rightCols(J.cols() - J.rows());
      Vector way = own * (own.transpose() * (best - x));
      if (way.norm() < smallest_pull) break;
      way *= std::min(1.0, longest / way.norm());
      const Vector next = least_squares(outputs_of, x + way).x;
      const Vector moved = with_joints(next);
      if ((next - best).norm() < (x - best).norm() &&
          outputs_reached(question_.robot, question_.outputs, moved, question_.y) &&
          range_excess(question_.robot, moved) <= range_excess(question_.robot, with_joints(x)))
        x = next;
      else
        longest /= 4;
    }
    return with_joints(x);
  }

  void add(const Vector& q, std::vector<Vector>& found) const {
    const Vector x = joints_of(q);
    for (const Vector& other : found)
      if ((joints_of(other) - x).cwiseAbs().maxCoeff() < merged) return;
    found.push_back(q);
  }

  const PostureQuestion& question_;
  MechanicsData data_;
  // Coordinates of the joints, and their units.
  std::vector<int> at_;
  Vector units_;
};

// Of a question that hangs together.
Postures postures_of_part(const PostureQuestion& question) {
  Postures result;
  PostureSearch search(question);
  if (question.joints.size() > most_joints || search.free_joints() > most_free_joints)
    return result;
  result.redundant = question.outputs.count() < static_cast<int>(question.joints.size());
  result.q = result.redundant ? search.redundant() : search.square();
  result.searched = true;
  for (Vector& q : result.q) q = search.into_range(q);
  return result;
}

// Every posture of one part with every posture of the other, whose joints are `joints`.
std::vector<Vector> combined(const std::vector<Vector>& some, const std::vector<Vector>& others,
                             const std::vector<int>& joints) {
  std::vector<Vector> all;
  for (const Vector& one : some)
    for (const Vector& other : others) {
      all.push_back(one);
      for (const int at : joints) all.back()[at] = other[at];
    }
  return all;
}

// Within the ranges first, then close to the preferred posture; what differs by rounding only is
// decided by the joints, one after the other.
void sort_by_rank(const PostureQuestion& question, std::vector<Vector>& postures) {
  const auto rounded = [](double x) { return std::round(1e7 * x); };
  const auto rank = [&](const Vector& q) {
    std::vector<double> key = {rounded(range_excess(question.robot, q)),
                               rounded(question.preferred.distance(q))};
    for (const double x : q) key.push_back(rounded(x));
    return key;
  };
  std::sort(postures.begin(), postures.end(),
            [&](const Vector& a, const Vector& b) { return rank(a) < rank(b); });
}

}  // namespace

Postures find_postures(const PostureQuestion& question) {
  if (question.robot.constraint_count() > 0 || question.joints.empty()) return {};
  Postures result{{question.q}, true, false};
  for (const PostureQuestion& part : independent_parts(question)) {
    Postures found = postures_of_part(part);
    if (!found.searched) return {};
    sort_by_rank(part, found.q);
    result.redundant = result.redundant || found.redundant;
    if (result.q.size() * found.q.size() > most_combined)
      found.q.resize(std::max<size_t>(1, most_combined / result.q.size()));
    std::vector<int> at;
    for (const int v : part.joints) at.push_back(question.robot.coordinates().of_velocity[v]);
    result.q = combined(result.q, found.q, at);
  }
  sort_by_rank(question, result.q);
  return result;
}

}  // namespace tauflex
