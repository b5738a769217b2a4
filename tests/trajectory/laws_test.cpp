// Laws that every path obeys.
#include "tauflex/trajectory/blended.hpp"
#include "tauflex/trajectory/circle.hpp"
#include "tauflex/trajectory/line.hpp"
#include "tauflex/trajectory/rest_series.hpp"
#include "tauflex/trajectory/sequence.hpp"
#include "tauflex/trajectory/spline.hpp"
#include "tauflex/trajectory/warped.hpp"
#include "tests/trajectory/path_laws.hpp"

namespace tauflex {
namespace {

using Path = std::shared_ptr<const OutputPath>;

struct Named {
  const char* name;
  Path (*make)();
};

Path line(int degree, double duration = 0.3) {
  return std::make_shared<LinePath>(Vector{{2.146, 0.5, -0.345}}, Vector{{1.146, 0.5, 1.645}},
                                    duration, degree);
}

Path arc(int degree, double angle) {  // starts where line() ends
  const Vector from{{1.146, 0.5, 1.645}}, center{{1.146, 0.5, 0.145}};
  return std::make_shared<CirclePath>(from, center, angle, 0.7, degree, Vector3(0, 2, 0));
}

Path flat_arc(int degree, double angle) {
  return std::make_shared<CirclePath>(Vector{{1, 2}}, Vector{{0.5, 0}}, angle, 2.0, degree);
}

Path spline(int smoothness) {
  const Vector times{{10, 10.2, 10.3, 10.45, 10.9, 11}};
  Matrix points(6, 2);
  points << 1, 0,  //
      1.2, 5,      //
      1.1, 5,      //
      0.4, 6,      //
      0.7, 7,      //
      1.0, 6;
  return std::make_shared<InterpolatingSpline>(times, points, smoothness);
}

Path sequence(std::vector<Path> segments) {
  return std::make_shared<SequencePath>(std::move(segments));
}

Path back_and_forth() {
  const auto there = std::make_shared<LinePath>(Vector{{1, 6}}, Vector{{1, 0}}, 0.7, 5);
  return sequence({spline(3), there, spline(2)});
}

Path rest_series() {
  Matrix c(2, 4);
  c << 0.3, -0.2, 0.1, 0.5,  //
      0, 0, 0.2, -0.1;
  return std::make_shared<RestSeries>(Vector{{1, -2}}, c, 0.7);
}

// Corners of a right angle and of a small one; with a ramp longer than the way there is no cruise,
// and a demand above 1 makes the first corner slower.
Path blended(int smoothness, double ramp, double demand = 0) {
  Matrix points(4, 2);
  points << 0, 0,  //
      1, 0,        //
      1, 0.5,      //
      1.1, 1.5;
  return std::make_shared<BlendedPath>(BlendedWay{points, Vector{{1, 0.5, 1.1}},
                                                  Vector{{0, 0.1, 0.15, 0}},
                                                  Vector{{0, demand, 0.2, 0}}, ramp, smoothness});
}

class PathLaws : public ::testing::TestWithParam<Named> {};

TEST_P(PathLaws, DerivativesMatchDifferences) {
  expect_derivatives_match_differences(*GetParam().make());
}
TEST_P(PathLaws, RestsBeforeAndAfter) { expect_rest_before_and_after(*GetParam().make()); }
TEST_P(PathLaws, CornersJump) { expect_corners_jump(*GetParam().make()); }
TEST_P(PathLaws, FewerDerivativesAreTheSameNumbers) {
  const Path path = GetParam().make();
  const double t = 0.37 * path->duration();
  for (const int order : {0, 1, 6})
    EXPECT_EQ(derivatives(*path, t, order), derivatives(*path, t).leftCols(order + 1));
}

INSTANTIATE_TEST_SUITE_P(
    All, PathLaws,
    ::testing::Values(
        Named{"Line1", [] { return line(1); }}, Named{"Line3", [] { return line(3); }},
        Named{"Line11", [] { return line(11); }},
        Named{"Line11InAMillisecond", [] { return line(11, 1e-3); }},
        Named{"Line29", [] { return line(29); }}, Named{"FlatArc1", [] { return flat_arc(1, 2); }},
        Named{"FlatArc11", [] { return flat_arc(11, -6.283); }},
        Named{"Arc11", [] { return arc(11, 6.283); }}, Named{"Arc9", [] { return arc(9, -1.5); }},
        Named{"Spline0", [] { return spline(0); }}, Named{"Spline1", [] { return spline(1); }},
        Named{"Spline2", [] { return spline(2); }}, Named{"Spline3", [] { return spline(3); }},
        Named{"Spline4", [] { return spline(4); }}, Named{"Spline5", [] { return spline(5); }},
        Named{"Spline6", [] { return spline(6); }},
        Named{"LineArc",
              [] {
                return sequence({line(11), arc(7, 1)});
              }},
        Named{"BackAndForth", [] { return back_and_forth(); }},
        Named{"Blended1", [] { return blended(1, 0.3); }},
        Named{"Blended3", [] { return blended(3, 0.7); }},
        Named{"Blended4", [] { return blended(4, 0.7); }},
        Named{"Blended6", [] { return blended(6, 1.3); }},
        Named{"BlendedWithoutCruise", [] { return blended(4, 5); }},
        Named{"BlendedSlowly", [] { return blended(4, 0.3, 3); }},
        Named{"RestSeries", [] { return rest_series(); }},
        Named{"Warped",
              []() -> Path {
                return std::make_shared<WarpedPath>(
                    std::make_shared<LinePath>(Vector{{1, -2}}, Vector{{2, 0}}, 0.7, 11),
                    Vector{{0.02, -0.01, 0.015}});
              }}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace tauflex
