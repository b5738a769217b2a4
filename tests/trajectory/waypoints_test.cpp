// Ways by waypoints: speed, acceleration, corners and durations in closed form, and what is
// refused.
#include <fmt/format.h>

#include <numbers>

#include "math/random.hpp"
#include "tauflex/trajectory/path_file.hpp"
#include "tests/trajectory/path_laws.hpp"

namespace tauflex {
namespace {

using Path = std::shared_ptr<const OutputPath>;
using Names = std::vector<std::string>;

const Names xy = {"tool.x", "tool.y"}, joints = {"upper", "fore"};

Path read(const std::string& way, const Names& outputs = xy, const std::string& more = "") {
  PathReading reading;
  return read_path(Node::read_text("{waypoints: {" + way + "}" + more + "}", "job.yaml"), outputs,
                   {}, reading);
}

// The largest value of f(t): among samples, then by golden section about the best of them.
template <class F>
double largest(const OutputPath& path, const F& f) {
  constexpr int samples = 4000;
  int best = 0;
  for (int i = 1; i <= samples; ++i)
    if (f(path.duration() * i / samples) > f(path.duration() * best / samples)) best = i;
  double low = path.duration() * (best - 1) / samples,
         high = path.duration() * (best + 1) / samples;
  for (int i = 0; i < 60; ++i) {
    const double a = high - 0.618 * (high - low), b = low + 0.618 * (high - low);
    (f(a) < f(b) ? low : high) = f(a) < f(b) ? a : b;
  }
  return f((low + high) / 2);
}

// The largest length of the k-th derivative.
double peak(const OutputPath& path, int k) {
  return largest(path, [&](double t) { return derivatives(path, t, k).col(k).norm(); });
}

// How close the path comes to a point.
double distance_to(const OutputPath& path, const Vector& point) {
  return -largest(path, [&](double t) { return -(derivatives(path, t, 0).col(0) - point).norm(); });
}

const std::string right_angle = "points: [[0, 0], [1, 0], [1, 0.8]], speed: 0.5, acceleration: 2";

// The speed is reached and not exceeded, in corners neither; nor is the acceleration of the ramps.
TEST(Waypoints, KeepTheirSpeedAndAcceleration) {
  for (const int m : {1, 2, 3, 5, 8}) {
    const Path path = read(right_angle + ", blend: 0.2", xy, ", smoothness: " + std::to_string(m));
    EXPECT_NEAR(peak(*path, 1), 0.5, 1e-12) << m;
    EXPECT_EQ(described(path->corners()).find("k=" + std::to_string(m) + " "), std::string::npos);
    for (const Corner& corner : path->corners()) EXPECT_GT(corner.derivative, m);
    const Path straight = read("points: [[0, 0], [3, 0]], speed: 0.5, acceleration: 2", xy,
                               ", smoothness: " + std::to_string(m));
    EXPECT_NEAR(peak(*straight, 2), 2, 1e-12) << m;
  }
}

// length / speed + ramp, and the ramp from rest to speed takes speed s'(1/2) / acceleration; s' of
// degree 3 (C^2 path) is 3/2 there.
TEST(Waypoints, HaveTheDurationOfATrapezoid) {
  const Path path = read(right_angle + ", blend: 0.2", xy, ", smoothness: 2");
  EXPECT_NEAR(path->duration(), 1.8 / 0.5 + 1.5 * 0.5 / 2, 1e-15 * 8);
  // 0.01 m are too short for full speed: p = sqrt(length / (speed ramp)), twice the ramp p
  const Path small =
      read("points: [[0, 0], [0.01, 0]], speed: 0.5, acceleration: 2", xy, ", smoothness: 2");
  const double ramp = 1.5 * 0.5 / 2, p = std::sqrt(0.02 / ramp);
  EXPECT_NEAR(small->duration(), 2 * p * ramp, 1e-15);
  EXPECT_NEAR(peak(*small, 1), 0.5 * p, 1e-12);
  EXPECT_NEAR(peak(*small, 2), 2, 1e-12);
}

// A tolerance is how far from its point the way passes, for any smoothness.
TEST(Waypoints, PassACornerAtTheTolerance) {
  for (const int m : {2, 4, 6}) {
    const Path path = read(
        "points: [[0, 0], [1, 0], [0.6, 0.9]], speed: 0.5, acceleration: 2,"
        " tolerance: 0.004",
        xy, ", smoothness: " + std::to_string(m));
    EXPECT_NEAR(distance_to(*path, Vector{{1, 0}}), 0.004, 1e-14) << m;
  }
  // no more room than half of what is between two corners
  const Path tight = read(
      "points: [[0, 0], [1, 0], [1, 0.01], [0, 0.01]], speed: 0.5,"
      " acceleration: 2, tolerance: 0.1");
  EXPECT_LT(distance_to(*tight, Vector{{1, 0}}), 0.005);
}

// Up to a blend radius from its point the way is straight, and from there on it is not.
TEST(Waypoints, LeaveTheLineAtTheBlend) {
  const Path path = read(right_angle + ", blend: 0.2");
  bool left = false;
  for (int i = 0; i <= 2000; ++i) {
    const Vector y = derivatives(*path, path->duration() * i / 2000, 0).col(0);
    const double from_corner = (y - Vector{{1, 0}}).norm();
    const double from_lines = std::min(std::abs(y[1]), std::abs(y[0] - 1));
    if (from_corner >= 0.2) EXPECT_LT(from_lines, 1e-15) << from_corner;
    left = left || from_lines > 1e-3;
  }
  EXPECT_TRUE(left);
}

// Each point with its own blend; where it is 0 the tool stops.
TEST(Waypoints, StopWhereNothingIsBlended) {
  const Path path = read(
      "points: [[0, 0], {at: [1, 0], blend: 0}, {at: [1, 1], tolerance: 0.01}, [2, 1]],"
      " speed: 0.5, acceleration: 2, blend: 0.1");
  EXPECT_LT(distance_to(*path, Vector{{1, 0}}), 1e-15);
  EXPECT_NEAR(distance_to(*path, Vector{{1, 1}}), 0.01, 1e-14);
  double slowest = 1;
  for (int i = 200; i <= 19800; ++i)
    slowest = std::min(slowest, derivatives(*path, path->duration() * i / 20000, 1).col(1).norm());
  EXPECT_LT(slowest, 1e-6);
}

// In joint space the slowest joint sets the pace; points by name.
TEST(Waypoints, MoveJointsByName) {
  const Path path = read(
      "points: [{upper: 0, fore: 0}, {fore: 60 deg, upper: 1}, {upper: 2, fore: 1}],"
      " speed: 45 deg/s, acceleration: 3, blend: 0.1",
      joints);
  const double speed = std::numbers::pi / 4;
  for (const int joint : {0, 1})  // the first part is 60 deg for `fore` and 1 rad for `upper`
    EXPECT_NEAR(largest(*path, [&](double t) { return derivatives(*path, t, 1)(joint, 1); }), speed,
                1e-12);
  EXPECT_EQ(derivatives(*path, path->duration(), 0).col(0), (Vector{{2, 1}}));
}

// Where the tool only turns, the turn has its own speed.
TEST(Waypoints, TurnWithTheirOwnSpeed) {
  const Names pose = {"tool.x", "tool.y", "tool.z", "tool.rx", "tool.ry", "tool.rz"};
  const std::string points =
      "points: [[0, 0, 0, 0, 0, 0], [0.5, 0, 0, 0, 0, 0], [0.5, 0, 0, 0, 0, 1.2]], speed: 1, "
      "acceleration: 4";
  const Path path = read(points + ", turn_speed: 0.3", pose, ", smoothness: 2");
  const double ramp = 1.5 / 4;
  EXPECT_NEAR(path->duration(), 0.5 + ramp + 4 + ramp, 1e-14);
  EXPECT_NE(refusal([&] { read(points, pose); }).find("give turn_speed"), std::string::npos);
}

TEST(Waypoints, FollowASegment) {
  const Path path = read_path(
      Node::read_text("[{line: {from: [0, 0], to: [1, 0]}, duration: 1}, {waypoints: {points: [[1, "
                      "1], [2, 1]], speed: 1, acceleration: 4, blend: 0.1}}]",
                      "job.yaml"),
      xy);
  EXPECT_LT(distance_to(*path, Vector{{1, 0}}), 1e-15);
  EXPECT_GT(distance_to(*path, Vector{{1, 1}}), 1e-3);
  EXPECT_EQ(derivatives(*path, path->duration(), 0).col(0), (Vector{{2, 1}}));
}

TEST(Waypoints, SayWhatIsWrong) {
  const auto said = [](const std::string& way) { return refusal([&] { read(way); }); };
  EXPECT_NE(said("points: [[0, 0], [1, 0], [1, 1]], speed: 1, acceleration: 1, blend: 1.2")
                .find("waypoints.points.1: the blends do not fit: 0 at the point before and 1.2 "
                      "here, but the points are 1 apart"),
            std::string::npos)
      << said("points: [[0, 0], [1, 0], [1, 1]], speed: 1, acceleration: 1, blend: 1.2");
  EXPECT_NE(said("points: [[0, 0], [0, 0]], speed: 1, acceleration: 1").find("is the same point"),
            std::string::npos);
  EXPECT_NE(said("points: [[0, 0], [1, 0]], acceleration: 1").find("'speed' is missing"),
            std::string::npos);
  EXPECT_NE(said("points: [[0, 0], [1, 0]], speed: 1").find("'acceleration' is missing"),
            std::string::npos);
  EXPECT_NE(said("points: [[0, 0], [1, 0]], speed: 1, acceleration: 1, blend: 1, tolerance: 1")
                .find("cannot be given together with 'blend'"),
            std::string::npos);
  EXPECT_NE(said("points: [[0, 0]], speed: 1, acceleration: 1").find("at least 2 points"),
            std::string::npos);
}

// A corner takes |v2 - v1| s'(1/2) / (2 b) at full speed; where that is more than allowed it is
// passed more slowly, and a note says so.
TEST(Waypoints, KeepTheirAccelerationInCorners) {
  PathReading reading;
  const Path path = read_path(
      Node::read_text("{waypoints: {" + right_angle + ", blend: 0.05}, smoothness: 2}", "job.yaml"),
      xy, {}, reading);
  ASSERT_EQ(reading.notes.size(), 1u);
  // b = 0.1 s, |v2 - v1| = 0.5 sqrt 2: 5.3 at full speed, so sqrt(2 / 5.3)
  EXPECT_NE(reading.notes[0].find("points.1: the corner is passed with at most 61 % of the speed"),
            std::string::npos)
      << reading.notes[0];
  EXPECT_NEAR(peak(*path, 1), 0.5, 1e-12);
  EXPECT_NEAR(peak(*path, 2), 2, 1e-12);
  // in the middle of the corner the velocity is the mean of both
  const double p = std::sqrt(2 / (0.5 * std::sqrt(2) * 1.5 / 0.2));
  double slowest = 1;
  for (int i = 100; i <= 900; ++i)
    slowest = std::min(slowest, derivatives(*path, path->duration() * i / 1000, 1).col(1).norm());
  EXPECT_NEAR(slowest, p * 0.5 / std::sqrt(2), 1e-5);  // of 801 samples one is that near
}

// Law: however points lie, neither speed nor acceleration is exceeded, corners are as smooth as
// asked for, and the way begins and ends at rest at its points.
TEST(Waypoints, ObeyTheirLimitsOnRandomWays) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Random random(seed);
    // with 1 the acceleration jumps where a ramp ends and a corner begins
    const int m = 2 + static_cast<int>(seed % 5);
    const double speed = random.chance(0.5) ? 0.3 : 2, acceleration = random.uniform(1, 8);
    std::string points;
    Vector last;
    const int count = 2 + random.below(7);
    const bool is_curve = seed % 3 == 1;  // corners without straight ways between them
    for (int i = 0; i < (is_curve ? 4 * count : count); ++i) {
      last = is_curve ? Vector{{0.3 * std::cos(0.3 * i), 0.3 * std::sin(0.3 * i)}}
                      : random.vector(2, seed % 4 == 0 ? 0.05 : 1);
      points += fmt::format("{}[{}, {}]", i ? ", " : "", last[0], last[1]);
    }
    const Path path =
        read(fmt::format("points: [{}], speed: {}, acceleration: {}, tolerance: {}", points, speed,
                         acceleration, random.chance(0.5) ? 0.001 : 0.05),
             xy, ", smoothness: " + std::to_string(m));
    EXPECT_LT(peak(*path, 1), speed * (1 + 1e-12)) << seed;        // rounding
    EXPECT_LT(peak(*path, 2), acceleration * (1 + 1e-9)) << seed;  // rounding of times
    for (const Corner& corner : path->corners()) EXPECT_GT(corner.derivative, m) << seed;
    EXPECT_EQ(derivatives(*path, path->duration(), 0).col(0), last);
    const double just = path->duration() * (1 - 1e-9);
    EXPECT_LT((derivatives(*path, just, 0).col(0) - last).norm(), 1e-12) << seed;
    EXPECT_LT(derivatives(*path, 0.0, 1).col(1).norm(), 1e-15);
  }
}

}  // namespace
}  // namespace tauflex
