#include "tauflex/model/coordinates.hpp"

#include "tauflex/base/text.hpp"

namespace tauflex {

void Coordinates::add(const std::string& name, bool angle) {
  names.push_back(name);
  velocity_names.push_back(name);
  of_velocity.push_back(nq);
  is_angle.push_back(angle);
  ++nq;
  ++nv;
}

void Coordinates::add_quaternion(const std::string& name) {
  quaternions.push_back({nq, nv});
  for (const char* part : {".qw", ".qx", ".qy", ".qz"}) names.push_back(name + part);
  for (const char* part : {".wx", ".wy", ".wz"}) velocity_names.push_back(name + part);
  of_velocity.insert(of_velocity.end(), 3, -1);
  is_angle.insert(is_angle.end(), 4, true);
  nq += 4;
  nv += 3;
}

namespace {

int find_joint(const std::vector<std::string>& names, const std::string& name,
               const std::map<std::string, std::string>& joint_of_link) {
  const int found = index_of(name, names);
  if (found >= 0) return found;
  const std::string link = name.substr(0, name.find('.'));
  const auto joint = joint_of_link.find(link);
  if (joint == joint_of_link.end()) return -1;
  return index_of(joint->second + name.substr(link.size()), names);
}

}  // namespace

int Coordinates::find(const std::string& name) const {
  return find_joint(names, name, joint_of_link);
}

int Coordinates::find_velocity(const std::string& name) const {
  return find_joint(velocity_names, name, joint_of_link);
}

}  // namespace tauflex
