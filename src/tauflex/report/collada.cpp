#include "tauflex/report/collada.hpp"

#include <tinyxml2.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <sstream>

namespace tauflex {

namespace {

using Element = tinyxml2::XMLElement;
using Transform = Eigen::Affine3d;

constexpr int deepest_node = 100;

std::vector<double> numbers_in(const Element* element) {
  std::vector<double> values;
  if (!element || !element->GetText()) return values;
  std::istringstream words(element->GetText());
  words.imbue(std::locale::classic());
  for (double x = 0; words >> x;) values.push_back(x);
  return values;
}

std::string attribute(const Element* element, const char* name) {
  const char* value = element ? element->Attribute(name) : nullptr;
  return value ? value : "";
}

// "#name" refers to the element with that id.
std::string target(const std::string& reference) {
  return reference.starts_with("#") ? reference.substr(1) : reference;
}

template <class F>
void for_each_child(const Element* parent, const char* name, const F& f) {
  if (!parent) return;
  for (const Element* e = parent->FirstChildElement(name); e; e = e->NextSiblingElement(name)) f(e);
}

// One <triangles>, <polylist> or <polygons> of a mesh.
class Faces {
 public:
  // `sources`: numbers by id; `positions`: the source of the points of each <vertices>.
  Faces(const Element* faces, const std::map<std::string, std::vector<double>>& sources,
        const std::map<std::string, std::string>& positions)
      : faces_(faces) {
    for_each_child(faces, "input", [&](const Element* input) {
      const auto at = static_cast<size_t>(std::max(0, input->IntAttribute("offset")));
      stride_ = std::max(stride_, at + 1);
      if (attribute(input, "semantic") != "VERTEX") return;
      offset_ = at;
      const auto vertices = positions.find(target(attribute(input, "source")));
      if (vertices == positions.end()) return;
      if (const auto source = sources.find(vertices->second); source != sources.end())
        points_ = source->second;
    });
  }

  void add_to(std::vector<Vector3>& corners) const {
    const std::vector<double> counts = numbers_in(faces_->FirstChildElement("vcount"));
    const bool are_triangles = std::string(faces_->Name()) == "triangles";
    for_each_child(faces_, "p", [&](const Element* list) {
      const std::vector<double> p = numbers_in(list);
      const size_t whole = p.size() / stride_;
      if (are_triangles) {
        for (size_t i = 0; i + 2 < whole; i += 3) add_polygon(p, i, 3, corners);
      } else if (counts.empty()) {
        add_polygon(p, 0, whole, corners);
      } else {
        size_t first = 0;
        for (const double given : counts) {
          const auto count = static_cast<size_t>(std::max(0.0, given));
          add_polygon(p, first, count, corners);
          first += count;
        }
      }
    });
  }

 private:
  bool point(const std::vector<double>& p, size_t corner, Vector3& out) const {
    const size_t k = corner * stride_ + offset_;
    if (k >= p.size() || !(p[k] >= 0)) return false;
    const auto i = 3 * static_cast<size_t>(p[k]);
    if (i + 2 >= points_.size()) return false;
    out = {points_[i], points_[i + 1], points_[i + 2]};
    return true;
  }

  // As a fan of triangles.
  void add_polygon(const std::vector<double>& p, size_t first, size_t count,
                   std::vector<Vector3>& corners) const {
    Vector3 a, b, c;
    for (size_t k = 1; k + 1 < count; ++k) {
      if (!point(p, first, a) || !point(p, first + k, b) || !point(p, first + k + 1, c)) return;
      corners.insert(corners.end(), {a, b, c});
    }
  }

  const Element* faces_;
  size_t stride_ = 1, offset_ = 0;
  std::vector<double> points_;
};

std::vector<Vector3> geometry_corners(const Element* mesh) {
  std::map<std::string, std::vector<double>> sources;
  for_each_child(mesh, "source", [&](const Element* source) {
    sources[attribute(source, "id")] = numbers_in(source->FirstChildElement("float_array"));
  });
  std::map<std::string, std::string> positions;
  for_each_child(mesh, "vertices", [&](const Element* vertices) {
    for_each_child(vertices, "input", [&](const Element* input) {
      if (attribute(input, "semantic") == "POSITION")
        positions[attribute(vertices, "id")] = target(attribute(input, "source"));
    });
  });
  std::vector<Vector3> corners;
  for (const char* kind : {"triangles", "polylist", "polygons"})
    for_each_child(mesh, kind,
                   [&](const Element* faces) { Faces(faces, sources, positions).add_to(corners); });
  return corners;
}

Transform node_transform(const Element* node) {
  Transform X = Transform::Identity();
  for (const Element* e = node->FirstChildElement(); e; e = e->NextSiblingElement()) {
    const std::string kind = e->Name();
    const std::vector<double> v = numbers_in(e);
    if (kind == "matrix" && v.size() == 16)
      X = X * Transform(Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(v.data()));
    if (kind == "translate" && v.size() == 3) X.translate(Vector3(v[0], v[1], v[2]));
    if (kind == "scale" && v.size() == 3) X.scale(Vector3(v[0], v[1], v[2]));
    if (kind == "rotate" && v.size() == 4 && Vector3(v[0], v[1], v[2]).norm() > 0)
      X.rotate(Eigen::AngleAxisd(v[3] * M_PI / 180, Vector3(v[0], v[1], v[2]).normalized()));
  }
  return X;
}

void add_node(const Element* node, const Transform& X,
              const std::map<std::string, std::vector<Vector3>>& geometries, int depth,
              std::vector<Vector3>& corners) {
  if (depth > deepest_node) return;
  const Transform here = X * node_transform(node);
  for_each_child(node, "instance_geometry", [&](const Element* shown) {
    const auto found = geometries.find(target(attribute(shown, "url")));
    if (found == geometries.end()) return;
    for (const Vector3& p : found->second) corners.push_back(here * p);
  });
  for_each_child(node, "node", [&](const Element* child) {
    add_node(child, here, geometries, depth + 1, corners);
  });
}

}  // namespace

std::vector<Vector3> collada_corners(const std::string& text) {
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) return {};
  const Element* root = document.FirstChildElement("COLLADA");
  if (!root) return {};
  std::map<std::string, std::vector<Vector3>> geometries;
  for_each_child(root->FirstChildElement("library_geometries"), "geometry",
                 [&](const Element* geometry) {
                   geometries[attribute(geometry, "id")] =
                       geometry_corners(geometry->FirstChildElement("mesh"));
                 });
  Transform X = Transform::Identity();
  if (const Element* asset = root->FirstChildElement("asset")) {
    if (const Element* unit = asset->FirstChildElement("unit"))
      X.scale(unit->DoubleAttribute("meter", 1));
    // as RViz turns them: z is up in a robot's file
    const Element* up = asset->FirstChildElement("up_axis");
    if (up && up->GetText() && std::string(up->GetText()) == "Y_UP")
      X.rotate(Eigen::AngleAxisd(M_PI / 2, Vector3::UnitX()));
  }
  std::vector<Vector3> corners;
  for_each_child(
      root->FirstChildElement("library_visual_scenes"), "visual_scene", [&](const Element* scene) {
        for_each_child(scene, "node",
                       [&](const Element* node) { add_node(node, X, geometries, 0, corners); });
      });
  return corners;
}

}  // namespace tauflex
