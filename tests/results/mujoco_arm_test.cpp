// The six-axis arm in MuJoCo, a simulator we share nothing with, under our torques.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cstring>
#include <functional>
#include <memory>

#include "example_jobs.hpp"
#include "mechanics/mujoco_numbers.hpp"
#include "tauflex/math/rotation_vector.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {
namespace {

// Every body of a robot with one-axis joints as a MuJoCo body, rotors beside it, springs as
// tendons.
std::string mujoco_model(const Robot& robot) {
  const auto& bodies = robot.tree().bodies;
  const auto spring = [&](int dof) {
    for (const SpringEntry& e : robot.springs().joint)
      if (e.row == dof && e.column == dof) return e;
    return SpringEntry{dof, dof, 0, 0};
  };
  const std::function<std::string(int)> children = [&](int parent) {
    std::string text;
    for (size_t i = 0; i < bodies.size(); ++i) {
      const Body& body = bodies[i];
      if (body.parent != parent) continue;
      const Matrix3 I = body.inertia;
      // bodies between two directions have next to no mass
      const double mass = std::max(body.mass, 1e-8);
      const Vector3 d = I.diagonal().cwiseMax(1e-8);
      EXPECT_LT((I - Matrix3(I.diagonal().asDiagonal())).norm(), 1e-12);
      text += fmt::format(
          R"(<body pos="{}" quat="{}"><inertial pos="{}" mass="{:.17g}" diaginertia="{}"/>)",
          numbers(body.p_PB), quaternion(body.R_PB), numbers(body.com), mass, numbers(d));
      if (body.v_count == 1) {
        const SpringEntry s = spring(body.v_begin);
        text += fmt::format(
            R"(<joint name="j{}" type="{}" axis="0 0 1" stiffness="{:.17g}" damping="{:.17g}"/>)",
            body.v_begin, body.type == JointType::revolute ? "hinge" : "slide", s.stiffness,
            s.damping);
      }
      for (const Frame& frame : robot.frames())
        if (frame.body == static_cast<int>(i) && frame.name == "tool")
          text += fmt::format(R"(<site name="tool" pos="{}" quat="{}"/>)", numbers(frame.X_BF.p),
                              quaternion(frame.X_BF.R));
      text += children(static_cast<int>(i)) + "</body>";
    }
    return text;
  };
  std::string rotors, tendons;
  for (int k = 0; k < robot.rotors(); ++k) {
    const DriveLayout& drive = robot.actuation().elastic_drive(k);
    rotors += fmt::format(
        R"(<body><inertial pos="0 0 0" mass="1" diaginertia="{0:.17g} {0:.17g} {0:.17g}"/><joint name="j{1}" axis="0 0 1"/></body>)",
        drive.rotor_inertia, drive.rotor_v);
    tendons += fmt::format(
        R"(<fixed stiffness="{:.17g}" damping="{:.17g}"><joint joint="j{}" coef="{:.17g}"/><joint joint="j{}" coef="-1"/></fixed>)",
        robot.actuation().springs[static_cast<size_t>(k)].stiffness,
        robot.actuation().springs[static_cast<size_t>(k)].damping, drive.rotor_v,
        1 / drive.gear_ratio, drive.joint_v);
  }
  return fmt::format(
      R"(<mujoco><compiler angle="radian" balanceinertia="false" boundmass="0" boundinertia="0" inertiafromgeom="false" fusestatic="false"/>)"
      R"(<option gravity="{}" timestep="1e-4" integrator="RK4"><flag contact="disable" constraint="disable"/></option>)"
      R"(<worldbody>{}{}</worldbody><tendon>{}</tendon></mujoco>)",
      numbers(robot.gravity()), children(-1), rotors, tendons);
}

TEST(MuJoCo, SixAxisWithOurTorquesReturnsThePath) {
  const Record record = run(example_job("six_axis_elastic"), Until::solved);
  const Solution& s = record.solution;
  const Robot& robot = record.robot;
  const std::string xml = mujoco_model(robot);
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "arm.xml", static_cast<int>(xml.size()));
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  char error[500] = "";
  const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model(
      mj_loadXML("arm.xml", files.get(), error, sizeof error), mj_deleteModel);
  mj_deleteVFS(files.get());
  ASSERT_NE(model, nullptr) << error;
  ASSERT_EQ(model->nv, robot.nv());
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> data(mj_makeData(model.get()),
                                                               mj_deleteData);
  std::vector<int> dof;
  for (int k = 0; k < robot.nv(); ++k) {
    const int id = mj_name2id(model.get(), mjOBJ_JOINT, fmt::format("j{}", k).c_str());
    ASSERT_GE(id, 0);
    dof.push_back(model->jnt_dofadr[id]);
    data->qpos[dof.back()] = s.q(k, 0);
  }
  const TorqueSignal torque(s.t, s.u, Hold::smooth);
  Vector u(6), y(6);
  double worst = 0, worst_turn = 0;
  const Matrix3 R0 = rotation_from_vector<double>({0, 0.6, 0});
  for (int i = 0; i <= 10000; ++i) {
    const double t = i * model->opt.timestep;
    mj_forward(model.get(), data.get());
    path_values<double>(*record.job.task.path, t, y);
    worst = std::max(worst, (Vector3(data->site_xpos) - Vector3(y.head<3>())).norm());
    const Matrix3 R = Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data->site_xmat);
    const Matrix3 wanted = R0 * rotation_from_vector<double>(Vector3(y.tail<3>()));
    worst_turn = std::max(worst_turn, rotation_vector(wanted.transpose() * R).norm());
    const double middle = t + 0.5 * model->opt.timestep;
    torque.value(middle, torque.interval(middle), u);
    for (int k = 0; k < 6; ++k)
      data->qfrc_applied[dof[static_cast<size_t>(robot.actuation().elastic_drive(k).rotor_v)]] =
          u[k];
    mj_step(model.get(), data.get());
  }
  EXPECT_LT(worst, 1e-4);       // m; asked for
  EXPECT_LT(worst_turn, 1e-4);  // rad
  EXPECT_GT(worst, 0);
  RecordProperty("tool_error_m", fmt::format("{:.3g}", worst));
}

}  // namespace
}  // namespace tauflex
