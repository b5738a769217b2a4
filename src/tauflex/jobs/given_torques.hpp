// Torques that a job gives to its drives, key `simulation.torques`:
//   {K1: 0.033, K2: [[0, 0], [0.1, 5]], K3: {sine: {center: 0, amplitude: 2, frequency: 1}}}
//   table.csv                                             columns t and u.<drive>
// A number, points [time, torque] with straight lines between them, or a path. Other drives get
// none.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tauflex/base/node.hpp"
#include "tauflex/model/robot.hpp"
#include "tauflex/plant/controller.hpp"
#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

struct GivenTorques {
  struct OfDrive {
    std::string drive;
    // Points; one for a constant, none for a function.
    Vector t, u;
    std::shared_ptr<const OutputPath> function;
    std::string where;
  };
  std::vector<OfDrive> drives;
  // Instead of these.
  std::filesystem::path table;
};

GivenTorques read_given_torques(const Node& node);

// For the drives of a robot: times and torques with straight lines between them, and what is added
// to them. Throws InputError for a drive that does not exist.
struct TorqueCommand {
  Vector t;
  Matrix u;
  std::shared_ptr<Controller> functions;
};
TorqueCommand torque_command(const GivenTorques& given, const Robot& robot);

}  // namespace tauflex
