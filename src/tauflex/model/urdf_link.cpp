#include "tauflex/model/urdf_link.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/model/mesh_file.hpp"

namespace tauflex {

namespace {

// rad; rounded 2 pi is within
constexpr double largest_turn = 6.3;

Matrix3 rotation_from_quaternion(const XmlElement& origin) {
  const Vector xyzw = origin.numbers("quat_xyzw", 4);
  if (!(xyzw.norm() > 0)) origin.fail("quat_xyzw", "must not be zero");
  return Eigen::Quaterniond(xyzw[3], xyzw[0], xyzw[1], xyzw[2]).normalized().matrix();
}

// Without a tensor it is a point mass; products of inertia that are left out are 0. Nothing given,
// or nothing but zeros: a link without mass.
LinkInertia read_inertial(const XmlElement& element, const std::string& link, UrdfNotes& notes) {
  notes.look(element, {}, {"origin", "mass", "inertia"});
  const Pose X_LC = read_urdf_origin(element, notes);
  const auto tensor = element.find("inertia");
  if (!tensor && !element.find("mass")) return {};
  const XmlElement mass = element.at("mass");
  notes.look(mass, {"value"}, {});
  LinkInertia inertia;
  inertia.mass = mass.not_negative("value");
  Matrix3 I = Matrix3::Zero();
  if (tensor) {
    // the lower triangle says the same again; readers take the upper one
    notes.look(*tensor, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz", "iyx", "izx", "izy"}, {});
    const double xx = tensor->number("ixx"), yy = tensor->number("iyy"), zz = tensor->number("izz"),
                 xy = tensor->number_or("ixy", 0), xz = tensor->number_or("ixz", 0),
                 yz = tensor->number_or("iyz", 0);
    if (tensor->number_or("iyx", xy) != xy || tensor->number_or("izx", xz) != xz ||
        tensor->number_or("izy", yz) != yz)
      notes.add("inertias that are not symmetric: ixy, ixz and iyz are taken", "link " + link);
    I << xx, xy, xz,  //
        xy, yy, yz,   //
        xz, yz, zz;
  } else if (inertia.mass > 0) {
    notes.add("point masses, as inertial has no inertia", "link " + link);
  }
  if (inertia.mass == 0 && I.isZero(0)) return {};
  inertia.com = X_LC.p;
  I = X_LC.R * I * X_LC.R.transpose();
  inertia.about_com = 0.5 * (I + I.transpose());
  inertia.given.fill(true);
  return inertia;
}

Mesh read_mesh(const XmlElement& shape, const std::filesystem::path& folder) {
  const std::string name = shape.text("filename");
  const Vector3 scale = shape.numbers_or("scale", Vector3::Ones());
  if ((scale.array() == 0).any())
    shape.fail("scale", fmt::format("must not be 0, got '{}'", shown(shape.text("scale"))));
  return Mesh{find_mesh(name, folder), scale};
}

std::variant<Box, Cylinder, Sphere, Mesh> read_geometry(const XmlElement& element,
                                                        const std::filesystem::path& folder) {
  const auto shapes = element.children();
  if (shapes.size() != 1)
    element.fail(fmt::format("expected one of box, cylinder, sphere, mesh, got {}", shapes.size()));
  const XmlElement& shape = shapes[0];
  if (shape.tag() == "box") {
    const Vector3 size = shape.numbers("size", 3);
    if (size.minCoeff() <= 0)
      shape.fail("size",
                 fmt::format("must be greater than 0, got '{}'", shown(shape.text("size"))));
    return Box{size};
  }
  if (shape.tag() == "cylinder")
    return Cylinder{shape.positive("radius"), shape.positive("length")};
  if (shape.tag() == "sphere") return Sphere{shape.positive("radius")};
  if (shape.tag() == "mesh") return read_mesh(shape, folder);
  shape.fail("this shape is not drawn; box, cylinder, sphere and mesh are");
}

void read_visuals(const XmlElement& element, const std::filesystem::path& folder, Link& link,
                  UrdfNotes& notes) {
  for (const XmlElement& visual : element.children("visual")) try {
      link.visuals.push_back(
          {read_geometry(visual.at("geometry"), folder), read_urdf_origin(visual, notes)});
    } catch (const InputError& error) {
      notes.add("left out of pictures", error.what());
    }
}

}  // namespace

Pose read_urdf_origin(const XmlElement& element, UrdfNotes& notes) {
  const auto origin = element.find("origin");
  if (!origin) return {};
  notes.look(*origin, {"xyz", "rpy", "quat_xyzw", "quat", "quaternion"}, {});
  const Vector3 at = origin->numbers_or("xyz", Vector3::Zero());
  for (const char* unclear : {"quat", "quaternion"})
    if (origin->has(unclear)) origin->fail(unclear, "write it as rpy, or as quat_xyzw");
  if (origin->has("quat_xyzw")) {
    if (origin->has("rpy")) origin->fail("quat_xyzw", "cannot be given together with rpy");
    return {rotation_from_quaternion(*origin), at};
  }
  const Vector3 rpy = origin->numbers_or("rpy", Vector3::Zero());
  if (rpy.cwiseAbs().maxCoeff() > largest_turn)
    notes.add("more than a turn: rpy is in rad",
              fmt::format("{}: rpy {}", origin->where(), shown(origin->text("rpy"))));
  return {rotation_from_rpy(rpy), at};
}

Link read_urdf_link(const XmlElement& element, const std::filesystem::path& folder,
                    UrdfNotes& notes) {
  notes.look(element, {"name"}, {"inertial"}, {"visual", "collision"});
  Link link;
  link.name = element.text("name");
  link.where = element.where();
  if (const auto inertial = element.find("inertial"))
    link.inertia = read_inertial(*inertial, link.name, notes);
  read_visuals(element, folder, link, notes);
  return link;
}

}  // namespace tauflex
