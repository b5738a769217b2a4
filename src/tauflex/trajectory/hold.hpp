// A path without outputs: time passes.
#pragma once

#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

class HoldPath final : public OutputPath {
 public:
  explicit HoldPath(double duration) : duration_(duration) {}

  int size() const override { return 0; }
  double duration() const override { return duration_; }
  void derivatives(double, MatrixOut) const override {}
  std::vector<Corner> corners() const override { return {}; }

 private:
  double duration_;  // s
};

}  // namespace tauflex
