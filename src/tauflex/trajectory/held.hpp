// A path with further outputs that hold still.
#pragma once

#include <memory>

#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

class HeldPath final : public OutputPath {
 public:
  HeldPath(std::shared_ptr<const OutputPath> path, Vector held)
      : path_(std::move(path)), held_(std::move(held)) {}

  int size() const override { return path_->size() + static_cast<int>(held_.size()); }
  double duration() const override { return path_->duration(); }
  void derivatives(double t, MatrixOut y) const override {
    path_->derivatives(t, y.topRows(path_->size()));
    y.bottomRows(held_.size()).setZero();
    y.col(0).tail(held_.size()) = held_;
  }
  std::vector<Corner> corners() const override { return path_->corners(); }

 private:
  std::shared_ptr<const OutputPath> path_;
  Vector held_;
};

}  // namespace tauflex
