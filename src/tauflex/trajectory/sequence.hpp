// Paths one after the other, each starting where the one before it ended.
#pragma once

#include <memory>
#include <optional>

#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

Vector position(const OutputPath& path, double t);

// The output in which the second path starts furthest from where the first one ends, when that is
// more than 1e-9 of the larger of 1 and the value.
struct Gap {
  int output;
  // Of the first path, of the second.
  double end, start;
};
std::optional<Gap> gap_between(const OutputPath& first, const OutputPath& second);

class SequencePath final : public OutputPath {
 public:
  // Throws InputError when there is a gap, naming segments and outputs by number from 1.
  explicit SequencePath(std::vector<std::shared_ptr<const OutputPath>> segments);

  int size() const override { return segments_.front()->size(); }
  double duration() const override { return times_.back(); }
  void derivatives(double t, MatrixOut y) const override;
  std::vector<Corner> corners() const override;
  std::vector<double> pieces(double from, double to) const override;

 private:
  std::optional<Corner> junction(size_t next) const;

  std::vector<std::shared_ptr<const OutputPath>> segments_;
  // s: segment i runs from times_[i] to times_[i + 1]
  std::vector<double> times_;
};

}  // namespace tauflex
