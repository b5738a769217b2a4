// Junctions of paths that follow each other.
#include "tauflex/trajectory/sequence.hpp"

#include "tauflex/trajectory/circle.hpp"
#include "tauflex/trajectory/line.hpp"
#include "tauflex/trajectory/smoothness.hpp"
#include "tests/trajectory/path_laws.hpp"

namespace tauflex {
namespace {

using Path = std::shared_ptr<const OutputPath>;

Path line(const Vector& from, const Vector& to, double duration, int degree) {
  return std::make_shared<LinePath>(from, to, duration, degree);
}
const Vector a{{0, 0}}, b{{1, 0}}, c{{1, 3}}, d{{2, 0}};

TEST(SequencePath, RunsItsSegmentsOneAfterTheOther) {
  const Path first = line(a, b, 0.1, 5), rest = line(b, b, 0.2, 1), last = line(b, c, 0.7, 9);
  const SequencePath path({first, rest, last});
  EXPECT_EQ(path.size(), 2);
  EXPECT_NEAR(path.duration(), 1, 1e-15);  // rounded sum
  EXPECT_EQ(derivatives(path, 0.07), derivatives(*first, 0.07));
  EXPECT_EQ(derivatives(path, 0.15).col(0), b);
  EXPECT_TRUE(derivatives(path, 0.15).rightCols(15).isZero(0));
  const double start = 0.1 + 0.2;
  EXPECT_EQ(derivatives(path, 0.9), derivatives(*last, 0.9 - start));
  EXPECT_EQ(derivatives(path, start), derivatives(*last, 0)) << "the limit from the right";
}

TEST(SequencePath, HasTheLimitsFromTheRightAtEveryRoundedTime) {
  for (int i = 1; i <= 200; ++i) {
    const double first = 0.1 * i, second = 0.3 / i;  // sums that round up and down
    const SequencePath path({line(a, b, first, 1), line(b, a, second, 1)});
    EXPECT_EQ(derivatives(path, first)(0, 1), -1 / second) << i;
    EXPECT_EQ(derivatives(path, just_before(first))(0, 1), 1 / first) << i;
    EXPECT_EQ(derivatives(path, path.duration())(0, 1), 0) << i;
    const SequencePath longer({line(a, b, first, 1), line(b, a, second, 1), line(a, b, 1, 1)});
    EXPECT_EQ(derivatives(longer, just_before(path.duration()))(0, 1), -1 / second) << i;
    EXPECT_EQ(derivatives(longer, path.duration())(0, 1), 1) << i;
  }
}

TEST(SequencePath, MovesUntilItsRoundedEnd) {
  const SequencePath path(
      {line(a, b, 0.3, 1), line(b, a, 0.7, 1)});  // just before 1, less 0.3: 0.7
  EXPECT_EQ(derivatives(path, just_before(path.duration()))(0, 1), -1 / 0.7);
}

TEST(SequencePath, MergesCornersToTheLowestDerivative) {
  EXPECT_EQ(described(SequencePath({line(a, b, 1, 11), line(b, c, 2, 7)}).corners()),
            "t=0 k=6 output=0; t=1 k=4 output=1; t=3 k=4 output=1; ");
  EXPECT_EQ(described(SequencePath({line(a, b, 1, 7), line(b, c, 2, 11)}).corners()),
            "t=0 k=4 output=0; t=1 k=4 output=0; t=3 k=6 output=1; ");
  EXPECT_EQ(
      described(SequencePath({line(a, b, 1, 11), line(b, b, 2, 1), line(b, c, 1, 5)}).corners()),
      "t=0 k=6 output=0; t=1 k=6 output=0; t=3 k=3 output=1; t=4 k=3 output=1; ");
  EXPECT_EQ(described(SequencePath({line(a, a, 1, 11), line(a, a, 2, 1)}).corners()), "");
}

TEST(SequencePath, OnlyRealJumpsAreCorners) {
  EXPECT_EQ(described(SequencePath({line(a, b, 0.3, 1), line(b, d, 0.3, 1)}).corners()),
            "t=0 k=1 output=0; t=0.6 k=1 output=0; ")
      << "one straight uniform motion in two pieces";
  EXPECT_EQ(described(SequencePath({line(a, b, 1, 9), line(b, d, 1, 9)}).corners()),
            "t=0 k=5 output=0; t=1 k=6 output=0; t=2 k=5 output=0; ")
      << "the odd derivative of both sides is the same, the next one is not";
}

TEST(SequencePath, NestsWithItsOwnCorners) {
  const Path inner =
      std::make_shared<SequencePath>(std::vector<Path>{line(a, b, 0.1, 5), line(b, c, 0.2, 5)});
  const SequencePath path({inner, line(c, a, 0.5, 9)});
  const std::string start = "t=0 k=3 output=0; t=0.1 k=3 output=0; ";
  EXPECT_EQ(described(path.corners()).substr(0, start.size()), start);
  ASSERT_EQ(path.corners().size(), 4u);
  EXPECT_EQ(path.corners()[2].time, inner->duration());
  EXPECT_EQ(path.corners()[3].time, path.duration());
  EXPECT_EQ(first_corner(path, 3)->time, 0);
}

TEST(SequencePath, AcceptsTheRoundingOfAFullTurn) {
  const Path turn = std::make_shared<CirclePath>(a, b, 6.283185307179586, 1, 11);
  EXPECT_EQ(SequencePath({turn, turn, line(a, b, 1, 11)}).duration(), 3);
}

TEST(SequencePath, SaysWhatIsWrong) {
  const auto make = [](std::vector<Path> segments) {
    return refusal([&] { SequencePath path(segments); });
  };
  EXPECT_EQ(make({}), "a sequence needs at least one segment");
  EXPECT_EQ(make({line(a, b, 1, 11), line(b, c, 1, 11), line(b, a, 1, 11)}),
            "segment 2 ends at 3 but segment 3 starts at 0 in output 2: a gap of 3");
  EXPECT_EQ(make({line(a, b, 1, 11), line(b * (1 + 3e-9), c, 1, 11)}),
            "segment 1 ends at 1 but segment 2 starts at 1.000000003 in output 1: a gap of 3e-09");
  EXPECT_EQ(make({line(a, b, 1, 11), line(b * (1 + 3e-10), c, 1, 11)}), "(accepted)");
  EXPECT_EQ(make({line(a, b, 1, 11), line(Vector{{1}}, Vector{{2}}, 1, 11)}),
            "segment 1 has 2 outputs, segment 2 has 1");
}

}  // namespace
}  // namespace tauflex
