// The motion that the charts of a run show, and the one that was wanted.
#pragma once

#include "tauflex/results/run.hpp"

namespace tauflex {

// What the robot does: as simulated where there is a proof, else as computed. Refers to the record.
struct Course {
  const Vector& t;
  const Matrix& q;
  const Matrix& y;
  bool simulated;
};

Course course(const Record& record);

// The path of the outputs, one column per time.
Matrix wanted(const Record& record, const Vector& t);

}  // namespace tauflex
