#include "tauflex/problem/posture_parts.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

namespace {

// Whether group g depends on joint j, at a pose where no coincidence hides it.
std::vector<std::vector<bool>> dependences(const PostureQuestion& question) {
  const Robot& robot = question.robot;
  Vector q = question.q;
  for (size_t j = 0; j < question.joints.size(); ++j)
    q[robot.coordinates().of_velocity[question.joints[j]]] = 0.4 + 0.7 * static_cast<double>(j % 3);
  MechanicsData data(robot);
  kinematics<double>(robot, data, q);
  Matrix J = Matrix::Zero(question.outputs.count(), robot.nv());
  output_jacobian(robot, data, question.outputs, question.y, J);
  std::vector<std::vector<bool>> depends;
  for (const OutputGroup& group : question.outputs.groups) {
    auto& joints = depends.emplace_back();
    for (const int v : question.joints) {
      const Vector column = J(group.rows, v);
      // not a threshold: joints that do not move a frame have exact zeros
      joints.push_back((column.array() != 0).any());
    }
  }
  return depends;
}

// The outputs of some groups; `rows` become their rows of y.
Outputs outputs_of(const Outputs& all, const std::vector<size_t>& groups, std::vector<int>& rows) {
  Outputs part;
  for (const size_t g : groups) {
    OutputGroup group = all.groups[g];
    for (int& row : group.rows) {
      rows.push_back(row);
      part.motions.push_back(part.count());
      part.rows.push_back(all.rows[row]);
      row = part.count() - 1;
    }
    part.groups.push_back(std::move(group));
  }
  return part;
}

}  // namespace

std::vector<PostureQuestion> independent_parts(const PostureQuestion& question) {
  if (!question.outputs.forces.empty() || question.joints.empty()) return {question};
  const auto depends = dependences(question);
  // the part of each joint: joints that move the same group are in one
  std::vector<size_t> part(question.joints.size());
  std::iota(part.begin(), part.end(), size_t{0});
  const auto merge = [&](size_t a, size_t b) {
    std::replace(part.begin(), part.end(), std::max(part[a], part[b]), std::min(part[a], part[b]));
  };
  std::vector<size_t> first(depends.size());
  for (size_t g = 0; g < depends.size(); ++g) {
    const auto found = std::find(depends[g].begin(), depends[g].end(), true);
    if (found == depends[g].end()) return {question};
    first[g] = static_cast<size_t>(found - depends[g].begin());
    for (size_t j = 0; j < part.size(); ++j)
      if (depends[g][j]) merge(first[g], j);
  }
  std::map<size_t, std::vector<size_t>> groups;
  for (size_t g = 0; g < depends.size(); ++g) groups[part[first[g]]].push_back(g);
  std::vector<PostureQuestion> parts;
  for (const auto& [number, members] : groups) {
    PostureQuestion one = question;
    std::vector<int> rows;
    one.outputs = outputs_of(question.outputs, members, rows);
    one.y = question.y(rows);
    one.joints.clear();
    for (size_t j = 0; j < part.size(); ++j)
      if (part[j] == number || (parts.empty() && !groups.count(part[j])))
        one.joints.push_back(question.joints[j]);
    parts.push_back(std::move(one));
  }
  return parts;
}

}  // namespace tauflex
