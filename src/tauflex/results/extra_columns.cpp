#include "tauflex/results/extra_columns.hpp"

#include "tauflex/jobs/column_names.hpp"
#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/joint_side.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

Matrix frame_rows(const Robot& robot, const std::vector<std::string>& wanted, const Matrix& q,
                  const Matrix& v, std::vector<std::string>& columns) {
  MechanicsData data(robot);
  Matrix rows(3 * std::ssize(wanted), q.cols());
  for (const std::string& name : wanted) {
    const WantedColumns of(name);
    for (const char* axis : {".x", ".y", ".z"})
      columns.push_back((of.is_velocity ? "pdot." : "p.") + of.frame + axis);
  }
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    kinematics<double>(robot, data, q.col(i));
    for (int k = 0; k < std::ssize(wanted); ++k) {
      const WantedColumns of(wanted[k]);
      const Frame& frame = robot.frames()[robot.find_frame(of.frame)];
      const Vector3 p = frame_position(data, frame);
      const Motion<double> V = velocity_of<double>(robot, data, frame, v.col(i));
      rows.col(i).segment<3>(3 * k) = of.is_velocity ? Vector3(V.v + V.w.cross(p)) : p;
    }
  }
  return rows;
}

Matrix joint_side_rows(const Robot& robot, const Matrix& q, const Matrix& v, const Matrix& vdot,
                       const Matrix& u, std::vector<std::string>& columns) {
  if (!has_gear(robot)) return Matrix(0, q.cols());
  for (const std::string& name : robot.actuation().names) columns.push_back("tau." + name);
  MechanicsData data(robot);
  Matrix rows(u.rows(), q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    joint_side_torques(robot, data, q.col(i), v.col(i), vdot.col(i), u.col(i), rows.col(i));
  return rows;
}

}  // namespace tauflex
