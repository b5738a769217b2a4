// Paths from logs: tables as others write them, and curves that are smooth where the samples are
// not.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tauflex/base/errors.hpp"
#include "tauflex/trajectory/path_file.hpp"
#include "tauflex/trajectory/smoothing.hpp"
#include "tauflex/trajectory/smoothstep.hpp"
#include "tauflex/trajectory/spline.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

using Notes = std::vector<std::string>;

std::shared_ptr<const OutputPath> path_of(const TemporaryFolder& folder, const std::string& samples,
                                          Notes& notes, const Notes& outputs = {"tool.x"}) {
  const Node node =
      Node::read_text("samples: {" + samples + "}", (folder.path() / "job.yaml").string());
  PathReading reading;
  const auto path = read_path(node, outputs, {}, reading);
  notes = reading.notes;
  return path;
}

double value(const OutputPath& path, double t, int derivative = 0, int output = 0) {
  Matrix y(path.size(), derivative + 1);
  path.derivatives(t, y);
  return y(output, derivative);
}

// A move of 0.4 m in 1 s that begins and ends at rest, to order 5.
double truth(double t) {
  const double x = std::clamp(t, 0.0, 1.0);
  double sum = 0, power = std::pow(x, 6);
  const double c[] = {462, -1980, 3465, -3080, 1386, -252};
  for (const double factor : c) {
    sum += factor * power;
    power *= x;
  }
  return 0.4 * sum;
}

// fmt: time, value
std::string log(const char* header, char separator, double unit, double rounding,
                double noise = 0) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0, noise > 0 ? noise : 1);
  std::string text = header;
  for (int i = 0; i <= 250; ++i) {
    double y = truth(0.004 * i) + (noise > 0 ? normal(random) : 0);
    if (rounding > 0) y = std::round(y / rounding) * rounding;
    char line[80];
    std::snprintf(line, sizeof line, "%.9g%c%.17g\n", 0.004 * i / unit, separator, y);
    text += line;
  }
  return text;
}

struct Form {
  const char* header;
  char separator;
  double unit;
  const char* note;
};

class LogForms : public testing::TestWithParam<Form> {};

TEST_P(LogForms, are_read) {
  const Form form = GetParam();
  const TemporaryFolder folder;
  folder.write("log.csv", log(form.header, form.separator, form.unit, 0));
  Notes notes;
  const auto path = path_of(folder, "file: log.csv", notes);
  EXPECT_NEAR(path->duration(), 1, 1e-12);
  EXPECT_NEAR(value(*path, 0.5), truth(0.5), 1e-12);
  std::string all;
  for (const std::string& note : notes) all += note;
  if (*form.note == 0)
    EXPECT_EQ(all, "");
  else
    EXPECT_NE(all.find(form.note), std::string::npos) << all;
}

INSTANTIATE_TEST_SUITE_P(
    All, LogForms,
    testing::Values(Form{"t,tool.x\n", ',', 1, ""}, Form{"# of a robot\nt;tool.x\n", ';', 1, ""},
                    Form{"time,yd.tool.x\n", ',', 1, ""},
                    Form{"timestamp,tool.x\n", ',', 1e-3, "'timestamp' is taken as ms"},
                    Form{"Time [ms],y.tool.x\n", ',', 1e-3, ""},
                    Form{"%time,tool.x\n", ',', 1e-9, "'%time' is taken as ns"},
                    Form{"time_us;\"tool.x\"\n", ';', 1e-6, ""}));

TEST(Samples, decimal_commas_and_times_that_do_not_begin_at_zero) {
  const TemporaryFolder folder;
  folder.write("log.csv", "t;tool.x\n12,5;0,25\n# a note\n13,0;0,75\n");
  Notes notes;
  const auto path = path_of(folder, "file: log.csv", notes);
  EXPECT_EQ(path->duration(), 0.5);
  EXPECT_EQ(value(*path, 0), 0.25);
  EXPECT_EQ(value(*path, 0.5), 0.75);
}

