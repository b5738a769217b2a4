// What users put into a job beside robot and task, from its text to the result: torques, drivers at
// constant speed, winches, torsion springs. Closed forms, or the same said the long way.
#include <gtest/gtest.h>

#include <cmath>

#include "job_texts.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/model/robot_file.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

// A wheel of 2 kg m^2, without gravity.
constexpr const char* wheel =
    "robot: {gravity: [0, 0, 0], links: [{name: K1, joint: {parent: world, type: revolute, axis: "
    "z}, "
    "drive: {}, mass: 1, inertia: {xx: 1, yy: 1, zz: 2}}]}\n";

TEST(GivenTorques, AConstantAccelerates) {
  const Table table = simulated(std::string(wheel) +
                                "simulation: {duration: 2, rate: 10, torques: {K1: 0.5 N m}}\n");
  const Vector t = column(table, "t");
  // rad; the integrator's relative tolerance is 1e-10
  EXPECT_LT((column(table, "q.K1") - Vector(0.125 * t.cwiseAbs2())).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(column(table, "u.K1"), Vector::Constant(t.size(), 0.5));
}

TEST(GivenTorques, PointsAreJoinedByLines) {
  const Table table =
      simulated(std::string(wheel) +
                "simulation: {duration: 2, rate: 10, torques: {K1: [[0, 0], [1 s, 6], [2, 6]]}}\n");
  const double end = column(table, "q.K1")[20];
  // u = 6 t: q = t^3/2 up to 1 s; then v = 1.5 + 3 (t - 1), q = 0.5 + 1.5 + 1.5
  EXPECT_NEAR(end, 3.5, 1e-9);  // the integrator's tolerance
}

TEST(GivenTorques, FunctionsOfTime) {
  const Table table =
      simulated(std::string(wheel) +
                "simulation: {duration: 1, rate: 10, torques: {K1: {sine: {center: 0, "
                "amplitude: 3, frequency: 2}}}}\n");
  const double w = 4 * M_PI;
  const Vector t = column(table, "t"), q = column(table, "q.K1");
  for (Eigen::Index i = 0; i < t.size(); ++i)
    EXPECT_NEAR(q[i], 1.5 / w * (t[i] - std::sin(w * t[i]) / w),
                1e-8);  // the integrator's tolerance
}

TEST(GivenTorques, ComeFromATableToo) {
  const TemporaryFolder folder;
  folder.write("torques.csv", "t,u.K1\n0,0\n1,6\n2,6\n");
  const Job job = read_job(
      folder.write("job.yaml", std::string("tauflex: 1\n") + wheel +
                                   "simulation: {duration: 1, rate: 10, torques: torques.csv}\n"));
  const FreeRun run = simulate_job(job, {});
  ASSERT_EQ(run.simulation.t.size(), 11);           // the job's duration, not the table's
  EXPECT_NEAR(run.simulation.q(0, 10), 0.5, 1e-9);  // the integrator's tolerance
}

TEST(GivenTorques, WrongOnesAreNamed) {
  const auto message = [](const std::string& torques) {
    return message_of(std::string(wheel) + "simulation: {duration: 1, torques: " + torques + "}\n");
  };
  EXPECT_EQ(message("{K2: 1}"),
            "job.yaml:3: simulation.torques.K2: 'K2' is not a drive; did you mean 'K1'?");
  EXPECT_EQ(message("{K1: [[0, 0], [0, 1]]}"),
            "job.yaml:3: simulation.torques.K1.1: times must increase, got 0 s after 0 s");
  EXPECT_EQ(message("{K1: 5 kg}"),
            "job.yaml:3: simulation.torques.K1: expected a number, or one in Nm, kNm, mNm or N, "
            "kN, mN, got '5 kg'");
}

// A crank with a point mass at its end; nobody writes an inertia.
constexpr const char* crank =
    "robot:\n"
    "  links: [{name: crank, joint: {parent: world, type: revolute, axis: -y}, mass: 3, com: [0.5, "
    "0, "
    "0]}]\n"
    "  constraints:\n"
    "    - {name: driver, relation: {joints: {crank: 1}}, path: {constant_speed: {from: 30 deg, "
    "speed: "
    "90 deg/s}}}\n";

TEST(ConstantSpeed, DrivesAPendulum) {
  const Table table = simulated(std::string(crank) + "simulation: {duration: 2, rate: 10}\n");
  const Vector t = column(table, "t"), q = column(table, "q.crank"),
               moment = column(table, "lambda.driver");
  for (Eigen::Index i = 0; i < t.size(); ++i) {
    const double angle = M_PI / 6 + M_PI / 2 * t[i];
    EXPECT_NEAR(q[i], angle, 1e-9);                                  // the integrator's tolerance
    EXPECT_NEAR(moment[i], 3 * 9.81 * 0.5 * std::cos(angle), 1e-7);  // N m; it holds the weight
  }
}

// The inverse: the force of the driver is the answer.
TEST(ConstantSpeed, GivesTheForcesOfADriver) {
  const Record record = run(job_of(std::string(crank) + "task: {duration: 1}\n"));
  ASSERT_EQ(record.solution.status, Status::solved) << record.solution.message;
  const Solution& s = record.solution;
  const Eigen::Index last = s.t.size() - 1;
  EXPECT_NEAR(s.lambda(0, last), 3 * 9.81 * 0.5 * std::cos(M_PI / 6 + M_PI / 2 * s.t[last]),
              1e-9);  // rounding
}

// A drum of radius 0.2 m with 0.5 kg m^2 and a load of 10 kg below a pulley.
constexpr const char* winch =
    "robot:\n"
    "  links:\n"
    "    - {name: drum, joint: {parent: world, type: revolute, axis: y}, drive: {}, mass: 5, "
    "inertia: "
    "{xx: 0.5, yy: 0.5, zz: 0.5}}\n"
    "    - {name: load, joint: {parent: world, type: [x, z]}, mass: 10}\n"
    "  frames: {pulley: {link: world, at: [0, 0, 3]}}\n"
    "  constraints:\n"
    "    - {name: rope, distance: {frames: [pulley, load], length: 3 m, joints: {drum: 200 mm}}}\n";

TEST(Winch, PullsItsLoad) {
  // (J + m r^2) acceleration = u - m g r
  const Table table =
      simulated(std::string(winch) + "simulation: {duration: 1, rate: 10, torques: {drum: 25}}\n");
  const double a = (25 - 10 * 9.81 * 0.2) / (0.5 + 10 * 0.04);
  const Vector t = column(table, "t");
  EXPECT_LT((column(table, "q.drum") - Vector(0.5 * a * t.cwiseAbs2())).cwiseAbs().maxCoeff(),
            1e-7);
  EXPECT_LT((column(table, "q.load.z") - Vector(0.1 * a * t.cwiseAbs2())).cwiseAbs().maxCoeff(),
            1e-7);  // m; projected on the rope after every step
  // the rope pulls: negative along the gradient of the distance
  EXPECT_NEAR(column(table, "lambda.rope")[5], -10 * (9.81 + 0.2 * a), 1e-6);
}

// The load swings while it is hoisted: a pendulum whose length is 3 m - 0.2 m times the drum's
// angle.
//   (l^2 phi')' = -g l sin phi
TEST(Winch, HoistsAPendulum) {
  const std::string text = winch;
  const Table table = simulated(
      text +
      "    - {name: hoist, relation: {joints: {drum: 1}}, path: {constant_speed: {from: 0, "
      "speed: 2}}}\n"
      "simulation: {duration: 2, rate: 100, start: {q: {load.x: 0.3}, v: {drum: 2}}}\n");
  const Vector x = column(table, "q.load.x"), z = column(table, "q.load.z");
  // classical Runge-Kutta for the angle
  double phi = std::atan2(x[0], 3 - z[0]), rate = 0, worst = 0;
  {
    // the start is put on the constraints: the load moves along the rope only
    const double vx = column(table, "v.load.x")[0], vz = column(table, "v.load.z")[0];
    rate = (vx * std::cos(phi) + vz * std::sin(phi)) / std::hypot(x[0], 3 - z[0]);
  }
  const double h = 1e-3;
  const auto f = [](double t, double angle, double speed) {
    const double l = 3 - 0.4 * t;
    return (-9.81 * std::sin(angle) + 2 * 0.4 * speed) / l;
  };
  for (int i = 0; i < 2000; ++i) {
    const double t = i * h;
    const double a1 = f(t, phi, rate), a2 = f(t + h / 2, phi + h / 2 * rate, rate + h / 2 * a1),
                 a3 = f(t + h / 2, phi + h / 2 * (rate + h / 2 * a1), rate + h / 2 * a2),
                 a4 = f(t + h, phi + h * (rate + h / 2 * a2), rate + h * a3);
    phi += h * (rate + h / 6 * (a1 + a2 + a3));
    rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    if ((i + 1) % 10 == 0) {
      const double l = 3 - 0.4 * (t + h);
      worst = std::max(worst, std::abs(l * std::sin(phi) - x[(i + 1) / 10]));
    }
  }
  EXPECT_LT(worst, 1e-7);  // m; Runge-Kutta at 1 ms errs by 1e-11, the simulation by its tolerance
}

TEST(Winch, IsProvedWithAnElasticDrive) {
  std::string text = winch;
  text.replace(text.find("drive: {}"), 9,
               "drive: {rotor_inertia: 1e-3, gear_ratio: 20, stiffness: 2e4, damping: 20}");
  text.replace(text.find("[x, z]"), 6, "[z]");
  const Record record = run(job_of(
      text + "task: {outputs: [load.z], path: {line: {from: [0.5], to: [1.5]}, duration: 1}}\n"));
  ASSERT_TRUE(record.verification) << record.solution.message;
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  // at the joint: (J / r^2 + m) a r + m g r; at the start the weight alone
  const Table table = trajectory_table(record);
  EXPECT_NEAR(column(table, "tau.drum")[0], 10 * 9.81 * 0.2, 1e-8);  // rounding of K times angle
  EXPECT_NEAR(column(table, "u.drum")[0], 10 * 9.81 * 0.2 / 20, 1e-8);
}

// Two links in a plane; a torsion spring from the world to the second.
std::string two_links(const std::string& springs, const std::string& own = "") {
  return "robot:\n"
         "  gravity: [0, 0, 0]\n"
         "  links:\n"
         "    - {name: upper, joint: {parent: world, type: revolute, axis: y}, " +
         own +
         "drive: {}, mass: 2, com: [0.5, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}\n"
         "    - {name: fore, joint: {parent: upper, at: [1, 0, 0], type: revolute, axis: -y}, " +
         own + "drive: {}, mass: 1, com: [0.5, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}\n" +
         springs;
}

Vector torques_at(const std::string& text, double q1, double q2, double v1, double v2) {
  const Robot robot(read_robot(Node::read_text("tauflex: 1\n" + text, "job.yaml").at("robot")));
  MechanicsData data(robot);
  const Vector q = Eigen::Vector2d(q1, q2), v = Eigen::Vector2d(v1, v2), none = Vector::Zero(2);
  joint_torques<double>(robot, data, q, v, none);
  const Vector with = data.tau;
  const Robot bare(
      read_robot(Node::read_text("tauflex: 1\n" + two_links(""), "job.yaml").at("robot")));
  MechanicsData other(bare);
  joint_torques<double>(bare, other, q, v, none);
  return with - other.tau;
}

TEST(TorsionSpring, ActsOnTheAngleBetweenTwoLinks) {
  // the second joint turns the other way: the angle of fore in the world is q1 - q2
  const double q1 = 0.4, q2 = 0.1, v1 = 0.3, v2 = -0.2, K = 50, D = 3, rest = 0.2;
  const double torque = K * (q1 - q2 - rest) + D * (v1 - v2);
  const char* springs[] = {
      "  springs: [{name: coil, links: [world, fore], stiffness: 50, damping: 3, rest: 0.2}]\n",
      "  springs: [{name: coil, links: [fore, world], stiffness: 50, damping: 3, rest: -0.2}]\n",
      "  springs: [{name: coil, joints: {upper: 1, fore: -1}, stiffness: 50 N m/rad, damping: 3, "
      "rest: "
      "0.2 rad}]\n"};
  // fore is the first joint on the way: the angle counts about its axis
  const double signs[] = {-1, -1, 1};
  for (int i = 0; i < 3; ++i) {
    const double s =
        i < 2 ? -torque - 2 * K * rest : torque;  // about -y the rest is on the other side
    const Vector tau = torques_at(two_links(springs[i]), q1, q2, v1, v2);
    const double expected = i < 2 ? s * signs[i] : s;
    EXPECT_NEAR(tau[0], expected, 1e-12) << springs[i];  // rounding
    EXPECT_NEAR(tau[1], -expected, 1e-12) << springs[i];
  }
}

// The long way of saying it: a full matrix between springs of the joints.
TEST(TorsionSpring, IsACouplingOfJointSprings) {
  const std::string own = "spring: {stiffness: 0}, ";
  const Vector coupled = torques_at(
      two_links(
          "  couplings: [{springs: [upper, fore], stiffness: [[50, -50], [-50, 50]], damping: "
          "[[3, -3], [-3, 3]]}]\n",
          own),
      0.4, 0.1, 0.3, -0.2);
  const Vector between = torques_at(
      two_links("  springs: [{name: coil, links: [world, fore], stiffness: 50, damping: 3}]\n"),
      0.4, 0.1, 0.3, -0.2);
  EXPECT_LT((coupled - between).cwiseAbs().maxCoeff(), 1e-13);  // rounding
}

TEST(TorsionSpring, AddsToSpringsOfTheJoints) {
  // K1 (q1 - 0.3) of the joint's own beside K (q1 - q2 - 0.2)
  const Vector tau = torques_at(
      two_links(
          "  springs: [{name: coil, joints: {upper: 1, fore: -1}, stiffness: 50, rest: 0.2}]\n",
          "spring: {stiffness: 20, rest: 0.3}, "),
      0.4, 0.1, 0, 0);
  EXPECT_NEAR(tau[0], 20 * 0.1 + 50 * 0.1, 1e-12);   // rounding
  EXPECT_NEAR(tau[1], 20 * -0.2 - 50 * 0.1, 1e-12);  // rounding
}

TEST(TorsionSpring, NeedsParallelAxes) {
  std::string text = two_links("  springs: [{name: coil, links: [world, fore], stiffness: 50}]\n");
  text.replace(text.find("axis: -y"), 8, "axis: x");
  EXPECT_NE(message_of(text + "simulation: {duration: 1}\n")
                .find("turn about axes that are not parallel"),
            std::string::npos);
}

}  // namespace
}  // namespace tauflex
