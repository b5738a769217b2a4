#include "tauflex/studies/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "tauflex/base/text.hpp"
#include "tauflex/base/yaml_text.hpp"
#include "tauflex/jobs/plant_changes.hpp"

namespace tauflex {

namespace {

const std::string plant_prefix = "verification.plant.";
const std::string robot_prefix = "robot.";

double changed_by(ChangeBy by, double number, double base) {
  return by == ChangeBy::value ? number : by == ChangeBy::factor ? number * base : base + number;
}

// A choice such as x0.9, which changes a number that stands there.
std::optional<StatedNumber> relative_choice(const Node& choice) {
  if (!choice.is_text() || choice.text().size() < 2) return std::nullopt;
  const std::string text = choice.text();
  if ((text[0] != 'x' && text[0] != '+') || !parse_number(std::string_view(text).substr(1)))
    return std::nullopt;
  return read_stated_number(choice);
}

Node value_at_place(const Parameter& parameter, const Parameter::Place& place,
                    const DrawnValue& value) {
  const Distribution& distribution = parameter.distribution;
  if (distribution.is_choice()) {
    const Node& choice = distribution.choices[value.choice];
    const auto relative = relative_choice(choice);
    if (!relative || !place.base) return choice;
    return place.base->changed(
        [&](double base) { return changed_by(relative->by, relative->number, base); });
  }
  return place.base->changed(
      [&](double base) { return changed_by(distribution.by, value.number, base); });
}

std::string one_line(const Node& node) {
  if (node.is_text()) return node.text();
  std::string text = yaml_text(node);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void all_paths(const Node& node, std::vector<std::string>& paths) {
  for (const std::string& key : node.keys()) {
    const Node child = node.at(key);
    paths.push_back(child.path());
    all_paths(child, paths);
  }
}

std::vector<std::string> words_of_path(const std::string& path) {
  std::vector<std::string> words;
  std::stringstream stream(path);
  for (std::string word; std::getline(stream, word, '.');) words.push_back(word);
  return words;
}

// Paths of the job as a key with stars would say them: "robot.drives.*.stiffness".
std::vector<std::string> groups_like(const std::string& key,
                                     const std::vector<std::string>& paths) {
  const std::vector<std::string> asked = words_of_path(key);
  std::vector<std::string> groups;
  for (const std::string& path : paths) {
    std::vector<std::string> words = words_of_path(path);
    // drives stand in their links
    if (words.size() == 5 && words[1] == "links" && words[3] == "drive")
      words = {words[0], "drives", words[2], words[4]};
    if (words.size() != asked.size()) continue;
    for (size_t i = 0; i < words.size(); ++i)
      if (asked[i] == "*") words[i] = "*";
    const std::string group = join(words, ".");
    if (index_of(group, groups) < 0) groups.push_back(group);
  }
  return groups;
}

[[noreturn]] void fail_nothing(const Node& job, const std::string& key, const Node& where) {
  std::vector<std::string> paths;
  all_paths(job, paths);
  if (key.find('*') != key.npos) paths = groups_like(key, paths);
  where.fail(
      fmt::format("the job has no '{}' that could vary{}", shown(key), did_you_mean(key, paths)));
}

std::string without_prefix(const std::string& text, const std::string& prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

// The path with names for numbers of list items, where names lead there: one with a dot does not.
std::string named_path(const Node& node, const std::string& named, const std::string& numbered) {
  return node.find_path(named) ? named : numbered;
}

// Places of a key under verification.plant. What the plant carries is the task's.
std::vector<Parameter::Place> plant_places(const Node& job, const std::string& key,
                                           const Node& where) {
  const std::string inner = key.substr(plant_prefix.size());
  if (inner == "payload") {
    auto base = job.find_path(key);
    if (!base || !base->is_text() || !parse_number(base->text()))
      base = job.find_path("task.payload.mass");
    return base ? std::vector<Parameter::Place>{{key, base}} : std::vector<Parameter::Place>{};
  }
  // Factors are of the robot; beside other changes it would not be clear of what.
  if (const auto changes = job.find_path("verification.plant"))
    for (const std::string& other : changes->keys())
      if (other != "payload")
        where.fail(
            fmt::format("the job's own verification.plant changes '{}'; leave that out, or "
                        "let it vary here",
                        shown(other)));
  const Node robot = job.at("robot");
  std::vector<Parameter::Place> places;
  for (const std::string& place : places_in_robot(robot, inner, true))
    if (const auto base = robot.find_path(place))
      places.push_back(
          {plant_prefix + named_path(robot, without_prefix(base->path(), robot_prefix), place),
           base});
  return places;
}

std::vector<Parameter::Place> job_places(const Node& job, const std::string& key) {
  std::vector<std::string> paths;
  if (key.starts_with(robot_prefix)) {
    for (const std::string& place :
         places_in_robot(job.at("robot"), key.substr(robot_prefix.size()), true))
      paths.push_back(robot_prefix + place);
  } else {
    paths = places_in(job, key, true);
  }
  std::vector<Parameter::Place> places;
  for (const std::string& path : paths)
    if (const auto base = job.find_path(path))
      places.push_back({named_path(job, base->path(), path), base});
  return places;
}

bool is_number_place(const Parameter::Place& place) {
  return place.base && (place.base->is_text() || place.base->is_list());
}

}  // namespace

bool Parameter::is_absolute() const {
  if (distribution.by == ChangeBy::value) return true;
  return places.size() == 1 && places.front().base && places.front().base->is_text();
}

std::string Parameter::text(const DrawnValue& value) const {
  if (distribution.is_choice())
    return one_line(places.size() == 1 ? value_at_place(*this, places.front(), value)
                                       : distribution.choices[value.choice]);
  if (!is_absolute() || distribution.by == ChangeBy::value) return shortest(value.number);
  return value_at_place(*this, places.front(), value).text();
}

bool Parameter::is_of_plant() const {
  return std::all_of(places.begin(), places.end(),
                     [](const Place& place) { return place.path.starts_with(plant_prefix); });
}

void Parameter::apply(const DrawnValue& value, Node& job) const {
  for (const Place& place : places) job.set(place.path, value_at_place(*this, place, value));
}

void Parameter::apply_to_plant(const DrawnValue& value, Node& changes) const {
  for (const Place& place : places)
    changes.set(place.path.substr(plant_prefix.size()), value_at_place(*this, place, value));
}

std::vector<Parameter> read_parameter(const Node& job, const std::string& key, const Node& where,
                                      Distribution distribution) {
  std::vector<Parameter::Place> places =
      key.starts_with(plant_prefix) ? plant_places(job, key, where) : job_places(job, key);
  const bool is_top = key.find('.') == key.npos && key.find('*') == key.npos;
  if (places.empty() && distribution.is_choice() && is_top) places.push_back({key, std::nullopt});
  if (places.empty()) fail_nothing(job, key, where);
  if (!distribution.is_choice())
    for (const Parameter::Place& place : places) {
      if (!is_number_place(place))
        where.fail(fmt::format("'{}' is not a number that could vary", place.path));
      place.base->changed([](double x) { return x; });  // throws where it is not a number
    }
  if (distribution.together || places.size() == 1)
    return {{places.size() == 1 ? places.front().path : key, std::move(distribution), places}};
  std::vector<Parameter> parameters;
  for (const Parameter::Place& place : places)
    parameters.push_back({place.path, distribution, {place}});
  return parameters;
}

void require_different_places(const std::vector<Parameter>& parameters, const Node& where) {
  std::vector<std::string> paths;
  for (const Parameter& parameter : parameters)
    for (const Parameter::Place& place : parameter.places) {
      for (const std::string& other : paths)
        if (other == place.path || other.starts_with(place.path + ".") ||
            place.path.starts_with(other + "."))
          where.fail(fmt::format("'{}' varies twice{}", place.path,
                                 other == place.path ? "" : ", as a part of '" + other + "' too"));
      paths.push_back(place.path);
    }
}

std::vector<Parameter> read_parameters(const Node& vary, const Node& job) {
  if (!vary.is_map() || vary.size() == 0)
    vary.fail("expected the keys of the job that vary, as in robot.drives.*.stiffness: x0.8..x1.2");
  std::vector<Parameter> parameters;
  for (const std::string& key : vary.keys()) {
    const Node value = vary.at(key);
    for (Parameter& parameter : read_parameter(job, key, value, read_distribution(value)))
      parameters.push_back(std::move(parameter));
  }
  require_different_places(parameters, vary);
  return parameters;
}

}  // namespace tauflex
