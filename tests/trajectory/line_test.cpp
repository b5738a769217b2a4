// Closed forms, corners and error messages of a straight move.
#include "tauflex/trajectory/line.hpp"

#include "tests/trajectory/path_laws.hpp"

namespace tauflex {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

TEST(LinePath, IsUniformMotionForDegree1) {
  const LinePath path(Vector{{1, 5}}, Vector{{3, 4}}, 4, 1);
  const Matrix y = derivatives(path, 1, 3);
  EXPECT_EQ(y.col(0), Vector({{1.5, 4.75}}));
  EXPECT_EQ(y.col(1), Vector({{0.5, -0.25}}));
  EXPECT_TRUE(y.rightCols(2).isZero(0));
}

TEST(LinePath, MeetsBothEndsExactly) {
  const Vector from{{0.1, -1e9}}, to{{0.3, 0.7}};  // 0.1 + (0.3 - 0.1) is not 0.3 in doubles
  const LinePath path(from, to, 0.3, 11);
  EXPECT_EQ(derivatives(path, 0).col(0), from);
  EXPECT_EQ(derivatives(path, 0.3).col(0), to);
  EXPECT_EQ(derivatives(path, just_before(0.3)).col(0), to);
}

// law: a C^5 end; y^(k) goes to zero as the (6 - k)-th power of the distance
TEST(LinePath, IsSmoothAtItsEnds) {
  const double T = 0.3, span = 2, eps = 1e-6;
  const LinePath path(Vector{{1}}, Vector{{1 + span}}, T, 11);
  for (const double t : {eps * T, T - eps * T}) {
    const double x = std::min(t, T - t) / T;
    const Matrix y = derivatives(path, t);
    double factor = 462;  // s = 462 x^6 (1 - 30/7 x ...)
    for (int k = 1; k <= 6; ++k) {
      factor *= 7 - k;
      const double expected = span * factor * std::pow(x, 6 - k) / std::pow(T, k);
      EXPECT_NEAR(std::abs(y(0, k)), expected, 2e-4 * expected) << k;  // next term: 30 x 1e-6
    }
  }
}

TEST(LinePath, ItsCornersAreWhereItMoves) {
  const Vector from{{2, 1, 0}}, to{{2, 0.5, 3}};
  EXPECT_EQ(described(LinePath(from, to, 0.3, 11).corners()),
            "t=0 k=6 output=2; t=0.3 k=6 output=2; ");
  EXPECT_EQ(described(LinePath(from, to, 0.3, 1).corners()),
            "t=0 k=1 output=2; t=0.3 k=1 output=2; ");
  EXPECT_EQ(described(LinePath(from, from, 0.3, 11).corners()), "");
}

TEST(LinePath, SaysWhatIsWrong) {
  const Vector a{{0, 0}}, b{{1, 1}}, c{{1, 1, 1}};
  EXPECT_EQ(refusal([&] { LinePath(a, c, 1, 11); }), "a line from 2 outputs to 3");
  EXPECT_EQ(refusal([&] { LinePath(Vector(), Vector(), 1, 11); }), "a line from 0 outputs to 0");
  EXPECT_EQ(refusal([&] { LinePath(a, b * nan, 1, 11); }), "the ends of a line must be finite");
  EXPECT_EQ(refusal([&] { LinePath(a, b, 0, 11); }), "duration must be greater than 0, got 0");
  EXPECT_EQ(refusal([&] { LinePath(a, b, nan, 11); }), "duration must be greater than 0, got nan");
}

}  // namespace
}  // namespace tauflex
