// Stretch of the damped drive springs under a known load, step by step:
//   D d' + K d + hardening(d) = load(t)                                              theory (P.14)
// Stiff where drives are hardly damped, and cheap, because the load is a polynomial: as many
// Radau steps inside each given one as it takes.
#pragma once

#include <memory>

#include "tauflex/math/newton_form.hpp"
#include "tauflex/mechanics/drive_train.hpp"

namespace tauflex {

class StretchMotion {
 public:
  // `tolerance`: relative to the largest d.
  StretchMotion(const DriveTrain& drives, double tolerance);

  // Starts with d.
  void clear(const VectorRef& d);
  // From the last time on by h, under the load of all elastic drives over x in [0, 1]. False when
  // an iteration fails.
  bool append(double h, NewtonForm load);
  // d at x of step i.
  void at(size_t i, double x, VectorOut d);

 private:
  struct Step {
    double h;
    NewtonForm load;
    // d where parts meet: drives x (parts + 1)
    Matrix ends;
  };
  // One part, from (load - K d) at its stages, d at its beginning.
  struct Part {
    double length;
    // d at its end less d = weights times that, as long as springs are linear
    // Drives x (drives * stages)
    Matrix weights;
    // Else, for the rates at the stages.
    std::unique_ptr<SpringEquations> stages;
  };
  Part& part_of(double length);
  bool integrate(double h, int parts, const NewtonForm& load, Matrix& ends);
  void series(const Step& step, int end, Matrix& out);

  const DriveTrain& drives_;
  StretchSeries stretch_series_;
  double tolerance_;
  Matrix K_, D_;
  // 1/s, of D^-1 K
  double fastest_ = 0;
  double size_ = 0;  // of d so far
  // to begin the next step with
  int parts_ = 1;
  std::vector<Step> steps_;
  std::vector<Part> parts_known_;
  Vector d_, right_, end_, beginning_, rates_;
  Matrix loads_, load_series_, all_, left_, right_series_;
  // Of the part that was asked for last.
  NewtonForm form_;
  size_t form_step_ = 0;
  int form_part_ = -1;
};

}  // namespace tauflex
