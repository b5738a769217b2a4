// Jobs whose robot is a URDF file: the same answer as from a robot file, and --set reaches the
// overlay wherever it stands.
#include <gtest/gtest.h>

#include "tauflex/jobs/job.hpp"
#include "tauflex/results/limits.hpp"
#include "tauflex/results/record_json.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/trajectory_tables.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

constexpr const char* arm = R"(<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0.25 0 0"/><mass value="4"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/><dynamics damping="0.5"/></joint>
</robot>)";

constexpr const char* task = R"(
task: {outputs: [upper], path: {line: {from: [0], to: [1]}, duration: 0.5, profile: polynomial9}}
)";

constexpr const char* overlay =
    "{links: {shoulder: {drive: {rotor_inertia: 0.02, gear_ratio: 10, stiffness: 2000, "
    "damping: 5}}}}";

struct Files : TemporaryFolder {
  Files() {
    write("arm.urdf", arm);
    write("arm.elastic.yaml", overlay);
  }
  Job job(const std::string& robot, const std::vector<std::string>& overrides = {},
          const std::string& more = "") const {
    return read_job(write("job.yaml", "tauflex: 1\nrobot: " + robot + task + more), overrides);
  }
};

double stiffness(const RobotDescription& robot) {
  return robot.links.at(0).drive->elastic->stiffness;
}

TEST(UrdfJob, GivesTheTorquesOfTheSameRobotFile) {
  const Files files;
  const Record from_urdf =
      run(files.job("{urdf: arm.urdf, elastic: arm.elastic.yaml}"), Until::solved);
  const Record from_yaml =
      run(files.job("{links: [{name: upper, joint: {parent: world, type: revolute, axis: y}, "
                    "drive: {rotor_inertia: 0.02, gear_ratio: 10, stiffness: 2000, damping: 5}, "
                    "spring: {damping: 0.5}, mass: 4, com: [0.25, 0, 0], "
                    "inertia: {xx: 0.01, yy: 0.1, zz: 0.1, xy: 0, xz: 0, yz: 0}}]}"),
          Until::solved);
  EXPECT_EQ(from_urdf.solution.status, Status::solved);
  EXPECT_EQ(from_urdf.solution.u, from_yaml.solution.u);
}

TEST(UrdfJob, SetReachesTheOverlay) {
  const Files files;
  const std::string override = "robot.elastic.links.shoulder.drive.stiffness=3000";
  for (const std::string& elastic : {std::string(overlay), std::string("arm.elastic.yaml")}) {
    const std::string robot = "{urdf: arm.urdf, elastic: " + elastic + "}";
    EXPECT_EQ(stiffness(files.job(robot).robot), 2000) << elastic;
    EXPECT_EQ(stiffness(files.job(robot, {override}).robot), 3000) << elastic;
  }
  files.write("arm.yaml", "{urdf: arm.urdf, elastic: arm.elastic.yaml}");  // a robot file
  EXPECT_EQ(stiffness(files.job("arm.yaml", {override}).robot), 3000);
  // another overlay, or one where none was
  files.write("stiff.yaml", "links: {upper: {drive: {rotor_inertia: 1, stiffness: 1e6}}}");
  EXPECT_EQ(stiffness(files.job("arm.yaml", {"robot.elastic=stiff.yaml"}).robot), 1e6);
  EXPECT_EQ(files.job("{urdf: arm.urdf}", {"robot.elastic.links.upper.mass=7"})
                .robot.links[0]
                .inertia.mass,
            7);
}

TEST(UrdfJob, PlantMayDifferByItsOverlay) {
  const Files files;
  for (const char* robot : {"{urdf: arm.urdf, elastic: arm.elastic.yaml}", "arm.yaml"}) {
    files.write("arm.yaml", "{urdf: arm.urdf, elastic: arm.elastic.yaml}");
    const Job job = files.job(
        robot, {}, "verification: {plant: {elastic.links.shoulder.drive.stiffness: 1500}}\n");
    EXPECT_EQ(stiffness(job.robot), 2000);
    EXPECT_EQ(stiffness(job.plant), 1500);
  }
}

// Velocity 1 rad/s at the joint is 10 rad/s at the motor, which the move exceeds.
TEST(UrdfJob, LimitsOfTheFileAreWatched) {
  const Files files;
  std::string limited = arm;
  const std::string axis = "<axis xyz=\"0 1 0\"/>";
  limited.replace(limited.find(axis), axis.size(), axis + "<limit effort='1e4' velocity='1'/>");
  files.write("arm.urdf", limited);
  const Record record =
      run(files.job("{urdf: arm.urdf, elastic: arm.elastic.yaml}"), Until::solved);
  ASSERT_EQ(record.warnings.size(), 1u);
  EXPECT_NE(record.warnings[0].find("the motor speed of 'shoulder' reaches"), std::string::npos);
  EXPECT_NE(record.warnings[0].find("above its limit of 10"), std::string::npos);
  const auto margins = limit_margins(record.robot, record.solution);
  ASSERT_EQ(margins.size(), 2u);  // effort and velocity
  const LimitMargin* closest = closest_limit(margins);
  EXPECT_EQ(closest->kind, LimitKind::speed);
  EXPECT_EQ(closest->margin, 1 - std::abs(closest->value) / 10);
}

TEST(UrdfJob, SimulationStartsByJointNames) {
  const Files files;
  const Job job = files.job("{urdf: arm.urdf, elastic: arm.elastic.yaml}", {},
                            "simulation: {duration: 0.01, start: {q: {shoulder: 0.4}, v: "
                            "{shoulder: -2}}}\n");
  const PosedPlant plant = pose_plant(job);
  EXPECT_EQ(plant.q, (Vector{{0.4, 4}}));  // the rotor follows, gear ratio 10
  EXPECT_EQ(plant.v, (Vector{{-2, -20}}));
  const Job wrong =
      files.job("{urdf: arm.urdf}", {}, "simulation: {duration: 1, start: {q: {sholder: 0.4}}}\n");
  EXPECT_THROW(pose_plant(wrong), InputError);
}

// Joints have the names of the file, the torque of a screw is in N m, and what was left out is
// said.
TEST(UrdfJob, SpeaksTheNamesOfJointsAndTheUnitsOfMotors) {
  const Files files;
  std::string file = arm;
  const std::string name = "name=\"shoulder\" type=\"continuous\"";
  file.replace(file.find(name), name.size(),
               "name=\"lift joint\" type=\"prismatic\" colour=\"red\"");
  files.write("arm.urdf", file);
  const Record record =
      run(files.job("{urdf: arm.urdf, elastic: {links: {lift_joint: {drive: {rotor_inertia: 1e-5, "
                    "lead: 0.01, stiffness: 1e6, damping: 1e3}}}}}"),
          Until::verified);
  ASSERT_TRUE(record.verification);
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  const Table table = trajectory_table(record, std::nullopt);
  for (const char* column : {"q.lift_joint", "q.lift_joint.rotor", "u.lift_joint", "y.upper"})
    EXPECT_NE(std::find(table.columns.begin(), table.columns.end(), column), table.columns.end())
        << column;
  const std::string json = record_json(record);
  EXPECT_NE(json.find("\"unit\": \"N m\""), std::string::npos);
  EXPECT_NE(json.find("not known and ignored: attribute 'colour' of joint (line 5)"),
            std::string::npos);
  EXPECT_NE(json.find("'lift joint' is lift_joint"), std::string::npos);
}

}  // namespace
}  // namespace tauflex
