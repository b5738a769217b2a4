#include "tauflex/elements/frame_pose.hpp"

#include "tauflex/elements/joint_forces.hpp"

namespace tauflex {

namespace {

// A place fixed to a node moves with it.
void carry(const FrameState& state, int from, const Vector3& p, int node, FrameState& out) {
  const Matrix3& R = state.R[from];
  const Vector3 &w = state.w[from], &alpha = state.alpha[from];
  out.x[node] = state.x[from] + R * p;
  out.v[node] = state.v[from] + R * w.cross(p);
  out.a[node] = state.a[from] + R * (alpha.cross(p) + w.cross(w.cross(p)));
}

void pose_child(const ElementFrame::Joint& joint, double s, double rate, double acceleration,
                FrameState& state) {
  const int c = joint.child, p = joint.parent;
  const Vector3& axis = joint.axis;
  const Vector3 offset = joint.turns ? joint.offset : Vector3(joint.offset + axis * s);
  const Matrix3 turn =
      joint.turns ? Eigen::AngleAxisd(s, axis).toRotationMatrix() : Matrix3(Matrix3::Identity());
  Vector3 w = Vector3::Zero(), alpha = Vector3::Zero();
  Matrix3 R = Matrix3::Identity();
  if (p >= 0) {
    carry(state, p, offset, c, state);
    R = state.R[p];
    w = state.w[p];
    alpha = state.alpha[p];
  } else {
    state.x[c] = offset;
    state.v[c].setZero();
    state.a[c].setZero();
  }
  state.R[c] = R * turn;
  state.w[c] = turn.transpose() * w;
  state.alpha[c] = turn.transpose() * alpha;
  if (joint.turns) {
    state.alpha[c] += axis * acceleration - (axis * rate).cross(state.w[c]);
    state.w[c] += axis * rate;
  } else {
    state.v[c] += R * axis * rate;
    state.a[c] += R * (axis * acceleration + 2 * rate * w.cross(axis));
  }
}

// Displacement and turn of a node from the start of its segment, in axes of the beam, with rates.
struct SeenFrom {
  Vector3 d, d_rate, d_acceleration, turn, turn_rate, turn_acceleration;

  SeenFrom(const ElementFrame::Deflection& deflection, const FrameState& state) {
    const int a = deflection.from, b = deflection.node;
    const Matrix3 axes = state.R[a] * deflection.axes;
    const Vector3 w = deflection.axes.transpose() * state.w[a],
                  alpha = deflection.axes.transpose() * state.alpha[a];
    d = axes.transpose() * (state.x[b] - state.x[a]);
    d_rate = axes.transpose() * (state.v[b] - state.v[a]);
    d_acceleration = axes.transpose() * (state.a[b] - state.a[a]) - alpha.cross(d) -
                     2 * w.cross(d_rate) + w.cross(w.cross(d));
    d_rate -= w.cross(d);
    d[0] -= deflection.distance;
    const Matrix3 R = axes.transpose() * state.R[b] * deflection.axes;
    const Eigen::AngleAxisd rotation(R);
    turn = rotation.axis() * rotation.angle();
    // small turns: the rotation vector changes as the relative angular velocity
    const Vector3 w_b = deflection.axes.transpose() * state.w[b],
                  alpha_b = deflection.axes.transpose() * state.alpha[b];
    turn_rate = R * w_b - w;
    turn_acceleration = R * alpha_b - alpha + w.cross(turn_rate) * -1;
  }
};

}  // namespace

void pose_of_joints(const ElementFrame& frame, const VectorRef& q, const VectorRef& v,
                    const VectorRef& vdot, FrameState& state, Vector& travel) {
  travel.resize(static_cast<Eigen::Index>(frame.joints.size()));
  size_t beam = 0;
  for (size_t j = 0; j < frame.joints.size(); ++j) {
    const auto& joint = frame.joints[j];
    travel[static_cast<Eigen::Index>(j)] = q[joint.q] - joint.start;
    pose_child(joint, q[joint.q] - joint.start, v[joint.v], vdot[joint.v], state);
    // the beams of this link, from the node of its last joint on
    if (beam == frame.beams.size() || frame.beams[beam].a != joint.child) continue;
    for (; beam < frame.beams.size() && frame.beams[beam].link == joint.link; ++beam) {
      const int a = frame.beams[beam].a, b = frame.beams[beam].b;
      carry(state, a, frame.start[b] - frame.start[a], b, state);
      state.R[b] = state.R[a];
      state.w[b] = state.w[a];
      state.alpha[b] = state.alpha[a];
    }
  }
}

void joints_of_pose(const ElementFrame& frame, const FrameState& state, const Vector& travel,
                    VectorOut q, VectorOut v, VectorOut vdot) {
  for (size_t j = 0; j < frame.joints.size(); ++j) {
    const auto& joint = frame.joints[j];
    q[joint.q] = joint.start + travel[static_cast<Eigen::Index>(j)];
    v[joint.v] = joint_rate(joint, state);
    vdot[joint.v] = joint_acceleration(joint, state);
  }
  for (const auto& deflection : frame.deflections) {
    const SeenFrom seen(deflection, state);
    const int k = deflection.direction % 3;
    const bool turns = deflection.direction >= 3;
    q[deflection.q] = turns ? seen.turn[k] : seen.d[k];
    v[deflection.v] = turns ? seen.turn_rate[k] : seen.d_rate[k];
    vdot[deflection.v] = turns ? seen.turn_acceleration[k] : seen.d_acceleration[k];
  }
}

}  // namespace tauflex
