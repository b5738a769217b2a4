// E12 in MuJoCo, a simulator we share nothing with, under our torques.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdio>
#include <memory>

#include "example_jobs.hpp"
#include "tauflex/results/run.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

// The rotors turn beside the arm (only their spin has kinetic energy); tendons are the drive
// springs.
constexpr const char* e12 = R"(
<mujoco>
  <compiler angle="radian" balanceinertia="false" boundmass="0" boundinertia="0" inertiafromgeom="false"/>
  <option gravity="0 0 -9.81" timestep="5e-5" integrator="RK4"><flag contact="disable" constraint="disable"/></option>
  <worldbody>
    <body><joint name="upper" axis="0 1 0"/><inertial pos="0.5 0 0" mass="100" diaginertia="5 5 5"/>
      <body pos="1 0 0"><joint name="fore" axis="0 1 0"/><inertial pos="0.5 0 0" mass="100" diaginertia="5 5 5"/>
        <body pos="1 0 0"><joint name="hand" axis="0 1 0" stiffness="1e5" damping="50"/>
          <inertial pos="0.1 0 0" mass="200" diaginertia="50 50 50"/><site name="tool" pos="0.2 0 0"/></body>
      </body>
    </body>
    <body><joint name="upper_rotor" axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia="100 100 100"/></body>
    <body><joint name="fore_rotor" axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia="100 100 100"/></body>
  </worldbody>
  <tendon>
    <fixed name="upper_spring" stiffness="1e5" damping="50"><joint joint="upper_rotor" coef="1"/><joint joint="upper" coef="-1"/></fixed>
    <fixed name="fore_spring" stiffness="1e5" damping="50"><joint joint="fore_rotor" coef="1"/><joint joint="fore" coef="-1"/></fixed>
  </tendon>
</mujoco>)";

TEST(MuJoCo, e12_with_our_torques_returns_the_path) {
  const Record record =
      run(example_job("e12_bdf", {"method={bdf: {order: 3, step: 0.0005}}"}), Until::solved);
  const Solution& s = record.solution;
  const TemporaryFolder folder;
  const auto file = folder.write("e12.xml", e12);
  char error[500] = "";
  const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model(
      mj_loadXML(file.c_str(), nullptr, error, sizeof error), mj_deleteModel);
  ASSERT_NE(model, nullptr) << error;
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> data(mj_makeData(model.get()),
                                                               mj_deleteData);
  ASSERT_EQ(model->nq, 5);  // upper, fore, hand, rotors: our order
  for (int i = 0; i < 5; ++i) data->qpos[i] = s.q(i, 0);
  const TorqueSignal torque(s.t, s.u, Hold::linear);
  Vector u(2), y(2);
  double worst = 0;
  const int steps = static_cast<int>(std::lround(0.3 / model->opt.timestep));
  for (int i = 0; i <= steps; ++i) {
    const double t = i * model->opt.timestep;
    mj_forward(model.get(), data.get());
    path_values<double>(*record.job.task.path, t, y);
    worst = std::max(worst, std::hypot(data->site_xpos[0] - y[0], data->site_xpos[2] - y[1]));
    // RK4 keeps the applied torque over its step: the middle of the step makes that second order
    const double middle = t + 0.5 * model->opt.timestep;
    torque.value(middle, torque.interval(middle), u);
    data->qfrc_applied[3] = u[0];
    data->qfrc_applied[4] = u[1];
    mj_step(model.get(), data.get());
  }
  EXPECT_LT(worst, 1e-4);  // m; asked for
  EXPECT_GT(worst, 0);
}

}  // namespace
}  // namespace tauflex
