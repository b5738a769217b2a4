// A path that is known up to some time ahead only, sample by sample: along another path, or as
// somebody gives it. Derivatives of given samples are those of the polynomial of degree 7 through
// the eight samples around.
#pragma once

#include <memory>

#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

class PreviewedPath final : public OutputPath {
 public:
  // Along `whole` until a sample is given. Samples are `step` apart from `begin` on, and `ahead` of
  // them are known at the beginning.
  PreviewedPath(std::shared_ptr<const OutputPath> whole, double begin, double step, int ahead);

  // As at the beginning.
  void reset();
  // The next sample: that of the path it goes along, or a given one. Do not allocate.
  void advance();
  void advance(const VectorRef& y);
  // Takes the last sample back.
  void retreat();
  // s, of the next sample
  double next_time() const { return begin_ + static_cast<double>(newest_ + 1) * step_; }

  int size() const override { return whole_->size(); }
  double duration() const override { return whole_->duration(); }
  // From the beginning to the last sample that is known, not more than `ahead` samples before it.
  void derivatives(double t, MatrixOut y) const override;
  std::vector<Corner> corners() const override { return whole_->corners(); }
  std::vector<double> pieces(double from, double to) const override {
    return whole_->pieces(from, to);
  }

 private:
  void push(const VectorRef& y);
  auto sample(long k) const { return samples_.col(k % samples_.cols()); }

  std::shared_ptr<const OutputPath> whole_;
  double begin_, step_;
  int ahead_;
  // One column each, sample k in column k modulo their number, k from -stencil on.
  Matrix samples_;
  long newest_ = 0;
  // A sample was given; before the last one too.
  bool is_given_ = false, was_given_ = false;
  Matrix next_;  // one column
};

}  // namespace tauflex
