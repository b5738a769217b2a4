// Laws of every kind of output, in frames that stand or move: the Jacobian against Dual, rates and
// bias against series of a motion that is followed exactly; and what the values are, in closed
// form.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "example_jobs.hpp"
#include "math/random.hpp"
#include "mechanics/comparison.hpp"
#include "tauflex/math/rotation_vector.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/find_outputs.hpp"
#include "tauflex/trajectory/output_name.hpp"

namespace tauflex {
namespace {

using Names = std::vector<std::string>;

Guide circle_guide() {
  return {{rotation_from_rpy({0.4, -0.3, 0.8}), Vector3(0.2, -0.1, 0.3)}, 0.45};
}

struct Kind {
  const char* name;
  Names outputs;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

// The seven-axis arm with a frame `part` on its second link.
class OutputKinds : public testing::TestWithParam<Kind> {
 protected:
  OutputKinds() : job(example_job("seven_axis")), robot(with_part(job)), data(robot) {
    outputs = find_outputs(robot, job.task);
    const int n = outputs.count();
    Random random(11);
    q = random.vector(robot.nq(), 1);
    v = random.vector(robot.nv(), 2);
    vdot = random.vector(robot.nv(), 5);
    y.resize(n);
    kinematics<double>(robot, data, q);
    output_values(robot, data, q, none, outputs, y);
  }
  static Robot with_part(Job& job) {
    job.robot.frames.push_back(
        {"part", "link2", {rotation_from_rpy({0.3, -0.8, 0.5}), Vector3(0.1, 0.2, -0.3)}, ""});
    job.task.outputs = GetParam().outputs;
    job.task.guide = circle_guide();
    job.task.orientations.clear();
    for (const std::string& row : job.task.outputs)
      if (split_output_name(row).component == "tilt_x")
        job.task.orientations[row] = rotation_from_rpy({0.5, 0.2, 0});
    return Robot(job.robot);
  }
  template <class S>
  VectorOf<S> errors(const VectorOf<S>& at, const VectorOf<S>& wanted) const {
    MotionData<S> mechanics(robot);
    VectorOf<S> error(y.size());
    const VectorOf<S> nothing(0);
    kinematics<S>(robot, mechanics, at);
    output_errors<S>(robot, mechanics, at, nothing, outputs, wanted, error);
    return error;
  }
  // The coefficients of order k of the errors along q + v t + vdot t^2 / 2 and y + y1 t + y2 t^2/2.
  Vector series_errors(const Vector& y1, const Vector& y2, int k) const {
    VectorOf<Jet> moving(robot.nq()), wanted(y.size());
    for (int i = 0; i < robot.nq(); ++i) {
      moving[i] = Jet::zero(2);
      moving[i][0] = q[i];
      moving[i][1] = v[i];
      moving[i][2] = vdot[i] / 2;
    }
    for (int i = 0; i < y.size(); ++i) {
      wanted[i] = Jet::zero(2);
      wanted[i][0] = y[i];
      wanted[i][1] = y1[i];
      wanted[i][2] = y2[i] / 2;
    }
    const VectorOf<Jet> error = errors<Jet>(moving, wanted);
    Vector part(y.size());
    for (int i = 0; i < y.size(); ++i) part[i] = error[i].derivative(k);
    return part;
  }
  // x with f(x) = 0 for an affine f.
  template <class F>
  Vector zero_of(const F& f) const {
    const Vector b = f(Vector::Zero(y.size()));
    Matrix A(y.size(), y.size());
    for (int i = 0; i < y.size(); ++i) A.col(i) = f(Vector::Unit(y.size(), i)) - b;
    return -(A.inverse() * b);
  }
  Job job;
  Robot robot;
  MechanicsData data;
  Outputs outputs;
  Vector q, v, vdot, y, none = Vector(0);
};

TEST_P(OutputKinds, AreOnThePathWhereTheyAre) {
  EXPECT_LT(errors<double>(q, y).cwiseAbs().maxCoeff(), 1e-14);
  for (const OutputGroup& group : outputs.groups) EXPECT_EQ(error_size(group, y, y), 0);
}

TEST_P(OutputKinds, JacobianIsTheDerivative) {
  for (const double off : {0.0, 0.2}) {  // on the path and beside it
    const Vector wanted = y.array() + off;
    Matrix J(y.size(), robot.nv());
    output_jacobian(robot, data, outputs, wanted, J);
    const VectorOf<Dual> constant = wanted.cast<Dual>();
    const Matrix expected =
        dual_jacobian([&](const VectorOf<Dual>& x) { return errors<Dual>(x, constant); }, q);
    EXPECT_LT(relative_difference(J, expected), 1e-13);  // rounding of a dozen products
  }
}

// For a motion of the joints the path that follows it, from series alone; then J v = rate and
// J vdot = acceleration - bias.
TEST_P(OutputKinds, RatesAndBiasAreThoseOfAPathThatIsFollowed) {
  const Vector zero = Vector::Zero(y.size());
  const Vector y1 = zero_of([&](const Vector& x) { return series_errors(x, zero, 1); });
  const Vector y2 = zero_of([&](const Vector& x) { return series_errors(y1, x, 2); });
  Matrix J(y.size(), robot.nv()), path(y.size(), 3);
  path << y, y1, y2;
  Vector rate(y.size()), acceleration(y.size()), bias(y.size()), g(0);
  output_jacobian(robot, data, outputs, y, J);
  output_rates(outputs, path, rate, acceleration);
  constraint_bias(robot, data, q, v, 0, g);
  output_bias(robot, data, outputs, y, bias);
  const Vector velocity = J * v, missing = J * vdot + bias;
  // 1e-12: rounding of second derivatives
  EXPECT_LT((velocity - rate).norm(), 1e-12 * (1 + rate.norm()));
  EXPECT_LT((missing - acceleration).norm(), 1e-12 * (1 + missing.norm()));
}

INSTANTIATE_TEST_SUITE_P(
    All, OutputKinds,
    testing::Values(Kind{"axis", {"tool.tilt_x", "tool.tilt_y"}},
                    Kind{"axis_in_a_moving_frame", {"tool.tilt_x in part", "tool.tilt_y in part"}},
                    Kind{"yaw", {"tool.yaw"}},  //
                    Kind{"angle_in_a_moving_frame", {"tool.angle_x in part"}},
                    Kind{"absolute", {"link6.absolute"}},
                    Kind{"position_in_two_frames", {"tool.x in part", "tool.y", "tool.z in part"}},
                    Kind{"circle", {"tool.along", "tool.across", "tool.above"}},
                    Kind{"circle_in_a_moving_frame",
                         {"tool.above in part", "tool.along in part", "tool.across in part"}}),
    [](const auto& kind) { return std::string(kind.param.name); });

// A task on an example with other outputs.
struct Measured {
  Measured(const std::string& example, const Names& names, const std::optional<Guide>& guide = {})
      : job(example_job(example)), robot(job.robot), data(robot) {
    job.task.outputs = names;
    job.task.guide = guide;
    outputs = find_outputs(robot, job.task);
  }
  Vector at(const Vector& q) {
    kinematics<double>(robot, data, q);
    Vector y(outputs.count());
    output_values(robot, data, q, Vector::Zero(robot.constraint_count()), outputs, y);
    return y;
  }
  Job job;
  Robot robot;
  MechanicsData data;
  Outputs outputs;
};

// The absolute angle of a planar arm is the sum of its joints, over full turns too.
TEST(AbsoluteAngle, IsTheSumOfPlanarJoints) {
  Measured fore("rigid_2r", {"fore.absolute"});
  for (const double upper : {0.0, 0.7, -4.5, 9.0})
    for (const double bend : {0.0, -2.2, 8.0}) {
      Vector q = Vector::Zero(fore.robot.nq());
      q[0] = upper;
      q[1] = bend;
      EXPECT_NEAR(fore.at(q)[0], upper + bend, 1e-14 * 20);  // rounding of angles up to 17 rad
    }
}

// A place relative to a circle against geometry: turned by an angle, moved outwards and upwards.
TEST(AlongACircle, IsArcLengthRadiusAndHeight) {
  const Guide guide = circle_guide();
  Measured tool("seven_axis", {"tool.along", "tool.across", "tool.above"}, guide);
  const Vector q = Vector{{0.3, 0.5, -0.2, 1.1, 0.4, 0.6, 0}};
  const Vector y = tool.at(q);
  const Frame& frame = tool.robot.frames()[tool.robot.find_frame("tool")];
  const Vector3 p = frame_position(tool.data, frame);
  const double phi = y[0] / *guide.radius, r = *guide.radius - y[1];
  const Vector3 built = guide.X.p + guide.X.R * Vector3(r * std::cos(phi), r * std::sin(phi), y[2]);
  EXPECT_LT((built - p).norm(), 1e-15 * 4);  // rounding of 1 m
}

// The turn of an axis leads to the direction of z, and does not see the spin of the last joint.
TEST(ToolAxis, IsTheDirectionOfZ) {
  Job job = example_job("seven_axis");
  job.task.outputs = {"tool.tilt_x", "tool.tilt_y"};
  job.task.orientations = {{"tool.tilt_x", Matrix3::Identity()}};
  const Robot robot(job.robot);
  const Outputs outputs = find_outputs(robot, job.task);
  ASSERT_EQ(outputs.groups.size(), 1u);
  MechanicsData data(robot);
  Vector q = Vector{{0.3, 0.5, -0.2, 1.1, 0.4, 0.6, 0}}, y(2), spun(2);
  kinematics<double>(robot, data, q);
  output_values(robot, data, q, Vector(0), outputs, y);
  const Vector3 z = frame_rotation(data, robot.frames()[robot.find_frame("tool")]).col(2);
  const Vector3 turned = rotation_from_vector<double>({y[0], y[1], 0}).col(2);
  EXPECT_LT((turned - z).norm(), 1e-15 * 4);  // rounding of a direction
  q[6] += 1.3;                                // the tool spins about its axis
  kinematics<double>(robot, data, q);
  output_values(robot, data, q, Vector(0), outputs, spun);
  EXPECT_LT((spun - y).norm(), 1e-14);
  EXPECT_LT(error_size(outputs.groups[0], spun, y), 1e-14);
  q[5] += 0.3;  // tilts it by that angle
  kinematics<double>(robot, data, q);
  output_values(robot, data, q, Vector(0), outputs, spun);
  EXPECT_NEAR(error_size(outputs.groups[0], spun, y), 0.3, 1e-14);
}

// Directions up to straight back, where the turn is half a turn about some axis.
TEST(ToolAxis, TurnsToEveryDirection) {
  for (const Vector3& d : {Vector3(0, 0, 1), Vector3(0, 0, -1), Vector3(1, 0, 0),
                           Vector3(-0.48, 0.6, -0.64), Vector3(1e-9, 0, 1).normalized().eval()}) {
    const Vector3 turn = turn_to_direction(d);
    EXPECT_EQ(turn[2], 0);
    EXPECT_LE(turn.norm(), std::numbers::pi);
    EXPECT_LT((rotation_from_vector<double>(turn).col(2) - d).norm(), 1e-14);
  }
}

TEST(OutputNames, SayWhatIsMissing) {
  const auto refusal = [](const Names& names) {
    try {
      Measured(std::string("rigid_2r"), names);
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string("(accepted)");
  };
  EXPECT_NE(refusal({"tool.along"}).find("'tool.along' is measured from a guide; give task.guide"),
            std::string::npos);
  EXPECT_NE(refusal({"tool.tilt_x"}).find("'tool.tilt_x' alone is not an axis; take tool.axis"),
            std::string::npos);
  EXPECT_NE(refusal({"tool.x in tabel"}).find("frame 'tabel' does not exist"), std::string::npos);
  EXPECT_NE(refusal({"tool.absolute"}).find("'tool' is not a joint that turns"), std::string::npos);
}

}  // namespace
}  // namespace tauflex
