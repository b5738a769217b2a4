#include "tauflex/model/beam_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>

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

// Area, second moments against deflection along y and z, and that of twist; the part of the area
// that carries shear along y and along z.
struct SectionValues {
  double area, along_y, along_z, twist;
  double shear_y, shear_z;
};

// Shear coefficients of [Cowper1966]. Of a circle with a hole of m times its area, and of a box
// whose walls are thin, h along the force and b across it; nu: Poisson's ratio.
double round_shear(double m, double nu) {
  const double whole = std::pow(1 + m, 2);
  return 6 * (1 + nu) * whole / ((7 + 6 * nu) * whole + (20 + 12 * nu) * m);
}
double box_shear(double h, double b, double nu) {
  const double m = b / h, m2 = m * m, m3 = m2 * m;
  return 10 * (1 + nu) * std::pow(1 + 3 * m, 2) /
         (12 + 72 * m + 150 * m2 + 90 * m3 + nu * (11 + 66 * m + 135 * m2 + 90 * m3) +
          10 * m2 * ((3 + nu) * m + 3 * m2));
}

SectionValues read_section(const Node& node, double nu) {
  node.allow({"rod", "tube", "box"});
  if (node.keys().size() != 1) node.fail("give one of rod, tube and box");
  const auto circle = [](double d) { return M_PI * std::pow(d, 4) / 64; };
  if (const auto rod = node.find("rod")) {
    rod->allow({"diameter"});
    const double d = rod->at("diameter").in("m").positive(), I = circle(d);
    return {M_PI * d * d / 4, I, I, 2 * I, round_shear(0, nu), round_shear(0, nu)};
  }
  if (const auto tube = node.find("tube")) {
    tube->allow({"diameter", "wall"});
    const double d = tube->at("diameter").in("m").positive(),
                 wall = tube->at("wall").in("m").positive(), inner = d - 2 * wall;
    if (inner < 0) tube->at("wall").fail("is more than half of the diameter");
    const double I = circle(d) - circle(inner);
    const double shear = round_shear(std::pow(inner / d, 2), nu);
    return {M_PI * (d * d - inner * inner) / 4, I, I, 2 * I, shear, shear};
  }
  const Node box = node.at("box");
  box.allow({"y", "z", "wall"});
  const double a = box.at("y").in("m").positive(), b = box.at("z").in("m").positive(),
               wall = box.at("wall").in("m").positive(), ai = a - 2 * wall, bi = b - 2 * wall;
  if (ai <= 0 || bi <= 0) box.at("wall").fail("is half of a side or more; a box is hollow");
  // thin walls: Bredt
  const double twist = 2 * wall * std::pow((a - wall) * (b - wall), 2) / (a + b - 2 * wall);
  return {a * b - ai * bi,
          (b * a * a * a - bi * ai * ai * ai) / 12,
          (a * b * b * b - ai * bi * bi * bi) / 12,
          twist,
          box_shear(a - wall, b - wall, nu),
          box_shear(b - wall, a - wall, nu)};
}

bool is_timoshenko(const Node& node) {
  const auto theory = node.find("theory");
  if (!theory || theory->text() == "bernoulli") return false;
  if (theory->text() != "timoshenko")
    theory->fail("expected bernoulli or timoshenko, got '" + theory->text() + "'");
  return true;
}

// A number is that of deflections along y; or {y: .., z: ..}.
void read_planes(const Node& node, double& along_y, double& along_z) {
  if (!node.is_map()) {
    along_y = node.positive();
    return;
  }
  node.allow({"y", "z"});
  if (const auto y = node.find("y")) along_y = y->positive();
  if (const auto z = node.find("z")) along_z = z->positive();
}

void take_section(const Node& node, Beam& beam) {
  for (const char* key :
       {"mass_per_length", "EI", "EA", "GJ", "twist_inertia", "shear", "rotary_inertia"})
    if (node.has(key))
      node.at(key).fail("cannot be given together with a section, which determines it");
  const Material material = read_material(node.at("material"));
  const SectionValues section = read_section(node.at("section"), material.E / (2 * material.G) - 1);
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
  if (!is_timoshenko(node)) return;
  const double GA = material.G * section.area;
  if (beam.EI_y > 0) beam.shear_y = section.shear_y * GA;
  if (beam.EI_z > 0) beam.shear_z = section.shear_z * GA;
  beam.rotary_y = material.density * section.along_y;
  beam.rotary_z = material.density * section.along_z;
}

