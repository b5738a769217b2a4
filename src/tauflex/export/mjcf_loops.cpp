#include "tauflex/export/mjcf_loops.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/text.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

std::string mjcf_numbers(const Vector& x) {
  std::string text;
  for (const double number : x) text += (text.empty() ? "" : " ") + shortest(number);
  return text;
}

std::string mjcf_quaternion(const Matrix3& R) {
  const Eigen::Quaterniond r(R);
  return mjcf_numbers(Eigen::Vector4d(r.w(), r.x(), r.y(), r.z()));
}

std::string mjcf_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

void cannot_be_mjcf(const std::string& what, const std::string& why) {
  throw InputError(fmt::format("export to mjcf: {}: {}", what, why));
}

std::string mjcf_terms(const Robot& robot, const std::string& coordinate, double coefficient) {
  const int q = robot.coordinates().find(coordinate);
  const std::string name = mjcf_text(robot.coordinates().names[q]), c = shortest(coefficient);
  for (const DriveLayout& drive : robot.actuation().drives) {
    if (drive.rotor_q == q)
      return fmt::format(R"(<joint joint="{}.motor" coef="{}"/>)",
                         mjcf_text(robot.coordinates().names[drive.joint_q]),
                         shortest(coefficient * drive.gear_ratio));
    if (drive.rotor_q >= 0 && drive.joint_q == q)
      return fmt::format(
          R"(<joint joint="{0}.motor" coef="{1}"/><joint joint="{0}.gear" coef="{1}"/>)", name, c);
  }
  return fmt::format(R"(<joint joint="{}" coef="{}"/>)", name, c);
}

MjcfPlace mjcf_place(const Robot& robot, const std::string& name) {
  if (name == "world") return {-1, {}};
  const Frame& frame = robot.frames()[robot.find_frame(name)];
  if (frame.body < 0) return {-1, frame.X_BF};
  const Body& body = robot.tree().bodies[frame.body];
  return {body.link, Pose{body.R_LB, body.p_LB} * frame.X_BF};
}

Pose mjcf_pose(const Robot& robot, const MechanicsData& start, int link) {
  if (link < 0) return {};
  const int body = robot.tree().body_of_link[link];
  const Body& layout = robot.tree().bodies[body];
  return Pose{start.R[body], start.p[body]} * Pose{layout.R_LB, layout.p_LB}.inverse();
}

namespace {

class LoopWriter {
 public:
  LoopWriter(const ExportedMotion& motion, const MechanicsData& start, double step)
      : motion_(motion), robot_(motion.robot), start_(start) {
    // As hard as the step allows: time constant of one step, impedance next to 1. MuJoCo's
    // accelerations of constraints leave Jdot v out, which opens a loop by Jdot v times the square
    // of this time.
    softness_ = fmt::format(R"(solref="{} 1" solimp="0.9999 0.9999 0.001 0.5 2")", shortest(step));
  }

  MjcfLoops write() {
    for (const Constraint& constraint : robot_.description().constraints) {
      if (constraint.path) refuse(constraint, "it moves along a path, which MJCF cannot say");
      std::visit([&](const auto& rule) { add(constraint, rule); }, constraint.rule);
    }
    for (const FrameSpring& spring : robot_.description().frame_springs)
      add_spatial_tendon(spring.name, spring.a, spring.b,
                         fmt::format(R"(stiffness="{}" damping="{}" springlength="{}")",
                                     shortest(spring.stiffness), shortest(spring.damping),
                                     shortest(spring.length)));
    for (const JointSpring& spring : robot_.description().joint_springs) add(spring);
    return std::move(loops_);
  }

 private:
  [[noreturn]] static void refuse(const Constraint& constraint, const std::string& why) {
    cannot_be_mjcf(fmt::format("constraint '{}'", constraint.name), why);
  }
  template <class Rule>
  [[noreturn]] void add(const Constraint& constraint, const Rule&) {
    refuse(constraint, "MuJoCo has no such equality constraint");
  }

  Pose world_pose(int link) const { return mjcf_pose(robot_, start_, link); }
  MjcfPlace end_of(const std::string& name) const { return mjcf_place(robot_, name); }
  std::string link_name(int link) const { return mjcf_text(robot_.tree().link_names[link]); }

  // body1 is never the world.
  std::string bodies(const MjcfPlace& first, const MjcfPlace& second) const {
    return fmt::format(R"(body1="{}")", link_name(first.link)) +
           (second.link < 0 ? "" : fmt::format(R"( body2="{}")", link_name(second.link)));
  }
  void connect(const Constraint& constraint, MjcfPlace a, MjcfPlace b, const Vector3& p_W) {
    if (a.link < 0) std::swap(a, b);
    if (a.link < 0) refuse(constraint, "both frames are in the world");
    const Vector3 anchor = (world_pose(a.link).inverse() * Pose{Matrix3::Identity(), p_W}).p;
    loops_.equalities += fmt::format(R"(<connect {} anchor="{}" {}/>)", bodies(a, b),
                                     mjcf_numbers(anchor), softness_) +
                         "\n";
  }

