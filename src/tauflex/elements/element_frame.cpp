#include "tauflex/elements/element_frame.hpp"

namespace tauflex {

FrameState::FrameState(const ElementFrame& frame)
    : x(frame.start), R(frame.start.size(), Matrix3::Identity()) {
  v = w = a = alpha = std::vector<Vector3>(frame.start.size(), Vector3::Zero());
}

void spread(const ElementFrame& frame, const VectorRef& v, const VectorRef& a, FrameState& state) {
  for (int node = 0; node < frame.nodes(); ++node)
    for (int k = 0; k < 3; ++k) {
      const int shift = frame.dof[node][k], turn = frame.dof[node][k + 3];
      state.v[node][k] = shift < 0 ? 0 : v[shift];
      state.a[node][k] = shift < 0 ? 0 : a[shift];
      state.w[node][k] = turn < 0 ? 0 : v[turn];
      state.alpha[node][k] = turn < 0 ? 0 : a[turn];
    }
}

ElementFrame::Row ElementFrame::joint_row(int joint) const {
  const Joint& driven = joints[joint];
  Row row{};
  row.a = {driven.parent, Vector3::Zero()};
  row.b = {driven.child, Vector3::Zero()};
  if (driven.turns) {
    // sin(psi - s) = -sin s (R_a u . R_b u) + cos s (R_a w . R_b u), psi the turn since the start
    const Matrix3 across = rotation_with_z_along(driven.axis);
    const Vector3 u = across.col(0), w = across.col(1);
    row.kind = Row::Kind::axes;
    row.terms = {Row::Term{0, u, u}, Row::Term{1, w, u}};
  } else {
    row.kind = Row::Kind::point;
    row.n = driven.axis;
    row.offset = driven.axis.dot(driven.offset);
  }
  return row;
}

int ElementFrame::drive_joint(int joint) {
  rows.push_back(joint_row(joint));
  rows.back().driven = joint;
  return static_cast<int>(rows.size()) - 1;
}

PlacedFrame ElementFrame::placed(const Frame& frame) const {
  const PlacedFrame body =
      frame.body < 0 ? PlacedFrame{{}, basis.transpose()} : of_body[frame.body];
  return {{body.point.node, body.point.p + body.axes * frame.X_BF.p}, body.axes * frame.X_BF.R};
}

}  // namespace tauflex
