// What a page draws: frames and shapes of every robot, curves that look as they do at all times,
// and names that stay text.
#include "tauflex/report/scene.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "example_jobs.hpp"
#include "tauflex/report/braille_plot.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/mesh_triangles.hpp"
#include "tauflex/report/page_program.hpp"
#include "tauflex/report/plots.hpp"
#include "tauflex/report/result_page.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

const Record& shown_e12() {
  static const Record record = run(example_job("e12"));
  return record;
}

Pose frame_of(const Scene& scene, const SceneMotion& motion, int link, Eigen::Index i) {
  const auto f = motion.frames.col(i).segment<7>(7 * link);
  EXPECT_EQ(motion.frames.rows(), 7 * std::ssize(scene.links));
  return {Eigen::Quaterniond(f[3], f[4], f[5], f[6]).toRotationMatrix(), f.head<3>()};
}

// The tool, by frames alone, is where path and error say.
TEST(Scene, FramesAndPathsAgree) {
  for (const char* name : {"e12", "moberg_8dof", "delta_robot", "polishing"}) {
    const Record record = run(example_job(name));
    const Scene s = scene(record);
    ASSERT_EQ(s.motions[0].name, "reached");
    ASSERT_EQ(s.wanted.cols(), s.t.size());
    for (Eigen::Index i = 0; i < s.t.size(); i += 50) {
      const Pose tool = frame_of(s, s.motions[0], s.tool.link, i) * s.tool.X_LP;
      EXPECT_LT((tool.p - s.wanted.col(i) - s.error.col(i)).norm(), 1e-12) << name;  // rounding
    }
    EXPECT_LE(s.error.colwise().norm().maxCoeff(),
              *record.verification->max_tool_error_m * (1 + 1e-6) + 1e-13)
        << name;  // the same error, at fewer times; m, rounding
  }
}

// Straight, every joint of a drive is where its motor is, and a passive spring at rest.
TEST(Scene, TheUndeformedRobotHasNoStretch) {
  const Scene s = scene(shown_e12());
  ASSERT_EQ(s.motions[1].name, "undeformed");
  const Solution& solution = shown_e12().solution;
  const Robot& robot = shown_e12().robot;
  const Pose fore = frame_of(s, s.motions[1], 1, 0), hand = frame_of(s, s.motions[1], 2, 0);
  const Matrix3 turn = fore.R.transpose() * hand.R;
  EXPECT_NEAR((turn - Matrix3::Identity()).norm(), 0, 1e-12);  // rest of the hand is 0
  const double rotor = solution.q(robot.coordinates().find("upper.rotor"), 0);
  const Pose upper = frame_of(s, s.motions[1], 0, 0);
  EXPECT_NEAR(Eigen::AngleAxisd(upper.R).angle(), std::abs(rotor), 1e-9);  // gear ratio 1
}

TEST(Scene, HasTheRigidRobotAndItsPath) {
  const Scene s = scene(shown_e12());
  ASSERT_EQ(s.motions.size(), 3u);
  EXPECT_EQ(s.motions[2].name, "rigid");
  EXPECT_NEAR(s.rigid_error.colwise().norm().maxCoeff(), *shown_e12().rigid->run->max_tool_error_m,
              1e-3);  // m; seen at fewer times
}

// No link of any example is invisible.
TEST(Scene, EveryRobotIsRecognisable) {
  for (const auto& entry : std::filesystem::directory_iterator(TAUFLEX_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".yaml") continue;
    if (entry.path().stem().string().starts_with("study_")) continue;  // studies of these robots
    const Job job = read_job(entry.path());
    const Robot robot(job.robot);
    const auto shapes = link_shapes(robot, link_size(robot));
    for (size_t i = 0; i < shapes.size(); ++i)
      EXPECT_FALSE(shapes[i].empty() && robot.description().links[i].inertia.mass > 0)
          << entry.path() << " " << robot.description().links[i].name;
  }
}

TEST(Scene, ShowsAQuestionWithoutAnAnswer) {
  const Record record = run(example_job("e12", {"task.path.line.to=[3.5, 1]"}));
  ASSERT_FALSE(record.has_motion());
  const ResultPage page = result_page(record);
  EXPECT_EQ(page.outcome, "failed");
  ASSERT_TRUE(page.failed_at);
  EXPECT_GT(*page.failed_at, 0);
  EXPECT_LT(*page.failed_at, 0.3);
  EXPECT_EQ(page.scene.wanted.cols(), 200);
  EXPECT_GT(page.scene.motions[0].frames.size(), 0);
}

