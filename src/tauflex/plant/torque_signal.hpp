// Motor torques between the samples of a table: how a controller holds them matters more than how
// they were computed, so every proof says which hold it is for.
#pragma once

#include <string_view>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

enum class Hold {
  // Degree 5 through the six nearest samples.
  smooth,
  // u(t) of the method itself, where it has it at any time; a signal is then as `smooth`
  exact,
  // Straight between samples.
  linear,
  // The value of the last sample, as a sampled controller sends it.
  held,
};

constexpr std::string_view name(Hold hold) {
  return hold == Hold::smooth   ? "smooth"
         : hold == Hold::exact  ? "exact"
         : hold == Hold::linear ? "linear"
                                : "held";
}

class TorqueSignal {
 public:
  // Increasing times; one column of u per time. Before and after the table: its ends.
  TorqueSignal(Vector t, Matrix u, Hold hold);

  int size() const { return static_cast<int>(u_.rows()); }
  Hold hold() const { return hold_; }
  bool is_smooth() const { return hold_ == Hold::smooth || hold_ == Hold::exact; }
  const Vector& times() const { return t_; }

  // Between t_[interval] and the next sample, from that side at the ends. Does not allocate.
  int interval(double t) const;
  void value(double t, int interval, VectorOut u) const;

 private:
  Vector t_;
  Matrix u_;
  Hold hold_;
};

}  // namespace tauflex
