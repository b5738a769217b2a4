// Torques that are functions of time, sent to some drives on top of a table.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "tauflex/plant/controller.hpp"
#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

class TorqueFunctions final : public Controller {
 public:
  // Drive and its torque, one value each.
  using Functions = std::vector<std::pair<int, std::shared_ptr<const OutputPath>>>;
  explicit TorqueFunctions(Functions functions) : functions_(std::move(functions)), value_(1, 1) {}

  void add_torques(double t, const VectorRef&, const VectorRef&, VectorOut u) override {
    for (const auto& [drive, torque] : functions_) {
      torque->derivatives(t, value_);
      u[drive] += value_(0, 0);
    }
  }
  void add_gains(double, const VectorRef&, const VectorRef&, MatrixOut, MatrixOut) override {}

 private:
  Functions functions_;
  Matrix value_;
};

}  // namespace tauflex