TEST(Scene, ForcesAreThoseOfTheConstraint) {
  const Record record = run(example_job("polishing"));
  const Scene s = scene(record);
  ASSERT_EQ(s.forces.size(), 1u);
  EXPECT_NEAR(s.forces[0].arrow.col(s.t.size() - 1).tail<3>().norm(), 20, 1e-3);  // N; asked for
  ASSERT_EQ(s.surfaces.size(), 1u);
  EXPECT_EQ(s.surfaces[0].kind, "plane");
}

TEST(Plots, RotorsAreShownAtTheirJoint) {
  Job job = example_job("e12_bdf");
  for (RobotDescription* robot : {&job.robot, &job.plant}) robot->links[0].drive->gear_ratio = 100;
  const std::vector<Plot> all = plots(run(job, Until::solved));
  const auto motion = std::find_if(all.begin(), all.end(),
                                   [](const Plot& p) { return p.title == "Motion, computed"; });
  ASSERT_NE(motion, all.end());
  ASSERT_EQ(motion->lines.size(), 5u);
  EXPECT_EQ(motion->lines[1].name, "upper.rotor / 100");
  EXPECT_NEAR(motion->lines[1].y[0], motion->lines[0].y[0], 0.1);  // rad: the stretch under gravity
  EXPECT_EQ(motion->lines[1].colour, motion->lines[0].colour);
}

TEST(Plots, LongArmsShowTheLinesThatMoveMost) {
  Record record = run(example_job("e12_bdf"), Until::solved);
  RobotDescription robot = record.robot.description();
  for (int i = 0; i < 30; ++i) {
    robot.links.push_back(robot.links[2]);
    robot.links.back().name = fmt::format("finger{}", i);
    robot.links.back().joint.parent = "hand";
  }
  record.robot = Robot(robot);
  record.solution.q = Matrix::Zero(record.robot.nq(), record.solution.t.size());
  record.solution.q.row(record.robot.coordinates().find("finger19")).setLinSpaced(0, 1);
  for (const Plot& plot : plots(record)) {
    if (plot.title != "Motion, computed") continue;
    EXPECT_EQ(plot.lines.size(), 35u);
    for (const PlotLine& line : plot.lines) EXPECT_EQ(line.hidden, line.name != "finger19");
  }
}

