// Two paths side by side: the outputs of the first, then those of the second, over the same time.
#pragma once

#include <algorithm>
#include <cassert>
#include <iterator>
#include <memory>

#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

class StackedPath final : public OutputPath {
 public:
  StackedPath(std::shared_ptr<const OutputPath> first, std::shared_ptr<const OutputPath> second)
      : first_(std::move(first)), second_(std::move(second)) {
    assert(first_->duration() == second_->duration());
  }

  int size() const override { return first_->size() + second_->size(); }
  double duration() const override { return first_->duration(); }
  void derivatives(double t, MatrixOut y) const override {
    first_->derivatives(t, y.topRows(first_->size()));
    second_->derivatives(t, y.bottomRows(second_->size()));
  }
  std::vector<Corner> corners() const override {
    std::vector<Corner> all = first_->corners();
    for (Corner corner : second_->corners()) {
      corner.output += first_->size();
      all.push_back(corner);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Corner& a, const Corner& b) { return a.time < b.time; });
    return all;
  }
  std::vector<double> pieces(double from, double to) const override {
    const std::vector<double> first = first_->pieces(from, to), second = second_->pieces(from, to);
    std::vector<double> all;
    std::set_union(first.begin(), first.end(), second.begin(), second.end(),
                   std::back_inserter(all));
    return all;
  }

 private:
  std::shared_ptr<const OutputPath> first_, second_;
};

}  // namespace tauflex
