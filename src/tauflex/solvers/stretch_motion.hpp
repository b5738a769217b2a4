// Stretch of the drive springs under a known load, step by step and mode by mode:
//   lag z' + z + F^T beyond(F z) = F^T load(t)                                      theory (P.14)
// The load is a polynomial, so this is cheap. A mode whose lag is long compared with a step is
// integrated by as many Radau steps inside the given one as it takes. A mode whose lag is short
// follows the load, and only what a corner of the path leaves behind fades with the lag.
#pragma once

#include <memory>

#include "tauflex/math/newton_form.hpp"
#include "tauflex/mechanics/stretch_series.hpp"

namespace tauflex {

class StretchMotion {
 public:
  // `tolerance`: of each mode, relative to its largest stretch.
  StretchMotion(const DriveTrain& drives, double tolerance);

  // Some mode has a lag: its stretch does not follow from the load at one time.
  bool has_memory() const;
  // The last step would have made the parts of all steps too many to be integrated in any time that
  // somebody waits for: springs that harden under far too large a load.
  bool is_endless() const;
  // Starts anew: at rest, under the load with which the first step begins.
  void clear();
  // From the last time on by h, under the load of all elastic drives over x in [0, 1]; a step may
  // begin at a corner of the path. False when an iteration fails.
  bool append(double h, NewtonForm load, bool at_corner);
  // Rounding of the second derivative of each mode, which the lag of integrated modes divides
  // twice.
  const Vector& rounding() const { return rounding_; }
  // Largest jump of the second derivative of each mode where two steps meet. There is none in
  // truth: the load and two derivatives of it are exact there, those beyond are derivatives of
  // polynomials, and they are worst at the ends of these.
  const Vector& jumps() const { return jumps_; }
  const DriveModes& modes() const { return modes_; }
  // What there is to know at x of step i. False when an iteration fails.
  bool at(size_t i, double x, StretchState& out);

 private:
  struct Step {
    double h;
    NewtonForm load;
    // Modes that follow the load.
    int following;
    // z where parts meet: modes x (parts + 1)
    Matrix ends;
    // What modes that follow have left of the last corner where the step begins, and how fast it
    // fades, 1/s; springs that harden change the shapes in which it does.
    Vector transient, fading;
    Matrix shapes;
  };
  // One part, from (F^T load - z) at its stages, z at its beginning.
  struct Part {
    double length;
    // z at its end less z = sum over stages of weights times that, as long as springs are linear:
    // modes x stages.
    Matrix weights;
    // Else, for the rates at the stages.
    std::unique_ptr<SpringEquations> stages;
  };
  Part& part_of(double length);
  bool integrate(const Step& step, int parts, Matrix& ends);
  bool integrate_until_accurate(Step& step);
  // So many parts are short compared with the lags where z is one of the columns.
  double parts_wanted(const Step& step, const Matrix& z) const;
  int modes_that_follow(const Step& step);
  bool corrections_converge(const Step& step, int following);
  double difference(const Step& step, const Matrix& coarse, const Matrix& fine);
  bool begin_at_rest(const NewtonForm& load);
  Matrix tangent(const VectorRef& z) const;
  void note_rounding(const Step& step);
  bool note_jump(const Step* before, const Step& step);
  bool acceleration(const Step& step, bool at_end, Vector& out);
  bool begin_transients(const Step* before, bool at_corner, Step& step);
  Vector jump(const DriveModes& fading, const Step* before, const Step& step);
  Vector transient_of(const Step& step, double x) const;
  void load_series(const Step& step, double x, int columns);
  void take_state(const Step& step, double x, StretchState& out);
  bool series_at_end(const Step& step, int end, Matrix& out);

  const DriveTrain& drives_;
  StretchSeries series_;
  const DriveModes& modes_;
  double tolerance_;
  // Largest z of each mode so far.
  Vector sizes_, rounding_, jumps_;
  // to begin the next step with
  int parts_ = 1;
  // Of all steps so far.
  double wanted_ = 0;
  std::vector<Step> steps_;
  std::vector<Part> parts_known_;
  // z at the last time, of all modes.
  Vector z_;
  Vector right_, beginning_, rates_;
  Matrix loads_, modal_loads_, load_series_, known_load_, left_load_, left_, right_series_;
  StretchState state_;
  // Of the part that was asked for last.
  NewtonForm form_;
  size_t form_step_ = 0;
  int form_part_ = -1;
};

}  // namespace tauflex
