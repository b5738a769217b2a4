// Paths in job files: every form, every error message.
#include "tauflex/trajectory/path_file.hpp"

#include <fmt/format.h>

#include "tauflex/trajectory/circle.hpp"
#include "tauflex/trajectory/line.hpp"
#include "tauflex/trajectory/sequence.hpp"
#include "tauflex/trajectory/spline.hpp"
#include "temporary_folder.hpp"
#include "tests/trajectory/path_laws.hpp"

namespace tauflex {
namespace {

using Path = std::shared_ptr<const OutputPath>;
using Names = std::vector<std::string>;

const Names xz = {"tool.x", "tool.z"}, xyz = {"tool.x", "tool.y", "tool.z"};

const TemporaryFolder& folder_of_tests() {
  static const TemporaryFolder folder;
  return folder;
}

Path read(const std::string& text, const Names& outputs = xz) {
  return read_path(Node::read_text(text, (folder_of_tests().path() / "job.yaml").string()),
                   outputs);
}

void write(const std::string& name, const std::string& text) {
  folder_of_tests().write(name, text);
}

void expect_same(const OutputPath& path, const OutputPath& expected) {
  EXPECT_EQ(path.duration(), expected.duration());
  for (int i = 0; i <= 16; ++i) {
    const double t = expected.duration() * i / 16;
    EXPECT_EQ(derivatives(path, t), derivatives(expected, t)) << "t = " << t;
  }
  EXPECT_EQ(described(path.corners()), described(expected.corners()));
}

TEST(PathFile, ReadsALine) {
  const Vector from{{2.146, -0.345}}, to{{1.146, 1.645}};
  expect_same(*read("{line: {from: [2.146, -0.345], to: [1.146, 1.645]}, duration: 0.3}"),
              LinePath(from, to, 0.3, 11));
  expect_same(*read("{line: {from: {tool.z: -0.345, tool.x: 2.146}, to: [1.146, 1.645]},"
                    " duration: 0.3, profile: polynomial7}"),
              LinePath(from, to, 0.3, 7));
}

TEST(PathFile, ReadsACircle) {
  expect_same(*read("{circle: {from: [2, 0], center: [1, 0], angle: -3}, duration: 1}"),
              CirclePath(Vector{{2, 0}}, Vector{{1, 0}}, -3, 1, 11));
  expect_same(*read("{circle: {from: [2, 0, 0], center: [1, 0, 0], angle: 3, normal: [0, 1, 0]},"
                    " duration: 1, profile: polynomial5}",
                    xyz),
              CirclePath(Vector{{2, 0, 0}}, Vector{{1, 0, 0}}, 3, 1, 5, Vector3(0, 1, 0)));
}

TEST(PathFile, ReadsASpline) {
  Matrix points(3, 2);
  points << 2, 0, 1, 0, 1, 3;
  expect_same(*read("{spline: {points: [[2, 0], {tool.x: 1, tool.z: 0}, [1, 3]],"
                    " times: [0, 0.2, 0.5]}, smoothness: 3}"),
              InterpolatingSpline(Vector{{0, 0.2, 0.5}}, points, 3));
  expect_same(*read("{spline: {points: [[2, 0], [1, 0], [1, 3]]}, duration: 2}"),
              InterpolatingSpline(Vector{{0, 0.5, 2}}, points, 4));
}

TEST(PathFile, ReadsSamplesBesideTheJob) {
  write("path.csv", "t, tool.z, other, tool.x\n5, 0, 9, 2\n5.25, 0, 9, 1\n5.5, 3, 9, 1\n");
  Matrix points(3, 2);
  points << 2, 0, 1, 0, 1, 3;
  const InterpolatingSpline expected(Vector{{0, 0.25, 0.5}}, points, 2);
  expect_same(*read("samples: {file: path.csv, smoothness: 2}"), expected);
  EXPECT_EQ(read("samples: {file: path.csv}")->corners()[0].derivative, 5) << "C^4 by default";
}

TEST(PathFile, ReadsSegmentsThatStartWhereTheLastOneEnded) {
  const Vector a{{2, 0}}, b{{1, 1}}, center{{1, 0}};
  const auto line = std::make_shared<LinePath>(a, b, 0.3, 11);
  const auto rest = std::make_shared<LinePath>(b, b, 0.2, 11);
  const auto arc = std::make_shared<CirclePath>(b, center, 1, 0.5, 7);
  expect_same(
      *read("- {line: {from: [2, 0], to: [1, 1]}, duration: 0.3}\n"
            "- {hold: 0.2}\n"
            "- {circle: {center: [1, 0], angle: 1}, duration: 0.5, profile: polynomial7}\n"),
      SequencePath({line, rest, arc}));
  expect_same(*read("- {line: {from: [2, 0], to: [1, 1]}, duration: 0.3}\n"), *line);
}

TEST(PathFile, PointsMayHaveUnits) {
  expect_same(
      *read("{line: {from: [2, 0], to: [1500 mm, 0.5 m]}, duration: 300 ms}"),
      LinePath((Vector(2) << 2, 0).finished(), (Vector(2) << 1.5, 0.5).finished(), 0.3, 11));
}

// An orientation is a rotation vector, rpy angles or a quaternion, in a list or by name.
TEST(PathFile, OrientationsInAllForms) {
  const Names pose = {"tool.x", "tool.rx", "tool.ry", "tool.rz"};
  const std::string rest = ", to: [2, 0, 0, 0]}, duration: 1}";
  const auto from = [&](const std::string& point) {
    const Path path = read("{line: {from: " + point + rest, pose);
    return Vector(derivatives(*path, 0).col(0));
  };
  const double a = 0.6;
  const Vector wanted = (Vector(4) << 1, 0, a, 0).finished();
  const std::string half_angles = fmt::format("[{}, 0, {}, 0]", std::cos(a / 2), std::sin(a / 2));
  for (const std::string& point :
       {std::string("[1, 0, 0.6, 0]"), std::string("[1, {rpy: [0, 0.6, 0]}]"),
        "[1, {quaternion: " + half_angles + "}]",
        std::string("{tool.x: 1, tool.orientation: {rotation_vector: [0, 600 mrad, 0]}}")})
    EXPECT_LT((from(point) - wanted).norm(), 1e-15) << point;  // rad; rounding
}

TEST(PathFile, SaysWhatIsWrongAndWhere) {
  write("empty.csv", "t,tool.x,tool.z\n");
  write("short.csv", "t,tool.x\n0,1\n1,2\n");
  write("late.csv", "t,tool.x,tool.z\n0,1,1\n1,2,2\n1,3,3\n");
  write("text.csv", "t,tool.x,tool.z\n0,1,1\n1,2,nan\n");
  const std::string folder = folder_of_tests().path().string() + "/";
  const std::string job = folder + "job.yaml:";
  const std::string profile_rule =
      "expected polynomial<degree> with an odd degree from 1 to 31, such as polynomial11, got ";
  const std::string ends = "line: {from: [2, 0], to: [1, 1]}";
  struct Case {
    std::string text, sentence;
  };
  const Case cases[] = {
      {"straight", job + "1: expected one of line, circle, spline, sine, constant_speed, samples, "
                         "waypoints, hold"},
      {"{duration: 1}", job + "1: expected exactly one of line, circle, spline, sine, "
                              "constant_speed, samples, waypoints, hold, got none"},
      {"{" + ends + ", hold: 1, duration: 1}",
       job + "1: expected exactly one of line, circle, spline, sine, constant_speed, samples, "
             "waypoints, hold, got line, hold"},
      {"{lin: {to: [1, 1]}}", job + "1: lin: unknown key 'lin'; did you mean 'line'?"},
      {"{" + ends + ", smoothness: 3, duration: 1}",
       job + "1: smoothness: unknown key 'smoothness'; known here: line, duration, profile"},
      {"{" + ends + "}", job + "1: 'duration' is missing"},
      {"{" + ends + ",\n duration: 0}", job + "2: duration: must be greater than 0, got 0"},
      {"{" + ends + ", duration: 1, profile: polynomail11}",
       job + "1: profile: " + profile_rule + "'polynomail11'; did you mean 'polynomial11'?"},
      {"{" + ends + ", duration: 1, profile: polynomial8}",
       job + "1: profile: " + profile_rule + "'polynomial8'; did you mean 'polynomial9'?"},
      {"{" + ends + ", duration: 1, profile: polynomial33}",
       job + "1: profile: " + profile_rule + "'polynomial33'; did you mean 'polynomial13'?"},
      {"{" + ends + ", duration: 1, profile: cosine}",
       job + "1: profile: " + profile_rule + "'cosine'"},
      {"{line: {to: [1, 1]}, duration: 1}",
       job + "1: line: 'from' is missing; only segments after the first may leave it out"},
      {"{line: {from: [1, 1]}, duration: 1}", job + "1: line: 'to' is missing"},
      {"{line: {from: [1, 1, 1], to: [1, 1]}, duration: 1}",
       job + "1: line.from: the task has 2 outputs (tool.x, tool.z), so a point has 2 numbers, got "
             "3"},
      {"{line: {from: {tool.x: 1, tol.z: 2}, to: [1, 1]}, duration: 1}",
       job + "1: line.from.tol.z: unknown output 'tol.z'; did you mean 'tool.z'?"},
      {"{line: {from: {tool.x: 1, elbow: 2}, to: [1, 1]}, duration: 1}",
       job + "1: line.from.elbow: unknown output 'elbow'; outputs here: tool.x, tool.z"},
      {"{line: {from: {tool.x: 1}, to: [1, 1]}, duration: 1}",
       job + "1: line.from: 'tool.z' is missing"},
      {"{circle: {from: [2, 0], center: [2, 0], angle: 1}, duration: 1}",
       job + "1: circle: from and center are the same point: a circle of radius 0"},
      {"{circle: {from: [2, 0], center: [1, 0], angle: 1, normal: [0, 1, 0]}, duration: 1}",
       job + "1: circle: a circle in two outputs turns in their plane: leave out 'normal'"},
      {"{spline: {points: [[2, 0]]}, duration: 1}",
       job + "1: spline.points: expected a list of at least 2 points"},
      {"{spline: {points: [[2, 0], [1, 1]]}}",
       job + "1: spline: give either 'times', one for each point, or 'duration'"},
      {"{spline: {points: [[2, 0], [1, 1]], times: [0, 1]}, duration: 1}",
       job + "1: spline: give either 'times', one for each point, or 'duration'"},
      {"{spline: {points: [[2, 0], [1, 1]], times: [0, 1, 2]}}",
       job + "1: spline.times: expected a list of 2 numbers, got 3"},
      {"{spline: {points: [[2, 0], [1, 1]], times: [1, 2]}}",
       job + "1: spline.times: must start at 0"},
      {"{spline: {points: [[2, 0], [1, 1]], times: [0, -2]}}",
       job + "1: spline: times must increase, but -2 follows 0"},
      {"{spline: {points: [[2, 0], [1, 1]], times: [0, 1]}, smoothness: 9}",
       job + "1: spline: smoothness must be 0 to 6, got 9"},
      {"{spline: {points: [[2, 0],\n [2, 0],\n [1, 1]]}, duration: 1}",
       job + "2: spline.points.1: is the same point as the one before it; give 'times' instead of "
             "'duration'"},
      {"samples: {file: none.csv}", job + "1: samples.file: none.csv: no such file"},
      {"samples: {file: empty.csv}", job + "1: samples: a spline needs at least 2 points, got 0"},
      {"samples: {file: short.csv}",
       job + "1: samples.file: " + folder + "short.csv has no column 'tool.z', but t, tool.x"},
      {"samples: {file: late.csv}",
       folder + "late.csv:4: column 't': must increase, but 1 follows 1"},
      {"samples: {file: text.csv}",
       folder + "text.csv:3: column 'tool.z': expected a finite number, got 'nan'"},
      {"samples: {smoothness: 4}", job + "1: samples: 'file' is missing"},
      {"{hold: 1}", job + "1: 'hold' stays where the segment before it ended, but there is none"},
      {"[]", job + "1: expected at least one segment"},
      {"[{" + ends + ", duration: 1},\n {hold: 0}]",
       job + "2: 1.hold: must be greater than 0, got 0"},
      {"[{" + ends + ", duration: 1},\n {line: {from: [1, 1.25], to: [2, 2]}, duration: 1}]",
       job + "2: 1: segment 1 ends at tool.z = 1, but segment 2 starts at 1.25: a gap of 0.25"},
  };
  for (const auto& [text, sentence] : cases)
    EXPECT_EQ(refusal([&] { read(text); }), sentence) << text;
}

}  // namespace
}  // namespace tauflex
