#include "tauflex/model/springs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/model/joint_springs.hpp"

namespace tauflex {

namespace {

// The velocity that the named spring acts on: "hand" for that along the joint, "hand.rx" for one of
// the directions.
int find_spring(const Coupling& coupling, const std::string& name, const RobotDescription& robot,
                const Tree& tree, const Coordinates& coordinates) {
  const auto point = name.rfind('.');
  const int owner = point == std::string::npos ? -1 : tree.find_link(name.substr(0, point));
  const int direction = coordinates.find_velocity(name);
  if (owner >= 0 && direction >= 0) {
    const auto k =
        std::find(direction_names.begin(), direction_names.end(), name.substr(point + 1)) -
        direction_names.begin();
    if (k == 6 || !robot.links[owner].springs.free[k])
      throw InputError(fmt::format("{}: '{}' has no spring", place(coupling), name));
    return direction;
  }
  const int link = tree.find_link(name);
  if (link < 0)
    throw InputError(fmt::format("{}: '{}' is not a link{}", place(coupling), name,
                                 did_you_mean(name, tree.link_names)));
  if (!robot.links[link].spring)
    throw InputError(fmt::format("{}: link '{}' has no spring", place(coupling), name));
  return tree.bodies[tree.body_of_link[link]].v_begin;
}

std::vector<int> coupled_springs(const Coupling& coupling, const RobotDescription& robot,
                                 const Tree& tree, const Coordinates& coordinates) {
  std::vector<int> rows;
  for (const std::string& name : coupling.links) {
    const int row = find_spring(coupling, name, robot, tree, coordinates);
    if (std::find(rows.begin(), rows.end(), row) != rows.end())
      throw InputError(fmt::format("{}: {}'{}' stands here twice", place(coupling),
                                   tree.find_link(name) < 0 ? "" : "link ", name));
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

Springs lay_out_joint_springs(const RobotDescription& robot, const Tree& tree,
                              const Coordinates& coordinates) {
  Springs springs;
  springs.rest = Vector::Zero(tree.nv);
  SpringMatrices matrices(tree.nv);
  const auto put = [&](int velocity, const Spring& spring) {
    springs.rest[velocity] = spring.rest;
    matrices.put(velocity, spring);
  };
  for (size_t i = 0; i < robot.links.size(); ++i) {
    const Link& link = robot.links[i];
    if (link.spring) put(tree.bodies[tree.body_of_link[i]].v_begin, *link.spring);
    for (size_t k = 0; k < 6; ++k)
      if (link.springs.free[k])
        put(coordinates.find_velocity(joint_name(link) + "." + direction_names[k]),
            link.springs.spring[k]);
  }
  for (const Body& body : tree.bodies)
    if (body.beam >= 0) {
      const BeamLayout& beam = tree.beams[body.beam];
      matrices.stiffness.block(body.v_begin, body.v_begin, beam.n, beam.n) = beam.stiffness;
      matrices.damping.block(body.v_begin, body.v_begin, beam.n, beam.n) = beam.damping;
    }
  for (const Coupling& coupling : robot.couplings)
    if (!coupling.drives)
      matrices.couple(coupling, coupled_springs(coupling, robot, tree, coordinates));
  add_joint_springs(robot, tree, coordinates, matrices, springs.rest);
  springs.joint = matrices.entries();
  springs.joint_hardening = std::move(matrices.hardening);
  return springs;
}

}  // namespace tauflex
