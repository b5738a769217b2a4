// tauflex modes: natural frequencies of a robot at a pose.
#include <fmt/format.h>

#include <iostream>

#include "tauflex/cli/posed_robot.hpp"
#include "tauflex/cli/terminal.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/result_page.hpp"
#include "tauflex/results/write_files.hpp"

namespace tauflex {

ExitCode modes_verb(const Arguments& arguments) {
  PosedRobot posed = read_posed(arguments);
  const Robot& robot = posed.robot;
  for (const auto& [name, value] : read_at(robot, arguments.at))
    posed.q[robot.coordinates().find(name)] = value;
  normalize(robot, posed.q);
  if (posed.lambda.size() == 0) posed.q = settled(robot, assemble(robot, 0, posed.q));
  const ModesReport report{robot, posed.q, arguments.free,
                           natural_modes(robot, posed.q, posed.lambda, !arguments.free)};
  std::vector<std::string> names;
  if (!arguments.out.empty()) names = {"modes.json", "scene.json"};
  if (!names.empty() && has_page_program()) names.emplace_back("report.html");
  const std::string name = job_name(arguments.job), json = modes_json(name, report, names);
  std::cout << (arguments.json ? json : modes_text(report));
  if (!names.empty()) {
    const std::string scene = scene_json(result_page(name, report));
    ResultFiles files = {{"modes.json", json}, {"scene.json", scene}};
    if (has_page_program()) files["report.html"] = html_report({scene});
    begin_writing();
    write_files(arguments.out, files);
    fmt::print(stderr, "written to {}\n", arguments.out);
  }
  return ExitCode::success;
}

}  // namespace tauflex
