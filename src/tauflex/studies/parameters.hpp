// What varies in a study: keys of its job, by the names that --set takes.
//   robot.drives.*.stiffness: x0.8..x1.2                a group; each of its places by itself
//   {normal: [x1, x0.1], together: true}                one number for the whole group
//   verification.plant.drives.*.stiffness: x0.8..x1.2   of the plant only: the torques are the same
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/node.hpp"
#include "tauflex/studies/sampling.hpp"

namespace tauflex {

struct Parameter {
  struct Place {
    // In the job, as Node::set takes it.
    std::string path;
    // What stands there, or in the robot that the plant starts from; none: the key is new.
    std::optional<Node> base;
  };
  // Of its column: the path, or the group that varies together.
  std::string name;
  Distribution distribution;
  std::vector<Place> places;

  // Whether its column holds the number that comes to stand in the job. Else, with several places
  // or a list, it is what was drawn: a factor, an offset.
  bool is_absolute() const;
  // As its column shows it: a number, or a value in one line.
  std::string text(const DrawnValue& value) const;
  // Only of the plant: the question and its answer stay.
  bool is_of_plant() const;
  void apply(const DrawnValue& value, Node& job) const;
  // The same to what stands under verification.plant alone.
  void apply_to_plant(const DrawnValue& value, Node& changes) const;
};

// The keys of `vary`. Throws InputError: groups that match nothing, keys that vary twice.
std::vector<Parameter> read_parameters(const Node& vary, const Node& job);

// One key with a distribution that was read elsewhere.
std::vector<Parameter> read_parameter(const Node& job, const std::string& key, const Node& where,
                                      Distribution distribution);
void require_different_places(const std::vector<Parameter>& parameters, const Node& where);

}  // namespace tauflex
