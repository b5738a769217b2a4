#include "tauflex/model/robot_description.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"

namespace tauflex {

Link::Link() = default;
Link::Link(const Link&) = default;
Link::Link(Link&&) noexcept = default;
Link& Link::operator=(const Link&) = default;
Link& Link::operator=(Link&&) noexcept = default;
Link::~Link() = default;

RobotDescription::RobotDescription() = default;
RobotDescription::RobotDescription(const RobotDescription&) = default;
RobotDescription::RobotDescription(RobotDescription&&) noexcept = default;
RobotDescription& RobotDescription::operator=(const RobotDescription&) = default;
RobotDescription& RobotDescription::operator=(RobotDescription&&) noexcept = default;
RobotDescription::~RobotDescription() = default;

double Drive::motor_ratio() const { return lead == 0 ? gear_ratio : gear_ratio * 2 * M_PI / lead; }

const std::string& joint_name(const Link& link) {
  return link.joint.name.empty() ? link.name : link.joint.name;
}

std::string place(const Link& link) {
  return link.where.empty() ? fmt::format("link '{}'", link.name) : link.where;
}

std::string place(const FrameDescription& frame) {
  return frame.where.empty() ? fmt::format("frame '{}'", frame.name) : frame.where;
}

std::string place(const Coupling& coupling) {
  return coupling.where.empty() ? "coupling" : coupling.where;
}

std::string place(const Transmission& transmission) {
  return transmission.where.empty() ? "transmission" : transmission.where;
}

RobotDescription with_payload(RobotDescription robot, const std::string& link,
                              const LinkInertia& payload, const std::string& where) {
  for (Link& carrier : robot.links) {
    if (carrier.name != link) continue;
    if (carrier.beam)
      throw InputError(fmt::format(
          "{}: link '{}' is a beam; give the payload to a link that is fixed to its end", where,
          link));
    LinkInertia& own = carrier.inertia;
    const double total = own.mass + payload.mass;
    if (total <= 0) return robot;
    // A carrier without inertia of its own knows as much as its load; a point mass is all known.
    const auto nothing = std::array<bool, 6>{};
    if (own.mass == 0 && own.given == nothing) {
      own.given = payload.given;
      if (payload.given == nothing) own.given.fill(true);
    }
    const Vector3 com = (own.mass * own.com + payload.mass * payload.com) / total;
    // Steiner, to the common centre of mass
    const auto moved = [&](const LinkInertia& part) -> Matrix3 {
      const Vector3 d = part.com - com;
      return part.about_com +
             part.mass * (d.squaredNorm() * Matrix3::Identity() - d * d.transpose());
    };
    own.about_com = moved(own) + moved(payload);
    own.com = com;
    own.mass = total;
    return robot;
  }
  std::vector<std::string> names;
  for (const Link& any : robot.links) names.push_back(any.name);
  const std::string hint = did_you_mean(link, names);
  throw InputError(fmt::format("{}: there is no link '{}'{}", where, link,
                               hint.empty() ? "; the robot has " + join(names) : hint));
}

}  // namespace tauflex
