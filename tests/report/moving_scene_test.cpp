// What moves in a scene besides joints: beams that bend, natural modes; and curves of the method.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include "example_jobs.hpp"
#include "tauflex/analysis/natural_modes.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/report/result_page.hpp"
#include "tauflex/report/scene.hpp"

namespace tauflex {
namespace {

Pose scene_frame(const SceneMotion& motion, int link, Eigen::Index i = 0) {
  const auto f = motion.frames.col(i).segment<7>(7 * link);
  return {Eigen::Quaterniond(f[3], f[4], f[5], f[6]).toRotationMatrix(), f.head<3>()};
}

Robot flexible_arm() { return Robot(example_job("single_flexible_link").robot); }

// Elements are cubic, so the parabola y = c x^2 is one of their shapes: closed form.
TEST(BeamScene, TheCentreLineIsThatOfTheBeam) {
  const Robot robot = flexible_arm();
  const double c = 0.07;
  Vector q = Vector::Zero(robot.nq());
  q[robot.coordinates().find("arm")] = 0.4;
  for (int node = 1; node <= 4; ++node) {
    const double x = node / 4.0;
    q[robot.coordinates().find("arm.y" + std::to_string(node))] = c * x * x;
    q[robot.coordinates().find("arm.rz" + std::to_string(node))] = 2 * c * x;
  }
  const Scene s = scene(robot, q, {});
  ASSERT_EQ(s.beams.size(), 1u);
  const Matrix& straight = s.beams[0].straight;
  const Eigen::Index n = straight.cols();
  EXPECT_GE(n, 10);
  EXPECT_EQ(straight(0, 0), 0);
  EXPECT_NEAR(straight(0, n - 1), 1, 1e-15);  // m; rounding
  for (Eigen::Index k = 0; k < n; ++k) {
    const Vector3 at = s.motions[0].lines.col(0).segment<3>(3 * k);
    const double x = straight(0, k);
    EXPECT_LT((at - Vector3(x, c * x * x, 0)).norm(), 1e-15) << x;  // rounding
  }
}

// The end of the line is the origin of the frame there, and frames beyond move with it.
TEST(BeamScene, WhatIsBeyondFollows) {
  for (const char* name : {"single_flexible_link", "tsujita", "two_flexible_links"}) {
    const Job job = example_job(name);
    const Robot robot(job.robot);
    const Vector q = 0.05 * Vector::Random(robot.nq());
    const Scene s = scene(robot, q, {});
    ASSERT_FALSE(s.beams.empty()) << name;
    Eigen::Index row = 0;
    for (const SceneBeam& beam : s.beams) {
      const Vector3 last = s.motions[0].lines.col(0).segment<3>(row + beam.straight.size() - 3);
      const Pose link = scene_frame(s.motions[0], beam.link),
                 end = scene_frame(s.motions[0], beam.end);
      EXPECT_LT((link.p + link.R * last - end.p).norm(), 1e-14) << name;  // m; rounding
      row += beam.straight.size();
    }
    MechanicsData data(robot);
    kinematics<double>(robot, data, q);
    for (const Frame& frame : robot.frames()) {
      const LinkPoint point = link_point(robot, frame);
      const Pose at = scene_frame(s.motions[0], point.link) * point.X_LP;
      EXPECT_LT((at.p - frame_position<double>(data, frame)).norm(), 1e-14) << frame.name;
      EXPECT_LT((at.R - frame_rotation<double>(data, frame)).norm(), 1e-14) << frame.name;
    }
    for (int l = 0; l < std::ssize(s.links); ++l) EXPECT_LT(s.links[l].parent, l);
  }
}

// One period begins and ends at the largest excursion, and no link goes farther than a tenth.
TEST(ModeScene, GoesThroughOnePeriod) {
  const Robot robot(example_job("six_axis_elastic").robot);
  const Vector q = settled(robot, robot.coordinates().neutral);
  const NaturalModes found = natural_modes(robot, q, {}, true);
  const Scene s = scene(robot, q, found);
  ASSERT_GE(s.modes.modes.size(), 6u);
  for (size_t k = 0; k < s.modes.modes.size(); ++k) {
    const SceneMode& mode = s.modes.modes[k];
    EXPECT_EQ(mode.frequency, found.modes[k].frequency);
    const Matrix& f = mode.motion.frames;
    EXPECT_LT((f.col(0) - f.col(f.cols() - 1)).norm(), 1e-12);  // rounding
    double goes = 0, turns = 0;
    for (int l = 0; l < std::ssize(s.links); ++l)
      for (Eigen::Index i = 0; i < f.cols(); ++i) {
        const Pose rest = scene_frame(s.modes.rest, l), at = scene_frame(mode.motion, l, i);
        goes = std::max(goes, (at.p - rest.p).norm() / s.size);
        turns = std::max(turns, Eigen::AngleAxisd(rest.R.transpose() * at.R).angle());
      }
    EXPECT_LT(std::max(goes / 0.1, turns / 0.3), 1.5) << k;   // real and imaginary part may add up
    EXPECT_GT(std::max(goes / 0.1, turns / 0.3), 0.25) << k;  // can be seen; the tool may lead
  }
}

TEST(MethodPlots, NewtonAndConditionAlongThePath) {
  const Record record =
      run(example_job("e12_bdf", {"method={bdf: {form: monolithic, order: 3, step: 1e-3}}"}),
          Until::solved);
  const Solution& s = record.solution;
  EXPECT_EQ(s.iterations.sum(), static_cast<double>(s.newton_iterations));
  ASSERT_GE(s.conditions.cols(), 60);
  Eigen::Index halfway = 0;
  (s.conditions.row(0).array() - s.t[(s.steps + 1) / 2]).abs().minCoeff(&halfway);
  EXPECT_EQ(s.conditions(1, halfway), s.condition);
  std::vector<std::string> titles;
  for (const Plot& plot : plots(record)) titles.push_back(plot.title);
  for (const char* title : {"Distance from singular poses, 0 is singular",
                            "Newton iterations of each step", "Condition of Newton's matrix"})
    EXPECT_EQ(std::count(titles.begin(), titles.end(), title), 1) << title;
  const MotionRegularity& regular = *record.regularity;
  EXPECT_EQ(regular.along.cols(), s.t.size());
  EXPECT_GE(regular.along.row(0).minCoeff(), regular.outputs.value);
}

// Numbers of a scene are written with eight digits, whatever their size: law.
TEST(SceneJson, NumbersKeepTheirDigits) {
  ResultPage page;
  page.scene.links.resize(1);
  Vector x(400);
  for (Eigen::Index i = 0; i < x.size(); ++i)
    x[i] = (i % 2 ? -1 : 1) * std::pow(10, -12 + 0.05 * static_cast<double>(i)) * 1.2345678901;
  x[0] = 0;
  x[1] = 1;
  x[2] = 999999.99999;
  x[3] = 0.1;
  page.scene.motions = {{"reached", x, Matrix(0, 1)}};
  const auto json = nlohmann::json::parse(scene_json(page));
  const auto& written = json["scene"]["motions"]["reached"]["frames"];
  ASSERT_EQ(std::ssize(written), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i)
    EXPECT_NEAR(written[i].get<double>(), x[i], 0.51e-7 * std::abs(x[i])) << x[i];  // half a unit
}

}  // namespace
}  // namespace tauflex
