#include "tauflex/model/robot_description.hpp"

namespace tauflex {

RobotDescription::RobotDescription() = default;
RobotDescription::RobotDescription(const RobotDescription&) = default;
RobotDescription::RobotDescription(RobotDescription&&) noexcept = default;
RobotDescription& RobotDescription::operator=(const RobotDescription&) = default;
RobotDescription& RobotDescription::operator=(RobotDescription&&) noexcept = default;
RobotDescription::~RobotDescription() = default;

}  // namespace tauflex
