#include "mechanics/mujoco_robot.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cstring>
#include <stdexcept>

#include "mechanics/mujoco_numbers.hpp"

namespace tauflex {

namespace {

// Principal axes are ours: MuJoCo's own diagonalisation of a full tensor stops at 1e-12.
std::string inertial(const LinkInertia& inertia) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> principal(inertia.about_com);
  Matrix3 R = principal.eigenvectors();
  if (R.determinant() < 0) R.col(0) *= -1;
  return fmt::format(R"(<inertial mass="{:.17g}" pos="{}" quat="{}" diaginertia="{}"/>)",
                     inertia.mass, numbers(inertia.com), quaternion(R),
                     numbers(principal.eigenvalues()));
}

std::string joint(const Link& link) {
  if (link.joint.type == JointType::fixed) return "";
  double armature = 0, damping = 0;
  if (link.drive && !link.drive->elastic) {
    const double n = link.drive->gear_ratio;
    armature = n * n * link.drive->rotor_inertia;
    damping = n * n * link.drive->friction;
  }
  const Spring spring = link.spring.value_or(Spring{});
  return fmt::format(R"(<joint name="{}" type="{}" axis="{}" armature="{:.17g}" damping="{:.17g}" )"
                     R"(stiffness="{:.17g}" springref="{:.17g}"/>)",
                     link.name, link.joint.type == JointType::revolute ? "hinge" : "slide",
                     numbers(link.joint.axis.normalized()), armature, damping + spring.damping,
                     spring.stiffness, spring.rest + link.joint.zero);
}

std::string children(const std::vector<Link>& links, const std::string& parent) {
  std::string text;
  for (const Link& link : links) {
    if (link.joint.parent != parent) continue;
    text += fmt::format(R"(<body name="{}" pos="{}" quat="{}">{}{}{}</body>)", link.name,
                        numbers(link.joint.X_PJ.p), quaternion(link.joint.X_PJ.R),
                        inertial(link.inertia), joint(link), children(links, link.name));
  }
  return text;
}

mjModel* load(const std::string& xml) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "robot.xml", static_cast<int>(xml.size()));
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  char message[1000] = "";
  mjModel* model = mj_loadXML("robot.xml", files.get(), message, sizeof message);
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(std::string("MuJoCo: ") + message);
  return model;
}

}  // namespace

MujocoRobot::MujocoRobot(const Robot& robot)
    : model_(load(fmt::format(
          R"(<mujoco><compiler angle="radian" inertiafromgeom="false"/><option gravity="{}"/>)"
          R"(<worldbody>{}</worldbody></mujoco>)",
          numbers(robot.gravity()), children(robot.description().links, "world")))),
      data_(mj_makeData(model_.get())),
      zero_(robot.tree_nv()) {
  for (int k = 0; k < robot.tree_nv(); ++k) {
    const int body = robot.tree().find_link(robot.coordinates().names[static_cast<size_t>(k)]);
    const int id = mj_name2id(model(), mjOBJ_JOINT,
                              robot.tree().link_names[static_cast<size_t>(body)].c_str());
    dof_.push_back(model_->jnt_dofadr[id]);
    zero_[k] = robot.tree().bodies[static_cast<size_t>(body)].zero;
  }
}

void MujocoRobot::set(const Vector& q, const Vector& v, const Vector& vdot) {
  for (size_t k = 0; k < dof_.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    data_->qpos[dof_[k]] = q[i] + zero_[i];
    data_->qvel[dof_[k]] = v[i];
    data_->qacc[dof_[k]] = vdot[i];
  }
}

Vector MujocoRobot::inverse_dynamics() {
  mj_kinematics(model(), data());
  mj_comPos(model(), data());
  mj_comVel(model(), data());
  Vector result(model_->nv), tau(model_->nv);
  mj_rne(model(), data(), 1, result.data());
  for (size_t k = 0; k < dof_.size(); ++k) tau[static_cast<Eigen::Index>(k)] = result[dof_[k]];
  return tau;
}

Vector MujocoRobot::joint_torques() {
  mj_inverse(model(), data());
  Vector tau(model_->nv);
  for (size_t k = 0; k < dof_.size(); ++k)
    tau[static_cast<Eigen::Index>(k)] = data_->qfrc_inverse[dof_[k]];
  return tau;
}

Matrix MujocoRobot::mass_matrix() {
  mj_kinematics(model(), data());
  mj_comPos(model(), data());
  mj_crb(model(), data());
  Matrix full(model_->nv, model_->nv), M(model_->nv, model_->nv);
  mj_fullM(model(), full.data(), data_->qM);
  for (size_t i = 0; i < dof_.size(); ++i)
    for (size_t j = 0; j < dof_.size(); ++j)
      M(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = full(dof_[i], dof_[j]);
  return M;
}

Vector MujocoRobot::accelerations(const Vector& tau) {
  for (size_t k = 0; k < dof_.size(); ++k)
    data_->qfrc_applied[dof_[k]] = tau[static_cast<Eigen::Index>(k)];
  mj_forward(model(), data());
  Vector vdot(model_->nv);
  for (size_t k = 0; k < dof_.size(); ++k)
    vdot[static_cast<Eigen::Index>(k)] = data_->qacc[dof_[k]];
  return vdot;
}

}  // namespace tauflex