void read_stiffness(const Node& node, Beam& beam) {
  for (const char* key : {"material", "gives"})
    if (node.has(key)) node.at(key).fail("belongs to a section; give the section too");
  beam.mass_per_length = node.at("mass_per_length").positive();
  if (const auto EI = node.find("EI")) read_planes(*EI, beam.EI_y, beam.EI_z);
  if (const auto EA = node.find("EA")) beam.EA = EA->positive();
  if (const auto inertia = node.find("twist_inertia")) beam.twist_inertia = inertia->positive();
  if (const auto GJ = node.find("GJ")) {
    beam.GJ = GJ->positive();
    if (!node.has("twist_inertia") && !node.has("rotary_inertia"))
      GJ->fail("a beam that twists needs twist_inertia, the inertia per length about its axis");
  }
  if (!is_timoshenko(node)) {
    for (const char* key : {"shear", "rotary_inertia"})
      if (node.has(key)) node.at(key).fail("belongs to theory: timoshenko; give that too");
    return;
  }
  read_planes(node.at("shear"), beam.shear_y, beam.shear_z);
  for (const auto& [shear, EI, along] :
       {std::tuple(beam.shear_y, beam.EI_y, "y"), std::tuple(beam.shear_z, beam.EI_z, "z")})
    if ((shear > 0) != (EI > 0))
      node.at("shear").fail(
          fmt::format("deflection along {} has {} but no {}; a beam needs both or neither", along,
                      EI > 0 ? "EI" : "shear", EI > 0 ? "shear" : "EI"));
  if (const auto rotary = node.find("rotary_inertia")) {
    if (node.has("twist_inertia"))
      rotary->fail("cannot be given together with twist_inertia, which is the sum of both");
    read_planes(*rotary, beam.rotary_y, beam.rotary_z);
  }
}

// `modes: 3` or `modes: auto`.
void read_modes(const Node& node, Beam& beam) {
  if (node.is_text() && node.text() == "auto") {
    beam.automatic_modes = true;
    return;
  }
  const int count = node.integer();
  if (count < 0 || count > beam.inner_coordinates())
    node.fail(
        fmt::format("must be auto or from 0 to {}, the inner coordinates of a segment with {} "
                    "element{}, got {}",
                    beam.inner_coordinates(), beam.elements, beam.elements == 1 ? "" : "s", count));
  beam.modes = count;
}

void read_frame(const Node& node, Beam& beam) {
  if (node.text() != "tangent" && node.text() != "chord")
    node.fail("expected tangent or chord, got '" + node.text() + "'");
  beam.chord = node.text() == "chord";
}

int read_count(const Node& node) {
  const int count = node.integer();
  if (count < 1 || count > 200) node.fail(fmt::format("must be from 1 to 200, got {}", count));
  return count;
}

void read_masses(const Node& masses, Beam& beam) {
  if (!masses.is_list()) masses.fail("expected a list of {at: 0.5, mass: 0.1}");
  for (int i = 0; i < masses.size(); ++i) {
    const Node mass = masses[i];
    mass.allow({"at", "mass"});
    beam.masses.push_back(
        {mass.at("at").in("m").not_negative(), mass.at("mass").in("kg").positive()});
    if (beam.masses.back().at > beam.length())
      mass.at("at").fail(fmt::format("is beyond the end of the beam, {} m", beam.length()));
  }
}

}  // namespace

Beam read_beam(const Node& node) {
  node.allow({"from",
              "to",
              "y",
              "mass_per_length",
              "EI",
              "EA",
              "GJ",
              "twist_inertia",
              "section",
              "material",
              "gives",
              "elements",
              "segments",
              "second_order",
              "damping",
              "masses",
              "theory",
              "shear",
              "rotary_inertia",
              "modes",
              "frame"});
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
    node.fail("the beam is rigid in every direction; give EI, EA or GJ, or a section");
  if (const auto elements = node.find("elements")) beam.elements = read_count(*elements);
  if (const auto segments = node.find("segments")) beam.segments = read_count(*segments);
  if (const auto order = node.find("second_order")) beam.second_order = order->boolean();
  if (const auto modes = node.find("modes")) read_modes(*modes, beam);
  if (const auto frame = node.find("frame")) read_frame(*frame, beam);
  if (const auto damping = node.find("damping")) {
    damping->allow({"ratio", "mass", "stiffness"});
    if (const auto ratio = damping->find("ratio")) beam.damping_ratio = ratio->not_negative();
    if (const auto mass = damping->find("mass")) beam.mass_damping = mass->not_negative();
    if (const auto k = damping->find("stiffness")) beam.stiffness_damping = k->not_negative();
  }
  if (const auto masses = node.find("masses")) read_masses(*masses, beam);
  return beam;
}

}  // namespace tauflex
