#include "tauflex/model/urdf_link.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/model/mesh_file.hpp"

namespace tauflex {

namespace {

LinkInertia read_inertial(const XmlElement& element) {
  element.allow({}, {"origin", "mass", "inertia"});
  const XmlElement mass = element.at("mass"), tensor = element.at("inertia");
  mass.allow({"value"}, {});
  tensor.allow({"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {});
  const Pose X_LC = read_urdf_origin(element);
  const double xx = tensor.not_negative("ixx"), yy = tensor.not_negative("iyy"),
               zz = tensor.not_negative("izz"), xy = tensor.number("ixy"),
               xz = tensor.number("ixz"), yz = tensor.number("iyz");
  Matrix3 I;
  I << xx, xy, xz,  //
      xy, yy, yz,   //
      xz, yz, zz;
  LinkInertia inertia;
  inertia.mass = mass.not_negative("value");
  inertia.com = X_LC.p;
  I = X_LC.R * I * X_LC.R.transpose();
  inertia.about_com = 0.5 * (I + I.transpose());
  inertia.given.fill(true);
  return inertia;
}

// Meshes of visuals are looked for, those of collisions are not: nothing would open them.
std::variant<Box, Cylinder, Sphere, Mesh> read_geometry(const XmlElement& element,
                                                        const std::filesystem::path* folder) {
  element.allow({}, {"box", "cylinder", "sphere", "mesh"});
  const auto shapes = element.children();
  if (shapes.size() != 1)
    element.fail(fmt::format("expected one of box, cylinder, sphere, mesh, got {}", shapes.size()));
  const XmlElement& shape = shapes[0];
  if (shape.tag() == "box") {
    shape.allow({"size"}, {});
    const Vector3 size = shape.numbers("size", 3);
    if (size.minCoeff() <= 0)
      shape.fail("size",
                 fmt::format("must be greater than 0, got '{}'", shown(shape.text("size"))));
    return Box{size};
  }
  if (shape.tag() == "cylinder") {
    shape.allow({"radius", "length"}, {});
    return Cylinder{shape.positive("radius"), shape.positive("length")};
  }
  if (shape.tag() == "sphere") {
    shape.allow({"radius"}, {});
    return Sphere{shape.positive("radius")};
  }
  shape.allow({"filename", "scale"}, {});
  const std::string name = shape.text("filename");
  const Vector3 scale = shape.numbers_or("scale", Vector3::Ones());
  if ((scale.array() == 0).any())
    shape.fail("scale", fmt::format("must not be 0, got '{}'", shown(shape.text("scale"))));
  if (!folder) return Mesh{name, scale};
  try {
    return Mesh{find_mesh(name, *folder), scale};
  } catch (const InputError& error) {
    shape.fail("filename", error.what());
  }
}

Visual read_visual(const XmlElement& element, const std::filesystem::path* folder) {
  element.allow({"name"}, {"origin", "geometry", "material"});
  return {read_geometry(element.at("geometry"), folder), read_urdf_origin(element)};
}

}  // namespace

Pose read_urdf_origin(const XmlElement& element) {
  const auto origin = element.find("origin");
  if (!origin) return {};
  origin->allow({"xyz", "rpy"}, {});
  return {rotation_from_rpy(origin->numbers_or("rpy", Vector3::Zero())),
          origin->numbers_or("xyz", Vector3::Zero())};
}

Link read_urdf_link(const XmlElement& element, const std::filesystem::path& folder) {
  element.allow({"name"}, {"inertial", "visual", "collision"});
  Link link;
  link.name = element.text("name");
  link.where = element.where();
  if (link.name.find_first_of("., \t\r\n") != std::string::npos)
    element.fail("the name of a link must not contain a dot, a comma or a space");
  if (const auto inertial = element.find("inertial")) link.inertia = read_inertial(*inertial);
  for (const XmlElement& visual : element.children("visual"))
    link.visuals.push_back(read_visual(visual, &folder));
  for (const XmlElement& collision : element.children("collision")) read_visual(collision, nullptr);
  return link;
}

}  // namespace tauflex
