#include "tauflex/jobs/plant_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "tauflex/base/text.hpp"
#include "tauflex/base/yaml_text.hpp"
#include "tauflex/model/robot_file.hpp"

namespace tauflex {

namespace {

using Path = std::vector<std::string>;

Path split_path(const std::string& path) {
  Path keys;
  for (size_t begin = 0, end = 0; begin < path.size(); begin = end + 1) {
    end = std::min(path.find('.', begin), path.size());
    keys.push_back(path.substr(begin, end - begin));
  }
  return keys;
}

// x0.8 or +2
struct Factor {
  double times = 1, plus = 0;
};

std::optional<Factor> factor_of(const Node& change) {
  if (!change.is_text() || change.text().size() < 2) return std::nullopt;
  const std::string text = change.text();
  const auto number = parse_number(std::string_view(text).substr(1));
  if (!number || (text[0] != 'x' && text[0] != '+')) return std::nullopt;
  return text[0] == 'x' ? Factor{.times = *number} : Factor{.plus = *number};
}

// A value in one line.
std::string value_text(const Node& node) {
  if (node.is_text() && parse_number(node.text())) return node.text();
  std::string text = yaml_text(node);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

bool is_left_out(const Node& node) { return !node.is_map() && !node.is_list() && !node.is_text(); }

bool is_robot_key(const std::string& key) {
  static const std::vector<std::string> keys = {"gravity",       "links",       "frames",
                                                "couplings",     "springs",     "dynamics",
                                                "transmissions", "constraints", "elastic"};
  return index_of(key, keys) >= 0;
}

std::string below(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

void find_everywhere(const Node& node, const std::string& path, const std::string& wanted,
                     std::vector<std::string>& places) {
  for (const std::string& key : node.keys()) {
    if (key == wanted && node.is_map()) places.push_back(below(path, key));
    find_everywhere(node.at(key), below(path, key), wanted, places);
  }
}

// Every word that is a key somewhere.
std::vector<std::string> all_keys(const Node& node) {
  std::set<std::string> words;
  const auto look = [&](const auto& self, const Node& part) -> void {
    for (const std::string& key : part.keys()) {
      if (part.is_map()) words.insert(key);
      self(self, part.at(key));
    }
  };
  look(look, node);
  return {words.begin(), words.end()};
}

// `*` is any key or item on the way; the first `known` keys must exist.
void find_matches(const Node& node, const std::string& path, const Path& pattern, size_t known,
                  std::vector<std::string>& places, size_t depth = 0) {
  if (depth == known) {
    places.push_back(known == pattern.size() ? path : below(path, pattern.back()));
    return;
  }
  if (pattern[depth] != "*") {
    if (const auto child = node.find_path(pattern[depth]))
      find_matches(*child, below(path, pattern[depth]), pattern, known, places, depth + 1);
    return;
  }
  for (const std::string& key : node.keys())
    find_matches(node.at(key), below(path, key), pattern, known, places, depth + 1);
}

std::vector<std::string> matches(const Node& node, const Path& pattern, bool must_exist) {
  if (std::find(pattern.begin(), pattern.end(), "*") == pattern.end()) return {join(pattern, ".")};
  std::vector<std::string> places;
  find_matches(node, "", pattern, must_exist ? pattern.size() : pattern.size() - 1, places);
  return places;
}

// A link of a URDF file by the name of its joint, and a joint by that of its link: an overlay may
// use either.
using OtherNames = std::map<std::string, std::string>;

OtherNames other_names(const Node& robot) {
  OtherNames names;
  if (!robot.has("urdf")) return names;
  for (const Link& link : read_robot(robot).links) {
    if (link.joint.name.empty() || link.joint.name == link.name) continue;
    names.emplace(link.name, link.joint.name);
    names.emplace(link.joint.name, link.name);
  }
  return names;
}

std::vector<std::string> robot_places(const Node& robot, const OtherNames& names,
                                      const std::string& key, bool must_exist) {
  Path path = split_path(key);
  if (path.empty()) return {};
  if (path.size() == 1 && !robot.has(key) && !is_robot_key(key)) {
    std::vector<std::string> places;
    find_everywhere(robot, "", key, places);
    return places;
  }
  if (path.front() == "drives" && path.size() > 2) {  // of the links
    path[0] = "links";
    path.insert(path.begin() + 2, "drive");
  }
  // what a URDF file has otherwise stands in its overlay, by the name of the link or of its joint
  if (path.front() == "links" && robot.has("urdf")) path.insert(path.begin(), "elastic");
  if (path.size() > 2 && path[0] == "elastic" && path[1] == "links")
    if (const auto other = names.find(path[2]);
        other != names.end() && !robot.find_path("elastic.links." + path[2]))
      path[2] = other->second;
  return matches(robot, path, must_exist);
}

class RobotChanges {
 public:
  explicit RobotChanges(const Node& robot)
      : result_{robot.copy(), {}}, other_names_(other_names(robot)) {}

  void apply(const std::string& key, const Node& change) {
    if (change.is_map() && change.size() > 0) {
      for (const std::string& inner : change.keys()) apply(key + "." + inner, change.at(inner));
      return;
    }
    const std::vector<std::string> places = places_of(key, change);
    const auto factor = factor_of(change);
    bool any = false;
    for (const std::string& place : places)
      if (set(place, change, factor, places.size() == 1)) any = true;
    if (any && places.size() > 1) say(fmt::format("{} {}", key, value_text(change)));
  }

  ChangedRobot result() const { return result_; }

 private:
  // Where in the robot a key points to. One that names a place may be new there.
  std::vector<std::string> places_of(const std::string& key, const Node& change) const {
    const bool must_exist = is_left_out(change) || factor_of(change).has_value();
    std::vector<std::string> places = robot_places(result_.robot, other_names_, key, must_exist);
    if (places.empty())
      change.fail(fmt::format("the robot has no '{}' that could differ{}", shown(key),
                              did_you_mean(key, all_keys(result_.robot))));
    for (const std::string& place : places)
      if (index_of("limits", split_path(place)) >= 0)
        change.fail(
            "a plant has no limits of its own: those of the robot, "
            "robot.links.<name>.drive.limits, "
            "hold for what is sent to it; change them there");
    if (const std::string text = change.is_text() ? change.text() : "";
        text.ends_with('x') && parse_number(text.substr(0, text.size() - 1)))
      change.fail(fmt::format("'{}' is no number; a factor is written x{}", shown(text),
                              text.substr(0, text.size() - 1)));
    return places;
  }

  // Whether anything is another value now.
  bool set(const std::string& place, const Node& change, const std::optional<Factor>& factor,
           bool alone) {
    const auto before = result_.robot.find_path(place);
    const std::string was = before ? value_text(*before) : "not given";
    if (is_left_out(change)) {
      if (!before) change.fail(fmt::format("the robot has no '{}' to leave out", place));
      result_.robot.remove(place);
      if (alone) say(fmt::format("{} {} -> left out", place, was));
      return true;
    }
    if (!factor) {
      result_.robot.set(place, change);
      const std::string is = value_text(change);
      const auto a = parse_number(was), b = parse_number(is);
      const bool differs = was != is && !(a && b && *a == *b);
      if (alone && differs) say(fmt::format("{} {} -> {}", place, was, is));
      return differs;
    }
    if (!before)
      change.fail(fmt::format("the robot has no '{}' that {} could change", place, change.text()));
    if (factor->times == 1 && factor->plus == 0) return false;
    const Node changed =
        before->changed([&](double number) { return factor->times * number + factor->plus; });
    result_.robot.set(place, changed);
    const bool differs = value_text(changed) != was;
    if (alone && differs) say(fmt::format("{} {} -> {}", place, was, value_text(changed)));
    return differs;
  }

  void say(std::string difference) { result_.differences.push_back(std::move(difference)); }

  ChangedRobot result_;
  OtherNames other_names_;
};

}  // namespace

std::vector<std::string> places_in(const Node& node, const std::string& key, bool must_exist) {
  return matches(node, split_path(key), must_exist);
}

std::vector<std::string> places_in_robot(const Node& robot, const std::string& key,
                                         bool must_exist) {
  return robot_places(robot, other_names(robot), key, must_exist);
}

namespace {

// Whether a key speaks of masses of links, as "mass" and "links.hand.mass" do.
bool speaks_of_mass(const Node& changes) {
  if (!changes.is_map()) return false;
  for (const std::string& key : changes.keys())
    if (key == "mass" || key.ends_with(".mass") || speaks_of_mass(changes.at(key))) return true;
  return false;
}

// A robot of a URDF file with its masses in the overlay, where changes find them.
Node with_masses(const Node& robot) {
  Node filled = robot.copy();
  for (const Link& link : read_robot(robot).links) {
    if (!link.inertia.given[0] || link.inertia.mass == 0) continue;
    const auto given = robot.find("elastic") ? robot.at("elastic").find("links") : std::nullopt;
    const bool by_joint = given && given->has(link.joint.name) && !link.joint.name.empty();
    const std::string at = "elastic.links." + (by_joint ? link.joint.name : link.name) + ".mass";
    if (!robot.find_path(at)) filled.set(fmt::format("{}={:.17g}", at, link.inertia.mass));
  }
  return filled;
}

}  // namespace

bool is_of_plant_model(const std::string& key, const Node& changes) {
  static const std::vector<std::string> of_frame = {"elements", "timoshenko", "step", "delta",
                                                    "beta"};
  const auto model = changes.find("model");
  return key == "model" || (model && model->text() == "frame" && index_of(key, of_frame) >= 0);
}

ChangedRobot changed_robot(const Node& robot, const Node& changes) {
  RobotChanges result(robot.has("urdf") && speaks_of_mass(changes) ? with_masses(robot) : robot);
  for (const std::string& key : changes.keys())
    if (key != "payload" && !is_of_plant_model(key, changes)) result.apply(key, changes.at(key));
  return result.result();
}

double changed_number(double number, const Node& change) {
  const auto factor = factor_of(change);
  return factor ? factor->times * number + factor->plus : change.number();
}

}  // namespace tauflex
