#include "tauflex/jobs/given_torques.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/plant/torque_functions.hpp"
#include "tauflex/trajectory/path_file.hpp"

namespace tauflex {

namespace {

constexpr const char* torque_units = "N m|N";

bool is_points(const Node& node) { return node.is_list() && node.size() > 0 && node[0].is_list(); }

GivenTorques::OfDrive read_torque(const std::string& drive, const Node& node) {
  GivenTorques::OfDrive torque{drive, {}, {}, {}, node.where() + ": " + node.path()};
  if (node.is_text()) {
    torque.t = Vector::Zero(1);
    torque.u = Vector::Constant(1, node.in(torque_units).number());
  } else if (is_points(node)) {
    torque.t.resize(node.size());
    torque.u.resize(node.size());
    for (int i = 0; i < node.size(); ++i) {
      const Node point = node[i];
      if (!point.is_list() || point.size() != 2) point.fail("expected a point [time, torque]");
      torque.t[i] = point[0].in("s").number();
      torque.u[i] = point[1].in(torque_units).number();
      if (i > 0 && torque.t[i] <= torque.t[i - 1])
        point.fail(fmt::format("times must increase, got {:.6g} s after {:.6g} s", torque.t[i],
                               torque.t[i - 1]));
    }
  } else {
    torque.function = read_path(node, {drive});
  }
  return torque;
}

// Straight between the points, constant before and after.
double value_at(const GivenTorques::OfDrive& torque, double t) {
  const auto after = std::upper_bound(torque.t.begin(), torque.t.end(), t) - torque.t.begin();
  if (after == 0) return torque.u[0];
  if (after == torque.t.size()) return torque.u[after - 1];
  const double x = (t - torque.t[after - 1]) / (torque.t[after] - torque.t[after - 1]);
  return torque.u[after - 1] + x * (torque.u[after] - torque.u[after - 1]);
}

int find_drive(const GivenTorques::OfDrive& torque, const Robot& robot) {
  const std::vector<std::string>& names = robot.actuation().names;
  const std::map<std::string, std::string>& links = robot.coordinates().joint_of_link;
  const auto link = links.find(torque.drive);
  for (size_t d = 0; d < names.size(); ++d)
    if (names[d] == torque.drive || (link != links.end() && names[d] == link->second))
      return static_cast<int>(d);
  if (robot.coordinates().find(torque.drive) >= 0)
    throw InputError(
        fmt::format("{}: joint '{}' has no drive; drive: {{}} gives it one that is "
                    "rigid and has no inertia",
                    torque.where, torque.drive));
  throw InputError(fmt::format("{}: '{}' is not a drive{}", torque.where, shown(torque.drive),
                               did_you_mean(torque.drive, names)));
}

}  // namespace

GivenTorques read_given_torques(const Node& node) {
  GivenTorques given;
  if (node.is_text()) {
    given.table = node.folder() / node.text();
    return given;
  }
  if (!node.is_map()) node.fail("expected drives and their torques, {upper: 20}, or a table");
  for (const std::string& drive : node.keys())
    given.drives.push_back(read_torque(drive, node.at(drive)));
  return given;
}

TorqueCommand torque_command(const GivenTorques& given, const Robot& robot) {
  std::set<double> times;
  for (const auto& torque : given.drives) times.insert(torque.t.begin(), torque.t.end());
  if (times.empty()) times.insert(0);
  TorqueCommand command;
  command.t.resize(std::ssize(times));
  std::copy(times.begin(), times.end(), command.t.begin());
  command.u = Matrix::Zero(std::ssize(robot.actuation().drives), command.t.size());
  TorqueFunctions::Functions functions;
  for (const auto& torque : given.drives) {
    const int drive = find_drive(torque, robot);
    if (torque.function)
      functions.emplace_back(drive, torque.function);
    else
      for (Eigen::Index i = 0; i < command.t.size(); ++i)
        command.u(drive, i) = value_at(torque, command.t[i]);
  }
  if (!functions.empty())
    command.functions = std::make_shared<TorqueFunctions>(std::move(functions));
  return command;
}

}  // namespace tauflex
