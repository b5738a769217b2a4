#include "tauflex/mechanics/position_series.hpp"

#include <Eigen/Geometry>

namespace tauflex {

namespace {

// (0, w) xi / 2
Eigen::Vector4d turned(const Eigen::Vector4d& xi, const Vector3& w) {
  const Vector3 r = xi.tail<3>();
  Eigen::Vector4d out;
  out << -0.5 * w.dot(r), 0.5 * (xi[0] * w + w.cross(r));
  return out;
}

}  // namespace

void next_position_coefficient(const Robot& robot, int k, const MatrixRef& v, MatrixOut q) {
  for (int row = 0; row < robot.tree_nv(); ++row)
    if (const int i = robot.coordinates().of_velocity[row]; i >= 0)
      q(i, k + 1) = v(row, k) / (k + 1);
  for (const Quaternion& at : robot.coordinates().quaternions) {
    Eigen::Vector4d sum = Eigen::Vector4d::Zero();
    for (int j = 0; j <= k; ++j)
      sum += turned(q.col(k - j).segment<4>(at.q), v.col(j).segment<3>(at.v));
    q.col(k + 1).segment<4>(at.q) = sum / (k + 1);
  }
}

void position_rate_change(const Robot& robot, const VectorRef& dq, const VectorRef& v,
                          VectorOut out) {
  out.setZero();
  for (const Quaternion& at : robot.coordinates().quaternions)
    out.segment<4>(at.q) = turned(dq.segment<4>(at.q), v.segment<3>(at.v));
}

void turned_steps(const Robot& robot, const MatrixRef& eta, const VectorRef& v, MatrixOut out) {
  out.setZero();
  for (const Quaternion& at : robot.coordinates().quaternions) {
    const Vector3 w = v.segment<3>(at.v);
    for (Eigen::Index i = 0; i < eta.cols(); ++i) {
      const Vector3 step = eta.col(i).segment<3>(at.v);
      out.col(i).segment<3>(at.v) = step.cross(w);
    }
  }
}

}  // namespace tauflex
