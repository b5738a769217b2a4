#include "mechanics/mujoco_urdf.hpp"

#include <cstring>
#include <stdexcept>

namespace tauflex {

namespace {

mjModel* load_urdf(std::string xml) {
  xml.insert(xml.find('>', xml.find("<robot")) + 1,
             "<mujoco><compiler fusestatic=\"false\" balanceinertia=\"false\" strippath=\"false\" "
             "inertiafromgeom=\"false\" discardvisual=\"true\"/></mujoco>");
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "robot.urdf", static_cast<int>(xml.size()));
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  char message[1000] = "";
  mjModel* model = mj_loadXML("robot.urdf", files.get(), message, sizeof message);
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(message);
  return model;
}

}  // namespace

MujocoUrdf::MujocoUrdf(std::string text)
    : model_(load_urdf(std::move(text)), mj_deleteModel),
      data_(mj_makeData(model_.get()), mj_deleteData) {}

int MujocoUrdf::velocity(const std::string& joint) const {
  const int id = mj_name2id(model_.get(), mjOBJ_JOINT, joint.c_str());
  if (id < 0) throw std::runtime_error("no joint " + joint);
  return model_->jnt_dofadr[id];
}

Matrix MujocoUrdf::axes() const {
  Matrix all(3, model_->njnt);
  for (int j = 0; j < model_->njnt; ++j)
    for (int k = 0; k < 3; ++k) all(k, j) = model_->jnt_axis[3 * j + k];
  return all;
}

Vector MujocoUrdf::reference() const { return Eigen::Map<const Vector>(model_->qpos0, model_->nq); }

Vector MujocoUrdf::torques(const Vector& q, const Vector& v, const Vector& vdot) {
  for (int i = 0; i < model_->nq; ++i) data_->qpos[i] = q[i];
  for (int i = 0; i < model_->nv; ++i) {
    data_->qvel[i] = v[i];
    data_->qacc[i] = vdot[i];
  }
  mj_kinematics(model_.get(), data_.get());
  mj_comPos(model_.get(), data_.get());
  mj_comVel(model_.get(), data_.get());
  Vector tau(model_->nv);
  mj_rne(model_.get(), data_.get(), 1, tau.data());
  return tau;
}

}  // namespace tauflex
