#include "tauflex/problem/posture_names.hpp"

#include <cmath>
#include <optional>
#include <set>

#include "tauflex/base/text.hpp"
#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

namespace {

constexpr double parallel_axes = 1e-6;  // sine of the angle between two axes
constexpr double undecided = 1e-6;      // of products of unit vectors, and of lengths in m

// A line in space: the axis of a turning joint.
struct AxisLine {
  Vector3 direction, point;
};

bool are_parallel(const AxisLine& a, const AxisLine& b) {
  return a.direction.cross(b.direction).norm() < parallel_axes;
}

// The point of a that is closest to b; any point where they are parallel.
Vector3 closest_point(const AxisLine& a, const AxisLine& b) {
  const Vector3 n = a.direction.cross(b.direction);
  if (n.norm() < parallel_axes) return a.point;
  const Vector3 across = b.direction.cross(n);
  return a.point + a.direction * ((b.point - a.point).dot(across) / a.direction.dot(across));
}

class NamedArm {
 public:
  NamedArm(const Robot& robot, const Frame& tool, const std::vector<int>& joints)
      : robot_(robot), tool_(tool), data_(robot) {
    kinematics<double>(robot_, data_, robot_.coordinates().neutral);
    for (const int v : joints)
      if (moves(robot, v, tool.body) && data_.axis[v].w.norm() > 0.5) turning_.push_back(v);
    const std::vector<AxisLine> axes = lines();
    for (size_t k = 1; k < axes.size() && !elbow_; ++k)
      if (are_parallel(axes[k - 1], axes[k])) elbow_ = k;
    for (size_t k = elbow_.value_or(axes.size()) + 1; k < axes.size() && !wrist_; ++k)
      if (are_parallel(axes[*elbow_], axes[k])) wrist_ = k;
    front_ = shoulder_side(axes) < 0 ? -1 : 1;
  }

  std::string name(const Vector& q) {
    kinematics<double>(robot_, data_, q);
    const std::vector<AxisLine> axes = lines();
    std::vector<std::string> words;
    const auto add = [&](double sign, const char* positive, const char* negative) {
      if (std::abs(sign) > undecided) words.emplace_back(sign > 0 ? positive : negative);
    };
    add(front_ * shoulder_side(axes), "shoulder front", "shoulder back");
    if (elbow_) {
      const Vector3 offset = elbow_offset(axes);
      const Vector3 up = -robot_.gravity().stableNormalized();
      if (std::abs(up.dot(axes[*elbow_].direction)) > 0.5 || up.norm() == 0)
        add(offset.dot(axes[*elbow_].direction.cross(wrist_point(axes) - axes[*elbow_ - 1].point)),
            "elbow left", "elbow right");
      else
        add(offset.dot(up), "elbow up", "elbow down");
    }
    if (const size_t n = axes.size(); n >= 6)
      add(axes[n - 3].direction.cross(axes[n - 1].direction).dot(axes[n - 2].direction),
          "wrist not flipped", "wrist flipped");
    return join(words);
  }

 private:
  std::vector<AxisLine> lines() const {
    std::vector<AxisLine> axes;
    for (const int v : turning_) {
      const Motion<double>& X = data_.axis[v];
      axes.push_back({X.w, X.w.cross(X.v)});
    }
    return axes;
  }

  Vector3 wrist_point(const std::vector<AxisLine>& axes) const {
    if (!wrist_) return frame_position(data_, tool_);
    return closest_point(axes[*wrist_], axes[*wrist_ - 1]);
  }

  // Of the wrist, from the first axis; 0 where the elbow's pair of axes is the first.
  double shoulder_side(const std::vector<AxisLine>& axes) const {
    if (!elbow_ || *elbow_ < 2) return 0;
    const Vector3 side = axes[0].direction.cross(axes[*elbow_ - 1].direction);
    return (wrist_point(axes) - axes[0].point).dot(side);
  }

  // From the line between shoulder and wrist to the elbow, across the axes.
  Vector3 elbow_offset(const std::vector<AxisLine>& axes) const {
    const Vector3 z = axes[*elbow_].direction;
    const auto across = [&](const Vector3& a) { return Vector3(a - z * z.dot(a)); };
    const Vector3 shoulder = axes[*elbow_ - 1].point;
    const Vector3 line = across(wrist_point(axes) - shoulder).stableNormalized();
    const Vector3 elbow = across(axes[*elbow_].point - shoulder);
    return elbow - line * line.dot(elbow);
  }

  const Robot& robot_;
  const Frame& tool_;
  MechanicsData data_;
  // Joints that turn the tool, from the base on.
  std::vector<int> turning_;
  // Among them: the second of two parallel axes, and the next that is parallel to it at zero.
  std::optional<size_t> elbow_, wrist_;
  double front_ = 1;
};

}  // namespace

std::vector<std::string> posture_names(const Robot& robot, const Frame& tool,
                                       const std::vector<int>& joints,
                                       const std::vector<Vector>& postures) {
  std::vector<std::string> names;
  NamedArm arm(robot, tool, joints);
  for (const Vector& q : postures) names.push_back(arm.name(q));
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size())
    names.assign(names.size(), "");
  return names;
}

}  // namespace tauflex
