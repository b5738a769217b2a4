#include "tauflex/report/course.hpp"

namespace tauflex {

Course course(const Record& record) {
  if (record.verification)
    return {record.verification->t, record.verification->q, record.verification->y, true};
  return {record.solution.t, record.solution.q, record.solution.y, false};
}

Matrix wanted(const Record& record, const Vector& t) {
  const OutputPath& path = *record.job.task.path;
  Matrix y(path.size(), t.size());
  for (Eigen::Index i = 0; i < t.size(); ++i) path_values<double>(path, t[i], y.col(i));
  return y;
}

}  // namespace tauflex