TEST(Samples, of_a_ros_joint_trajectory) {
  const TemporaryFolder folder;
  folder.write("plan.yaml",
               "joint_names: [b, a]\npoints:\n"
               "- {positions: [0, 1], time_from_start: {secs: 0, nsecs: 0}}\n"
               "- {positions: [1, 2], time_from_start: {secs: 0, nsecs: 500000000}}\n"
               "- {positions: [3, 4], time_from_start: {sec: 1, nanosec: 0}}\n");
  Notes notes;
  const auto path = path_of(folder, "file: plan.yaml, smoothness: 2", notes, {"a", "b"});
  EXPECT_EQ(path->duration(), 1);
  EXPECT_NEAR(value(*path, 0.5, 0, 0), 2, 1e-12);
  EXPECT_NEAR(value(*path, 0.5, 0, 1), 1, 1e-12);
}

// A log rounded to 10 um: the fourth derivative of a path through all samples is that of rounding.
TEST(Samples, rounding_is_noticed_and_smoothed) {
  const TemporaryFolder folder;
  folder.write("log.csv", log("t,tool.x\n", ',', 1, 1e-5));
  Notes exact_notes, notes, none;
  const auto rough = path_of(folder, "file: log.csv", exact_notes);
  ASSERT_EQ(exact_notes.size(), 1u);
  // m; 10 um / sqrt(12) is 2.9e-6, and where the robot stands nothing is rounded
  EXPECT_NE(exact_notes[0].find("the samples scatter about a smooth curve by tool.x 0.0026 mm"),
            std::string::npos)
      << exact_notes[0];
  // of a joint it is not known yet whether it turns
  folder.write("joint.csv", log("t,elbow\n", ',', 1, 1e-5));
  Notes of_joint;
  path_of(folder, "file: joint.csv", of_joint, {"elbow"});
  ASSERT_EQ(of_joint.size(), 1u);
  EXPECT_NE(of_joint[0].find("by elbow 0.0026 mrad or mm (largest"), std::string::npos)
      << of_joint[0];
  path_of(folder, "file: log.csv, smoothing: none", none);
  EXPECT_TRUE(none.empty());
  const auto smooth = path_of(folder, "file: log.csv, smoothing: auto", notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("smoothed, "), std::string::npos);
  double rough_error = 0, smooth_error = 0, peak = 0, place = 0;
  for (int i = 1; i < 500; ++i) {
    const double t = i / 500.0, h = 5e-3;
    const double fourth =
        (truth(t - 2 * h) - 4 * truth(t - h) + 6 * truth(t) - 4 * truth(t + h) + truth(t + 2 * h)) /
        (h * h * h * h);
    peak = std::max(peak, std::abs(fourth));
    rough_error = std::max(rough_error, std::abs(value(*rough, t, 4) - fourth));
    smooth_error = std::max(smooth_error, std::abs(value(*smooth, t, 4) - fourth));
    place = std::max(place, std::abs(value(*smooth, t) - truth(t)));
  }
  EXPECT_GT(rough_error, 10 * peak);
  EXPECT_LT(smooth_error, 0.1 * peak);
  EXPECT_LT(place, 5e-6);  // m, nearer to the truth than the samples are
}

TEST(Samples, noise_is_smoothed_to_a_tolerance) {
  const TemporaryFolder folder;
  folder.write("log.csv", log("t,tool.x\n", ',', 1, 0, 20e-6));
  Notes notes;
  const auto smooth = path_of(folder, "file: log.csv, tolerance: 80e-6", notes);
  double miss = 0;
  for (int i = 0; i <= 1000; ++i)
    miss = std::max(miss, std::abs(value(*smooth, i / 1000.0) - truth(i / 1000.0)));
  EXPECT_LT(miss, 60e-6);  // m
  try {
    path_of(folder, "file: log.csv, tolerance: 1e-9", notes);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("samples.tolerance: no curve"), std::string::npos)
        << error.what();
  }
}

// Without noise the curve is the truth, and the spline through its breakpoints is the curve.
TEST(Samples, smooth_data_stay) {
  Vector t = Vector::LinSpaced(251, 0, 1);
  Matrix y(251, 2);
  for (int i = 0; i < 251; ++i) y.row(i) << truth(t[i]), -3 * truth(t[i]);
  const auto near = smoothed(t, y, 4, std::nullopt);
  ASSERT_TRUE(near);
  EXPECT_LT(near->largest[0], 1e-11);
  const InterpolatingSpline spline(near->times, near->values, 4);
  for (int i = 0; i < 251; i += 10) EXPECT_NEAR(value(spline, t[i], 0, 1), y(i, 1), 1e-10);
}

}  // namespace
}  // namespace tauflex