  // Frame b seen from frame a along the motion: largest changes of its position along the axes of a
  // (m) and of its rotation.
  struct Drift {
    Vector3 along = Vector3::Zero();
    double turned = 0;
  };
  Drift drift(const Closure& closure) const {
    const Matrix q = motion_.rows(motion_.table, "q.", robot_.coordinates().names);
    MechanicsData data(robot_);
    const auto pose = [&](const std::string& name) {
      if (name == "world") return Pose{};
      const Frame& frame = robot_.frames()[robot_.find_frame(name)];
      return Pose{frame_rotation<double>(data, frame), frame_position<double>(data, frame)};
    };
    Drift found;
    Pose first;
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      kinematics<double>(robot_, data, q.col(i));
      const Pose X_AB = pose(closure.a).inverse() * pose(closure.b);
      if (i == 0) first = X_AB;
      found.along = found.along.cwiseMax((X_AB.p - first.p).cwiseAbs());
      found.turned = std::max(found.turned, (X_AB.R - first.R).norm());
    }
    return found;
  }

  // MuJoCo connects points and welds bodies. A direction that is not locked may be held too where
  // nothing moves along it, as in a plane.
  void add(const Constraint& constraint, const Closure& closure) {
    constexpr double still = 1e-7;  // m, rad: far above what solutions leave open in their loops
    const Drift moved = drift(closure);
    for (int k = 0; k < 3; ++k)
      if (!closure.locked[k] && moved.along[k] > still)
        refuse(constraint, "it leaves a translation free, and MuJoCo connects points in all three");
    const MjcfPlace a = end_of(closure.a), b = end_of(closure.b);
    const Pose X_WB = world_pose(b.link) * b.X_LF;
    const auto turns = std::count(closure.locked.begin() + 3, closure.locked.end(), true);
    if (turns > 0 && moved.turned < still) {
      MjcfPlace first = a, second = b;
      if (first.link < 0) std::swap(first, second);
      if (first.link < 0) refuse(constraint, "both frames are in the world");
      loops_.equalities += fmt::format("<weld {} {}/>\n", bodies(first, second), softness_);
      return;
    }
    if (turns != 0 && turns != 2)
      refuse(constraint, "MuJoCo locks all rotations, none, or all but one");
    connect(constraint, a, b, X_WB.p);
    if (turns == 0) return;
    constexpr double lever = 0.5;  // m, to a second point on the axis that stays free
    for (int k = 0; k < 3; ++k)
      if (!closure.locked[3 + k])
        connect(constraint, a, b, X_WB.p + lever * (world_pose(a.link) * a.X_LF).R.col(k));
  }

  void add_site(const std::string& name, const MjcfPlace& end) {
    loops_.sites[end.link] +=
        fmt::format("<site name=\"{}\" pos=\"{}\"/>\n", mjcf_text(name), mjcf_numbers(end.X_LF.p));
  }
  void add_spatial_tendon(const std::string& name, const std::string& a, const std::string& b,
                          const std::string& attributes) {
    add_site(name + ".a", end_of(a));
    add_site(name + ".b", end_of(b));
    loops_.tendons += fmt::format(
        "<spatial name=\"{0}\" {1}><site site=\"{0}.a\"/><site site=\"{0}.b\"/></spatial>\n",
        mjcf_text(name), attributes);
  }
  // A tendon keeps the length that it has at the start.
  void hold_tendon(const std::string& name) {
    loops_.equalities += fmt::format("<tendon tendon1=\"{}\" polycoef=\"0 0 0 0 0\" {}/>\n",
                                     mjcf_text(name), softness_);
  }
  void add_fixed_tendon(const std::string& name, const JointSum& joints, double sign,
                        const std::string& attributes) {
    std::string terms;
    for (const auto& [joint, c] : joints) terms += mjcf_terms(robot_, joint, sign * c);
    loops_.tendons +=
        fmt::format("<fixed name=\"{}\" {}>{}</fixed>\n", mjcf_text(name), attributes, terms);
  }

  void add(const Constraint& constraint, const Distance& distance) {
    if (!distance.joints.empty()) refuse(constraint, "joints take up a part of its length");
    add_spatial_tendon(constraint.name, distance.a, distance.b, "");
    hold_tendon(constraint.name);
  }
  void add(const Constraint& constraint, const Relation& relation) {
    add_fixed_tendon(constraint.name, relation.joints, 1, "");
    hold_tendon(constraint.name);
  }
  void add(const JointSpring& spring) {
    if (spring.joints.empty())
      cannot_be_mjcf(fmt::format("spring '{}'", spring.name),
                     "give its joints instead of the links that it is between");
    // Lengths of tendons are not negative; with all signs turned it is the same spring.
    const double sign = spring.rest < 0 ? -1 : 1;
    add_fixed_tendon(
        spring.name, spring.joints, sign,
        fmt::format(R"(stiffness="{}" damping="{}" springlength="{}")", shortest(spring.stiffness),
                    shortest(spring.damping), shortest(sign * spring.rest)));
  }

  const ExportedMotion& motion_;
  const Robot& robot_;
  const MechanicsData& start_;
  std::string softness_;
  MjcfLoops loops_;
};

}  // namespace

MjcfLoops mjcf_loops(const ExportedMotion& motion, const MechanicsData& start, double step) {
  return LoopWriter(motion, start, step).write();
}

}  // namespace tauflex
