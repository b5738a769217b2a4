// Plants said in one line, and plants with springs where the robot has none.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/jobs/plant_changes.hpp"
#include "tauflex/model/robot_file.hpp"
#include "tauflex/report/summary.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/trajectory_tables.hpp"

namespace tauflex {
namespace {

Job with_plant(const std::string& plant, const std::vector<std::string>& more = {}) {
  std::vector<std::string> set = {"method=jets", "verification.plant=" + plant,
                                  "verification.tolerance=1"};
  set.insert(set.end(), more.begin(), more.end());
  return example_job("e12_bdf", set);
}

const Link& link_of(const RobotDescription& robot, const std::string& name) {
  for (const Link& link : robot.links)
    if (link.name == name) return link;
  throw InputError("no link " + name);
}

TEST(Plants, every_stiffness_by_one_word) {
  const Job job = with_plant("{stiffness: x0.8}");
  EXPECT_DOUBLE_EQ(link_of(job.plant, "upper").drive->elastic->stiffness, 8e4);
  EXPECT_DOUBLE_EQ(link_of(job.plant, "fore").drive->elastic->stiffness, 8e4);
  EXPECT_EQ(job.plant_differences, std::vector<std::string>{"stiffness x0.8"});
  EXPECT_DOUBLE_EQ(link_of(job.robot, "fore").drive->elastic->stiffness, 1e5);
}

TEST(Plants, of_all_drives_and_of_one_link) {
  const Job job =
      with_plant("{drives.*.damping: x0.5, links: {hand: {mass: +10}}, links.fore.mass: 90}");
  EXPECT_DOUBLE_EQ(link_of(job.plant, "upper").drive->elastic->damping, 25);
  EXPECT_DOUBLE_EQ(link_of(job.plant, "hand").inertia.mass, 210);
  EXPECT_EQ(job.plant_differences,
            (std::vector<std::string>{"drives.*.damping x0.5", "links.hand.mass 200 -> 210",
                                      "links.fore.mass 100 -> 90"}));
}

// A stiffness that was written with its unit is scaled like any other.
TEST(Plants, of_numbers_with_units) {
  const Job job =
      with_plant("{drives.fore.stiffness: x0.5}", {"robot.links.fore.drive.stiffness=100 kNm/rad"});
  EXPECT_DOUBLE_EQ(link_of(job.robot, "fore").drive->elastic->stiffness, 1e5);
  EXPECT_DOUBLE_EQ(link_of(job.plant, "fore").drive->elastic->stiffness, 5e4);
}

TEST(Plants, carry_another_payload) {
  const Job job = example_job("six_axis_elastic", {"verification.plant={payload: +2}"});
  ASSERT_TRUE(job.plant_payload);
  EXPECT_DOUBLE_EQ(job.plant_payload->inertia.mass, 102);
  EXPECT_DOUBLE_EQ(job.plant_payload->inertia.about_com(0, 0), 4 * 1.02);  // the same body, denser
  EXPECT_DOUBLE_EQ(job.task.payload->inertia.mass, 100);
  const Posed posed = pose(job);
  double model = 0, plant = 0;
  for (const Link& link : posed.problem.robot().description().links) model += link.inertia.mass;
  for (const Link& link : posed.plant.description().links) plant += link.inertia.mass;
  EXPECT_NEAR(plant - model, 2, 1e-12);
}

// Masses stand in the URDF file; links are called by their own names or by those of their joints.
TEST(Plants, of_masses_in_a_urdf_file) {
  const std::string robot =
      "{urdf: six_axis.urdf, elastic: {links: {axis6: {drive: {rotor_inertia: 1}}}}}";
  const Node job = Node::read_text(robot, TAUFLEX_SOURCE_DIR "/examples/robot.yaml");
  const auto mass = [&](const std::string& changes, const std::string& link) {
    const ChangedRobot changed = changed_robot(job, Node::read_text(changes, "job.yaml"));
    return link_of(read_robot(changed.robot), link).inertia.mass;
  };
  const double flange = link_of(read_robot(job), "flange").inertia.mass,
               upper = link_of(read_robot(job), "upper").inertia.mass;
  EXPECT_DOUBLE_EQ(mass("{mass: x1.1}", "flange"), 1.1 * flange);
  EXPECT_DOUBLE_EQ(mass("{mass: x1.1}", "upper"), 1.1 * upper);
  EXPECT_DOUBLE_EQ(mass("{links.flange.mass: +1}", "flange"), flange + 1);
  EXPECT_DOUBLE_EQ(mass("{links.axis6.mass: +1}", "flange"), flange + 1);
  EXPECT_DOUBLE_EQ(mass("{links.axis6.mass: +1}", "upper"), upper);
  EXPECT_DOUBLE_EQ(mass("{links.flange.mass: 3}", "flange"), 3);
}

TEST(Plants, a_change_that_finds_nothing_is_named) {
  for (const auto& [plant, part] :
       {std::pair("{stifness: x0.8}", "verification.plant.stifness: the robot has no 'stifness'"),
        std::pair("{links.hand.color: x2}", "the robot has no 'links.hand.color' that x2"),
        std::pair("{payload: +2}", "the task has no payload that could differ"),
        std::pair("{links.hand.name: x2}", "robot.links.hand.name: expected a finite number")}) {
    try {
      with_plant(plant);
      FAIL() << plant;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
}

// Rigid drives of the plant: the same torques, another motion; a very stiff plant says the same.
TEST(Plants, without_the_springs_of_a_drive) {
  const Record rigid = run(with_plant("{drives.fore.stiffness: ~, drives.fore.damping: ~}"));
  const Record stiff = run(with_plant("{drives.fore.stiffness: 1e9, drives.fore.damping: 5e5}"));
  ASSERT_EQ(rigid.verification->status, Status::solved) << rigid.verification->message;
  ASSERT_EQ(stiff.verification->status, Status::solved) << stiff.verification->message;
  EXPECT_GT(*rigid.verification->max_tool_error_m, 1e-3);
  // the stiff spring starts from the stretch of the soft one and jumps by it
  EXPECT_NEAR(*rigid.verification->max_tool_error_m, *stiff.verification->max_tool_error_m,
              0.1 * *stiff.verification->max_tool_error_m);
  // in the robot's coordinates: its rotor moves with the joint
  const Table table = simulated_table(rigid);
  EXPECT_EQ(table.values.col(table.find("q.fore")), table.values.col(table.find("q.fore.rotor")));
}

// A rigid robot's torques on a plant with springs: the tool errs by what the springs give.
TEST(Plants, with_springs_that_the_robot_does_not_have) {
  const auto job = [&](double stiffness) {
    return example_job(
        "rigid_2r",
        {"verification={tolerance: 1, plant: {drives.*.stiffness: " + std::to_string(stiffness) +
         ", drives.*.damping: " + std::to_string(stiffness * 1e-3) + "}}"});
  };
  const double soft = *run(job(1e5)).verification->max_tool_error_m,
               stiff = *run(job(1e6)).verification->max_tool_error_m;
  EXPECT_GT(soft, 1e-6);
  EXPECT_NEAR(stiff / soft, 0.1, 0.05);  // as 1 / stiffness, besides ringing
}

// What is the same in the end is the same plant, and its motion is compared.
TEST(Plants, changes_that_change_nothing_make_no_other_plant) {
  for (const char* plant : {"{stiffness: x1}", "{links.hand.mass: +0}", "{links.hand.mass: 200}",
                            "{payload: {link: hand, mass: 0}}"}) {
    const Job job = with_plant(plant);
    EXPECT_TRUE(job.plant_differences.empty()) << plant << ": " << job.plant_differences.front();
    EXPECT_FALSE(job.plant_payload) << plant;
  }
  EXPECT_FALSE(with_plant("{payload: {link: hand, mass: 1}}").plant_differences.empty());
}

// Two elements and Newmark's steps bend the beam otherwise than the model's; the tool is within
// its tolerance, and on another plant that decides.
TEST(Plants, on_a_frame_of_elements_the_outputs_decide) {
  const Record record =
      run(example_job("spin_up", {"verification.plant={model: frame, elements: 2, step: 0.001}",
                                  "verification.tolerance=0.05"}));
  EXPECT_EQ(record.exit_code(), ExitCode::success) << record.verification->message;
  EXPECT_FALSE(record.verification->max_motion_error);
}

TEST(Plants, steps_of_a_frame_are_counted_before_they_are_taken) {
  for (const char* step : {"1e-13", "1e-8"}) {
    try {
      run(example_job("e12",
                      {std::string("verification.plant={model: frame, step: ") + step + "}"}));
      ADD_FAILURE() << step;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("more than the 500000 that"), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace tauflex
