// Law: outputs as rows of a frame of elements are those of the question. A path that a motion of
// the joints follows, found by series of the tree, has rows that are zero with both derivatives,
// and a path beside it has not.
#include "tauflex/solvers/frame_outputs.hpp"

#include "example_jobs.hpp"
#include "math/random.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/elements/frame_pose.hpp"
#include "tauflex/elements/robot_frame.hpp"
#include "tauflex/math/rotation_vector.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/find_outputs.hpp"
#include "tauflex/trajectory/output_name.hpp"

namespace tauflex {
namespace {

struct Rows {
  // Largest value, first and second derivative of all rows.
  double value = 0, rate = 0, acceleration = 0;
};

// The seven-axis arm with a frame on its second link that outputs are seen from, in motion.
class FollowedOutputs {
 public:
  explicit FollowedOutputs(const std::vector<std::string>& names)
      : job_(example_job("seven_axis")), robot_(with_outputs(job_, names)) {
    outputs_ = find_outputs(robot_, job_.task);
    Random random(4);
    q_ = random.vector(robot_.nq(), 1);
    v_ = random.vector(robot_.nv(), 2);
    vdot_ = random.vector(robot_.nv(), 5);
    const auto n = outputs_.count();
    path_ = Matrix::Zero(n, 3);
    MechanicsData data(robot_);
    kinematics<double>(robot_, data, q_);
    output_values(robot_, data, q_, none_, outputs_, path_.col(0));
    for (const int k : {1, 2}) {  // from series alone, errors are affine in what is looked for
      const Vector b = series(k);
      Matrix A(n, n);
      for (int i = 0; i < n; ++i) {
        path_(i, k) = 1;
        A.col(i) = series(k) - b;
        path_(i, k) = 0;
      }
      path_.col(k) = -(A.inverse() * b);
    }
  }

  Matrix& path() { return path_; }

  Rows rows() const {
    ElementFrame frame = robot_frame(robot_, Vector::Constant(robot_.nq(), 0.3));
    const FrameOutputs outputs = add_output_rows(robot_, outputs_, "here", frame);
    FrameState state(frame);
    Vector travel;
    pose_of_joints(frame, q_, v_, vdot_, state, travel);
    std::vector<Driven> paths(frame.joints.size() + frame.outputs.size());
    outputs.write(path_, paths);
    Rows out;
    for (const auto& row : frame.outputs) {
      const RowValues values = row_values(row, state, paths);
      double rate = values.rate, acceleration = values.bias;
      for (int side = 0; side < 2; ++side) {
        const int node = side == 0 ? row.a.node : row.b.node;
        if (node < 0) continue;
        const auto shift = values.by.segment<3>(6 * side),
                   turn = values.by.segment<3>(6 * side + 3);
        rate += shift.dot(state.v[node]) + turn.dot(state.w[node]);
        acceleration += shift.dot(state.a[node]) + turn.dot(state.alpha[node]);
      }
      out.value = std::max(out.value, std::abs(values.g));
      out.rate = std::max(out.rate, std::abs(rate));
      out.acceleration = std::max(out.acceleration, std::abs(acceleration));
    }
    return out;
  }

 private:
  static Robot with_outputs(Job& job, const std::vector<std::string>& names) {
    job.robot.frames.push_back(
        {"part", "link2", {rotation_from_rpy({0.3, -0.8, 0.5}), Vector3(0.1, 0.2, -0.3)}, ""});
    job.task.outputs = names;
    job.task.orientations.clear();
    const std::string part = split_output_name(names[0]).component;
    if (part == "rx" || part == "tilt_x")
      job.task.orientations[names[0]] = rotation_from_rpy({0.5, 0.2, -0.4});
    return Robot(job.robot);
  }

  // Derivative k of the errors of the tree.
  Vector series(int k) const {
    VectorOf<Jet> q(robot_.nq()), y(outputs_.count()), error(outputs_.count());
    const VectorOf<Jet> nothing(0);
    const auto set = [](Jet& to, double a, double b, double c) {
      to = Jet::zero(2);
      to[0] = a;
      to[1] = b;
      to[2] = c / 2;
    };
    for (int i = 0; i < robot_.nq(); ++i) set(q[i], q_[i], v_[i], vdot_[i]);
    for (int i = 0; i < y.size(); ++i) set(y[i], path_(i, 0), path_(i, 1), path_(i, 2));
    MotionData<Jet> data(robot_);
    kinematics<Jet>(robot_, data, q);
    output_errors<Jet>(robot_, data, q, nothing, outputs_, y, error);
    Vector out(y.size());
    for (int i = 0; i < y.size(); ++i) out[i] = error[i].derivative(k);
    return out;
  }

  Job job_;
  Robot robot_;
  Outputs outputs_;
  Vector q_, v_, vdot_, none_ = Vector(0);
  Matrix path_;
};

TEST(FrameOutputs, are_rows_of_the_question) {
  using Names = std::vector<std::string>;
  for (const Names& names :
       {Names{"tool.x in part", "tool.y", "tool.z in part"}, Names{"tool.rx", "tool.ry", "tool.rz"},
        Names{"tool.rx in part", "tool.ry in part", "tool.rz in part"}, Names{"tool.yaw"},
        Names{"tool.angle_x in part"}, Names{"link6.absolute"}, Names{"link3"}}) {
    FollowedOutputs followed(names);
    const Rows rows = followed.rows();
    // rounding of second derivatives
    EXPECT_LT(rows.value, 1e-13) << names[0];
    EXPECT_LT(rows.rate, 1e-12) << names[0];
    EXPECT_LT(rows.acceleration, 1e-11) << names[0];
    // each of the path's derivatives counts
    for (const int k : {0, 1, 2}) {
      FollowedOutputs beside(names);
      beside.path()(0, k) += 0.1;
      const Rows off = beside.rows();
      EXPECT_GT(k == 0 ? off.value : k == 1 ? off.rate : off.acceleration, 1e-3) << names[0] << k;
    }
  }
}

// Error message.
TEST(FrameOutputs, refuses_directions) {
  try {
    FollowedOutputs({"tool.tilt_x", "tool.tilt_y"}).rows();
    FAIL();
  } catch (const ProblemError& error) {
    EXPECT_NE(std::string(error.what()).find("is a direction in space; where something is left"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace tauflex
