// How much the robot still moves when the path has ended.
//
// The outputs stand still by demand, but joints without a motor go on. Linearised around the rest
// that follows, this internal motion is
//   z' = R z,  (q - q_rest, v, u - u_rest) = X z                                       theory (R.3)
// with the zeros of the problem as eigenvalues: its frequencies and decay times. Its size is that
// of the solution, held for one period of it. Motors that follow it hold the tool; motors that are
// locked where they are let the tool swing instead, linearised.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "tauflex/base/progress.hpp"
#include "tauflex/equations/start.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/solution.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

// One free motion exp(Re t) cos(Im t) and how large it is at the end of the path.
struct RingingMode {
  // 1/s, imaginary part not negative
  std::complex<double> eigenvalue;
  // nv, amplitudes: rad or m
  Vector q;
  // drives: N m or N; of locked motors: empty
  Vector u;
  // Outputs, with the motors locked; else empty.
  Vector y;

  // Hz; 0 when it does not swing
  double frequency() const;
  // s, to 1/e; negative when it grows, infinite when it stays
  double decay_time() const;
};

struct Ringing {
  Status status = Status::solved;
  // Why there is none.
  std::string message;
  // s, the end of the path
  double t = 0;

  // The tool stands still: internal motion, largest first. None: the robot has no internal
  // dynamics.
  std::vector<RingingMode> internal;
  // s, after t, in which it is measured; 0: from the modes, all together
  double window = 0;
  // nv: largest deviation of each joint and rotor from rest
  Vector q;
  // drives: the same of the torques
  Vector u;
  // The motors are locked: what the outputs do.
  std::vector<RingingMode> locked;
  // outputs: amplitude, all modes together; 0 for forces
  Vector y;
  // outputs: how far from the end of the path they come to rest
  Vector y_rest;
};

// `rest`: the robot at rest at the end of its path. Where the solution holds too shortly to show a
// period, the problem is solved once more, with a longer hold.
Ringing ringing_after(const InverseProblem& problem, const RestState& start, const RestState& rest,
                      const Method& method, const Solution& solution,
                      const Progress& progress = {});

}  // namespace tauflex
