#include "tauflex/model/beam_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "tauflex/base/text.hpp"
#include "tauflex/model/geometry_file.hpp"

namespace tauflex {

namespace {

struct Material {
  double E, G, density;  // Pa, Pa, kg/m^3
};

Material read_material(const Node& node) {
  const std::map<std::string, Material> known = {{"steel", {210e9, 81e9, 7850}},
                                                 {"aluminium", {70e9, 26e9, 2700}}};
  if (node.is_text()) {
    const auto found = known.find(node.text());
    if (found == known.end())
      node.fail(fmt::format(
          "'{}' is not a material{}; there are steel and aluminium, or give "
          "{{E: 210e9, G: 81e9, density: 7850}}",
          node.text(), did_you_mean(node.text(), std::vector<std::string>{"steel", "aluminium"})));
    return found->second;
  }
  node.allow({"E", "G", "density"});
  return {node.at("E").positive(), node.at("G").positive(), node.at("density").positive()};
}

// Area, second moments against deflection along y and z, and that of twist.
struct SectionValues {
  double area, along_y, along_z, twist;
};

SectionValues read_section(const Node& node) {
  node.allow({"rod", "tube", "box"});
  if (node.keys().size() != 1) node.fail("give one of rod, tube and box");
  const auto circle = [](double d) { return M_PI * std::pow(d, 4) / 64; };
  if (const auto rod = node.find("rod")) {
    rod->allow({"diameter"});
    const double d = rod->at("diameter").in("m").positive(), I = circle(d);
    return {M_PI * d * d / 4, I, I, 2 * I};
  }
  if (const auto tube = node.find("tube")) {
    tube->allow({"diameter", "wall"});
    const double d = tube->at("diameter").in("m").positive(),
                 wall = tube->at("wall").in("m").positive(), inner = d - 2 * wall;
    if (inner < 0) tube->at("wall").fail("is more than half of the diameter");
    const double I = circle(d) - circle(inner);
    return {M_PI * (d * d - inner * inner) / 4, I, I, 2 * I};
  }
  const Node box = node.at("box");
  box.allow({"y", "z", "wall"});
  const double a = box.at("y").in("m").positive(), b = box.at("z").in("m").positive(),
               wall = box.at("wall").in("m").positive(), ai = a - 2 * wall, bi = b - 2 * wall;
  if (ai <= 0 || bi <= 0) box.at("wall").fail("is half of a side or more; a box is hollow");
  // thin walls: Bredt
  const double twist = 2 * wall * std::pow((a - wall) * (b - wall), 2) / (a + b - 2 * wall);
  return {a * b - ai * bi, (b * a * a * a - bi * ai * ai * ai) / 12,
          (a * b * b * b - ai * bi * bi * bi) / 12, twist};
}

void take_section(const Node& node, Beam& beam) {
  for (const char* key : {"mass_per_length", "EI", "EA", "GJ", "twist_inertia"})
    if (node.has(key))
      node.at(key).fail("stands beside a section, which gives it; give one of them");
  const SectionValues section = read_section(node.at("section"));
  const Material material = read_material(node.at("material"));
  beam.mass_per_length = material.density * section.area;
  beam.twist_inertia = material.density * (section.along_y + section.along_z);
  std::set<std::string> gives = {"y", "z", "twist"};
  if (const auto given = node.find("gives")) {
    if (!given->is_list()) given->fail("expected a list of some of y, z, twist and stretch");
    gives.clear();
    for (int i = 0; i < given->size(); ++i) {
      const std::string name = (*given)[i].text();
      if (name != "y" && name != "z" && name != "twist" && name != "stretch")
        (*given)[i].fail(fmt::format("'{}' is none of y, z, twist and stretch", name));
      gives.insert(name);
    }
  }
  if (gives.contains("y")) beam.EI_y = material.E * section.along_y;
  if (gives.contains("z")) beam.EI_z = material.E * section.along_z;
  if (gives.contains("twist")) beam.GJ = material.G * section.twist;
  if (gives.contains("stretch")) beam.EA = material.E * section.area;
}

void read_stiffness(const Node& node, Beam& beam) {
  for (const char* key : {"material", "gives"})
    if (node.has(key)) node.at(key).fail("belongs to a section; give the section too");
  beam.mass_per_length = node.at("mass_per_length").positive();
  if (const auto EI = node.find("EI")) {
    if (EI->is_map()) {
      EI->allow({"y", "z"});
      if (const auto y = EI->find("y")) beam.EI_y = y->positive();
      if (const auto z = EI->find("z")) beam.EI_z = z->positive();
    } else {
      beam.EI_y = EI->positive();
    }
  }
  if (const auto EA = node.find("EA")) beam.EA = EA->positive();
  if (const auto inertia = node.find("twist_inertia")) beam.twist_inertia = inertia->positive();
  if (const auto GJ = node.find("GJ")) {
    beam.GJ = GJ->positive();
    if (!node.has("twist_inertia"))
      GJ->fail("a beam that twists needs twist_inertia, the inertia per length about its axis");
  }
}

int read_count(const Node& node) {
  const int count = node.integer();
  if (count < 1 || count > 200) node.fail(fmt::format("must be from 1 to 200, got {}", count));
  return count;
}

}  // namespace

Beam read_beam(const Node& node) {
  node.allow({"from", "to", "y", "mass_per_length", "EI", "EA", "GJ", "twist_inertia", "section",
              "material", "gives", "elements", "segments", "second_order", "damping", "masses"});
  Beam beam;
  if (const auto from = node.find("from")) beam.from = from->in("m").numbers(3);
  beam.to = node.at("to").in("m").numbers(3);
  if (!(beam.length() > 0)) node.at("to").fail("the beam has no length: it is where it starts");
  if (const auto y = node.find("y")) {
    beam.y = read_axis(*y);
    if (beam.y->cross(beam.to - beam.from).norm() < 1e-6 * beam.length())
      y->fail("points along the beam; it is a direction across it");
  }
  if (node.has("section"))
    take_section(node, beam);
  else
    read_stiffness(node, beam);
  if (beam.EI_y == 0 && beam.EI_z == 0 && beam.EA == 0 && beam.GJ == 0)
    node.fail("the beam gives in no direction; give EI, EA or GJ, or a section");
  if (const auto elements = node.find("elements")) beam.elements = read_count(*elements);
  if (const auto segments = node.find("segments")) beam.segments = read_count(*segments);
  if (const auto order = node.find("second_order")) beam.second_order = order->boolean();
  if (const auto damping = node.find("damping")) {
    damping->allow({"ratio", "mass", "stiffness"});
    if (const auto ratio = damping->find("ratio")) beam.damping_ratio = ratio->not_negative();
    if (const auto mass = damping->find("mass")) beam.mass_damping = mass->not_negative();
    if (const auto k = damping->find("stiffness")) beam.stiffness_damping = k->not_negative();
  }
  if (const auto masses = node.find("masses")) {
    if (!masses->is_list()) masses->fail("expected a list of {at: 0.5, mass: 0.1}");
    for (int i = 0; i < masses->size(); ++i) {
      const Node mass = (*masses)[i];
      mass.allow({"at", "mass"});
      beam.masses.push_back(
          {mass.at("at").in("m").not_negative(), mass.at("mass").in("kg").positive()});
      if (beam.masses.back().at > beam.length())
        mass.at("at").fail(fmt::format("is beyond the end of the beam, {} m", beam.length()));
    }
  }
  return beam;
}

}  // namespace tauflex