// E12 with noise at a hundred thousand times: nothing is left out by luck.
Record long_run() {
  Record record = shown_e12();
  const Eigen::Index n = 100'001;
  Solution& s = record.solution;
  Verification& proof = *record.verification;
  s.t = proof.t = Vector::LinSpaced(n, 0, 0.3);
  for (Matrix* m : {&s.q, &s.v, &s.vdot, &s.u, &s.y, &proof.q, &proof.v, &proof.u, &proof.y})
    *m = Matrix::Random(m->rows(), n);
  s.lambda = proof.lambda = Matrix(0, n);
  proof.tool_error = Vector::Random(n).cwiseAbs();
  s.u(0, 43'210) = 50;
  s.u(1, 87'654) = -60;
  return record;
}

TEST(Plots, KeepExtremesAndStaySmall) {
  const Record record = long_run();
  const Plot torques = plots(record).front();
  EXPECT_LT(torques.t.size(), 2000);
  EXPECT_EQ(torques.lines[0].y.maxCoeff(), 50);
  EXPECT_EQ(torques.lines[1].y.minCoeff(), -60);
  EXPECT_EQ(torques.t[0], 0);
  EXPECT_EQ(torques.t[torques.t.size() - 1], 0.3);
  EXPECT_LT(scene_json(result_page(record)).size(), 9'000'000u);  // the page takes 10 MB, 1 its own
}

// Five hundred fingers: fewer times, not more bytes.
TEST(Plots, LargeRobotsStaySmall) {
  const Record few = long_run();
  RobotDescription robot = few.robot.description();
  for (int i = 0; i < 500; ++i) {
    robot.links.push_back(robot.links[2]);
    robot.links.back().name = fmt::format("finger{}", i);
    robot.links.back().joint.parent = "hand";
  }
  // the motion alone: what was found beside it is of the robot without fingers
  Record record{few.job, Robot(robot), few.diagnosis, few.solution, {}, {}};
  Solution& s = record.solution;
  s.t = Vector::LinSpaced(3001, 0, 0.3);
  s.q = Matrix::Random(record.robot.nq(), s.t.size());
  s.v = s.vdot = Matrix::Random(record.robot.nv(), s.t.size());
  for (Matrix* m : {&s.u, &s.y, &s.lambda}) *m = Matrix::Random(m->rows(), s.t.size());
  EXPECT_LT(scene_json(result_page(record)).size(), 9'000'000u);  // as above
}

TEST(Braille, DrawsACurve) {
  const Vector t = Vector::LinSpaced(8, 0, 7), y = t;
  EXPECT_EQ(braille_curve(t, y, 4, 1), (std::vector<std::string>{"⣀⠤⠒⠉"}));
  EXPECT_EQ(braille_curve(t, Vector::Constant(8, 2), 2, 1).size(), 1u);
  EXPECT_TRUE(braille_curve(t, Vector::Constant(8, NAN), 2, 1).empty());
  EXPECT_TRUE(braille_curve(t.head(1), y.head(1), 2, 1).empty());
  const std::string plots = braille_plots(shown_e12());
  EXPECT_NE(plots.find("u of upper, to 136000 N m"), std::string::npos) << plots;
  EXPECT_NE(plots.find("tool error (log), to 0.00382 mm"), std::string::npos) << plots;
}

TEST(Mesh, IsReadAndMadeSmaller) {
  const TemporaryFolder folder;
  std::string text = "solid s\n";
  for (int i = 0; i < 100; ++i)
    for (int k = 0; k < 100; ++k)
      text += fmt::format(
          "facet normal 0 0 1\nouter loop\nvertex {0} {1} 0\nvertex {2} {1} 0\n"
          "vertex {0} {3} 0\nendloop\nendfacet\n",
          i, k, i + 1, k + 1);
  const Mesh mesh{folder.write("m.stl", text), Vector3(1e-3, 1e-3, 1)};
  const Triangles all = read_triangles(mesh, 20'000), few = read_triangles(mesh, 500);
  EXPECT_EQ(all.corners.size(), 10'000u);
  EXPECT_EQ(all.points.size(), 10'200u);
  EXPECT_LE(few.corners.size(), 500u);
  EXPECT_GT(few.corners.size(), 50u);
  EXPECT_NEAR(all.points.back().x(), 0.099, 1.1e-3);  // m; in mm in the file
  EXPECT_THROW(read_triangles(Mesh{folder.write("e.stl", "solid s\n"), Vector3::Ones()}),
               InputError);
}

// One square, 2 m wide, 1 m above the ground, in each of the formats.
TEST(Mesh, IsReadFromObjAndCollada) {
  const TemporaryFolder folder;
  const auto obj = folder.write(
      "a.OBJ",
      "# square\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\nvn 0 0 1\nf 1//1 2//1 -2//1 4//1\n");
  const auto dae = folder.write(
      "a.dae",
      "<COLLADA><asset><unit meter=\"0.001\"/><up_axis>Y_UP</up_axis></asset><library_geometries>"
      "<geometry id=\"g\"><mesh><source id=\"s\"><float_array>-1 0 1 1 0 1 1 0 -1 -1 0 -1"
      "</float_array></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/>"
      "</vertices><polylist><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><input "
      "semantic=\"NORMAL\" source=\"#n\" offset=\"1\"/><vcount>4</vcount><p>0 0 1 0 2 0 3 0</p>"
      "</polylist></mesh></geometry></"
      "library_geometries><library_visual_scenes><visual_scene><node>"
      "<translate>0 1000 0</translate><node><scale>1000 1000 1000</scale><instance_geometry "
      "url=\"#g\"/></node></node></visual_scene></library_visual_scenes></COLLADA>");
  for (const auto& path : {obj, dae}) {
    const Triangles mesh = read_triangles(Mesh{path, Vector3::Ones()});
    ASSERT_EQ(mesh.corners.size(), 2u) << path;
    ASSERT_EQ(mesh.points.size(), 4u) << path;
    for (const Vector3& p : mesh.points)
      EXPECT_LT((p.cwiseAbs() - Vector3::Ones()).norm(), 1e-12) << path;  // rounding
    EXPECT_GT(mesh.points[0].z(), 0) << path;
  }
}

TEST(Page, HostileNamesStayText) {
  if (!has_page_program()) GTEST_SKIP() << "built without npm";
  ResultPage page = result_page(shown_e12());
  page.job = "</script><script>alert(1)</script>";
  page.warnings = {"<img src=x onerror=alert(1)>\x1b[31m"};
  page.job_text = "a: </script>\xC3(\n";
  const std::string json = scene_json(page), html = html_report({json});
  EXPECT_TRUE(nlohmann::json::accept(json));
  const std::string body = html.substr(html.find("<body>"));
  const std::string data = body.substr(0, body.find(page_program().script));
  EXPECT_EQ(data.find("alert(1)</"), std::string::npos);
  EXPECT_EQ(data.find("<img"), std::string::npos);
  EXPECT_EQ(data.find('\x1b'), std::string::npos);
}

TEST(Page, IsSmallAndClosed) {
  if (!has_page_program()) GTEST_SKIP() << "built without npm";
  const std::string html = html_report({});
  EXPECT_LT(html.size(), 1'000'000u);  // without data
  EXPECT_NE(html.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
  EXPECT_EQ(html, html_report({}));
}

}  // namespace
}  // namespace tauflex
