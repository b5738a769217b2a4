// Pieces of paths: a few samples in each show where it goes.
#include <gtest/gtest.h>

#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/trajectory/circle.hpp"
#include "tauflex/trajectory/line.hpp"
#include "tauflex/trajectory/sequence.hpp"
#include "tauflex/trajectory/sine.hpp"
#include "tauflex/trajectory/stacked.hpp"
#include "tauflex/trajectory/warped.hpp"

namespace tauflex {
namespace {

using Path = std::shared_ptr<const OutputPath>;

Path line(double from, double to, double duration) {
  return std::make_shared<LinePath>(Vector::Constant(1, from), Vector::Constant(1, to), duration,
                                    11);
}
Path sine(double frequency, double duration) {
  return std::make_shared<SinePath>(Vector::Zero(1), Vector::Ones(1), frequency, 0.3, duration);
}
Path circle(double angle) {
  return std::make_shared<CirclePath>(Vector{{1, 0}}, Vector{{0, 0}}, angle, 2, 11);
}
// How often a component turns back between two times.
int turns(const OutputPath& path, double from, double to, int output) {
  constexpr int samples = 200;
  Matrix y(path.size(), 2);
  int count = 0;
  double last = 0;
  for (int i = 1; i < samples; ++i) {
    path.derivatives(from + (to - from) * i / samples, y);
    if (last * y(output, 1) < 0) ++count;
    if (y(output, 1) != 0) last = y(output, 1);
  }
  return count;
}

// A law: ordered, the window and nothing else, and no piece goes back and forth.
TEST(Pieces, turn_once_at_most) {
  Path moves = std::make_shared<SequencePath>(
      std::vector<Path>{line(0, 1, 0.5), line(1, 0, 0.25), line(0, 0, 3), line(0, 2, 1)});
  const std::vector<Path> paths = {
      line(0, 1, 2),
      moves,
      sine(7, 2),
      circle(5 * M_PI),
      circle(-0.1),
      std::make_shared<StackedPath>(moves, line(0, 1, 4.75)),
      std::make_shared<WarpedPath>(moves, Vector{{0.05, 0.02}}),
  };
  for (size_t p = 0; p < paths.size(); ++p) {
    const std::vector<double> ends = paths[p]->pieces(-0.5, 6);
    EXPECT_EQ(ends.front(), -0.5) << p;
    EXPECT_EQ(ends.back(), 6) << p;
    for (size_t i = 0; i + 1 < ends.size(); ++i) {
      EXPECT_LT(ends[i], ends[i + 1]) << p;
      for (int output = 0; output < paths[p]->size(); ++output)
        EXPECT_LE(turns(*paths[p], ends[i], ends[i + 1], output), 1) << p << " piece " << i;
    }
  }
}

TEST(Pieces, of_moves_one_after_the_other) {
  const SequencePath path({line(0, 1, 0.5), line(1, 0, 0.25), line(0, 0, 3)});
  EXPECT_EQ(path.pieces(-1, 4), (std::vector<double>{-1, 0, 0.5, 0.75, 3.75, 4}));
  EXPECT_EQ(path.pieces(0, 3.75), (std::vector<double>{0, 0.5, 0.75, 3.75}));
}

TEST(Pieces, that_are_too_many_are_refused) {
  EXPECT_THROW(sine(1e9, 1)->pieces(0, 1), InputError);
  EXPECT_THROW(circle(1e9)->pieces(0, 2), InputError);
}

}  // namespace
}  // namespace tauflex
