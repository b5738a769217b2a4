#include "tauflex/model/beam_coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/model/beam_nodes.hpp"

namespace tauflex {

namespace {

// The ways in which a beam gives, by the names of their coordinates.
constexpr std::array<const char*, 4> ways = {"x", "y", "z", "rx"};

// Which of them a coordinate belongs to: "y1" and "rz1" to y, "z1" and "ry1" to z.
int way_of_coordinate(const std::string& name) {
  if (name.starts_with("rx")) return 3;
  if (name.starts_with("x")) return 0;
  return name.starts_with("y") || name.starts_with("rz") ? 1 : 2;
}

// Coordinates of the last node; the rest are inner ones.
bool is_of_end(const BeamLayout& layout, int k) {
  for (const BeamLayout::Term& term : layout.end)
    if (term.z == k) return true;
  return false;
}

// A quadratic function of the coordinates, per component.
class Quadratic {
 public:
  explicit Quadratic(const BeamLayout& layout, const std::vector<BeamLayout::Term>& terms) {
    for (const BeamLayout::Term& term : terms) {
      Part& part = parts_[term.component];
      if (part.linear.size() == 0) {
        part.linear = Vector::Zero(layout.n);
        part.products = Matrix::Zero(layout.n, layout.n);
      }
      add(layout, term.z, term.a, part);
    }
  }

  // In the coordinates p, q = T p; products are numbered as they appear.
  std::vector<BeamLayout::Term> in_basis(const Matrix& T, BeamLayout& layout,
                                         std::map<std::pair<int, int>, int>& index) const {
    std::vector<BeamLayout::Term> terms;
    for (const auto& [component, part] : parts_) {
      const Vector linear = T.transpose() * part.linear;
      const Matrix products = T.transpose() * part.products * T;
      constexpr double rounding = 1e-14;
      const double small = rounding * linear.cwiseAbs().maxCoeff(),
                   little = rounding * products.cwiseAbs().maxCoeff();
      for (int k = 0; k < layout.n; ++k)
        if (std::abs(linear[k]) > small) terms.push_back({component, k, linear[k]});
      for (int l = 0; l < layout.n; ++l)
        for (int k = 0; k <= l; ++k) {
          if (!(std::abs(products(k, l)) > little)) continue;
          const auto [found, is_new] = index.emplace(std::pair(k, l), layout.nz());
          if (is_new) layout.pairs.push_back({k, l});
          terms.push_back({component, found->second, (k == l ? 1 : 2) * products(k, l)});
        }
    }
    return terms;
  }

 private:
  struct Part {
    Vector linear;
    Matrix products;
  };

  static void add(const BeamLayout& layout, int z, double a, Part& part) {
    if (z < layout.n) {
      part.linear[z] += a;
    } else if (z < layout.first_sum()) {
      const auto [k, l] = layout.pairs[z - layout.n];
      part.products(k, l) += 0.5 * a;
      part.products(l, k) += 0.5 * a;
    } else {
      for (const BeamLayout::Addend& addend : layout.sums[z - layout.first_sum()])
        add(layout, addend.z, a * addend.a, part);
    }
  }

  std::map<int, Part> parts_;
};

struct Basis {
  Matrix T;
  std::vector<std::string> names;
  std::vector<bool> is_angle;

  void add(const Vector& column, const std::string& name, bool angle) {
    T.conservativeResize(column.size(), T.cols() + 1);
    T.col(T.cols() - 1) = column;
    names.push_back(name);
    is_angle.push_back(angle);
  }
};

BeamLayout in_basis(const BeamLayout& given, const Basis& basis) {
  const Matrix& T = basis.T;
  BeamLayout layout;
  layout.n = static_cast<int>(T.cols());
  layout.length = given.length;
  layout.first_node = given.first_node;
  layout.names = basis.names;
  layout.is_angle = basis.is_angle;
  std::map<std::pair<int, int>, int> index;
  for (const BeamLayout::Point& point : given.points)
    layout.points.push_back(
        {point.mass, point.at, Quadratic(given, point.terms).in_basis(T, layout, index)});
  layout.parts = {{0, static_cast<int>(layout.points.size()), 0, layout.n, {}}};
  layout.end = Quadratic(given, given.end).in_basis(T, layout, index);
  add_end_second(layout);
  layout.stiffness = T.transpose() * given.stiffness * T;
  layout.damping = T.transpose() * given.damping * T;
  layout.slopes = given.slopes * T;
  layout.twist_inertia = given.twist_inertia;
  layout.twist = T.transpose() * given.twist;
  Matrix twist_mass = Matrix::Zero(given.n, given.n);
  for (const BeamLayout::Entry& entry : given.twist_mass)
    twist_mass(entry.row, entry.column) += entry.value;
  twist_mass = (T.transpose() * twist_mass * T).eval();
  for (int i = 0; i < layout.n; ++i)
    for (int j = 0; j < layout.n; ++j)
      if (twist_mass(i, j) != 0) layout.twist_mass.push_back({i, j, twist_mass(i, j)});
  return layout;
}

// Shapes clamped at both ends, mass 1, of all nodes.
struct InnerShape {
  int way;
  double frequency;
  Vector shape;
};

std::vector<InnerShape> inner_shapes(const BeamLayout& nodes) {
  const Matrix M = mass_at_rest(nodes);
  std::vector<InnerShape> shapes;
  for (int way = 0; way < 4; ++way) {
    std::vector<int> inner;
    for (int k = 0; k < nodes.n; ++k)
      if (way_of_coordinate(nodes.names[k]) == way && !is_of_end(nodes, k)) inner.push_back(k);
    if (inner.empty()) continue;
    // M = R^T R, R^-T K R^-1 = V diag(w^2) V^T
    const Matrix R = cholesky_factor(M(inner, inner));
    const Matrix half = solve_linear(R.transpose(), nodes.stiffness(inner, inner));
    Matrix A = solve_linear(R.transpose(), half.transpose());
    A = (0.5 * (A + A.transpose())).eval();
    const SymmetricEigensystem modes = symmetric_eigensystem(A);
    const Matrix inner_columns = solve_linear(R, modes.V);
    for (Eigen::Index k = 0; k < modes.values.size(); ++k) {
      Vector shape = Vector::Zero(nodes.n);
      shape(inner) = inner_columns.col(k);
      shapes.push_back({way, std::sqrt(std::max(modes.values[k], 0.0)), shape});
    }
  }
  std::stable_sort(shapes.begin(), shapes.end(), [](const InnerShape& a, const InnerShape& b) {
    return a.frequency < b.frequency;
  });
  return shapes;
}

}  // namespace

std::vector<ComponentMode> component_modes(const BeamLayout& nodes) {
  double mass = 0;
  Matrix momentum = Matrix::Zero(4, nodes.n);  // of a unit velocity of each coordinate, by way
  for (const BeamLayout::Point& point : nodes.points) {
    mass += point.mass;
    for (const BeamLayout::Term& term : point.terms)
      if (term.z < nodes.n && term.component < 3)
        momentum(term.component, term.z) += point.mass * term.a;
  }
  momentum.row(3) = nodes.twist.transpose();
  std::vector<ComponentMode> modes;
  for (const InnerShape& inner : inner_shapes(nodes)) {
    const double whole = inner.way == 3 ? nodes.twist_inertia : mass;
    const double moved = momentum.row(inner.way).dot(inner.shape);
    modes.push_back({inner.frequency, whole > 0 ? moved * moved / whole : 0});
  }
  return modes;
}

double missed_inertia(const std::vector<ComponentMode>& modes, int kept, double frequency) {
  double missed = 0;
  for (size_t k = kept; k < modes.size(); ++k) {
    const double ratio = std::pow(frequency / modes[k].frequency, 2);
    if (ratio >= 0.5) return 1;
    missed += modes[k].mass_share * ratio / (1 - ratio);
  }
  return std::min(missed, 1.0);
}

BeamLayout with_component_modes(const BeamLayout& nodes, int kept) {
  Basis basis;
  std::array<int, 4> counts = {};
  std::vector<int> inner, end;
  for (int k = 0; k < nodes.n; ++k) (is_of_end(nodes, k) ? end : inner).push_back(k);
  // the end moves and everything between follows as if at rest
  Matrix follows(0, std::ssize(end));
  if (!inner.empty())
    follows = -solve_linear(nodes.stiffness(inner, inner), nodes.stiffness(inner, end));
  std::vector<InnerShape> shapes = inner_shapes(nodes);
  shapes.resize(std::min(shapes.size(), static_cast<size_t>(kept)));
  for (const InnerShape& inner_shape : shapes) {
    // its deflection is the coordinate, about: nodes that only turn deflect an eighth of an element
    Vector column = inner_shape.shape;
    double largest = 0;
    for (int k = 0; k < nodes.n; ++k) {
      const bool turns = inner_shape.way < 3 && nodes.is_angle[k];
      const double size = (turns ? nodes.length / 8 : 1) * column[k];
      if (std::abs(size) > std::abs(largest)) largest = size;
    }
    basis.add(column / largest,
              fmt::format("{}mode{}", ways[inner_shape.way], ++counts[inner_shape.way]),
              inner_shape.way == 3);
  }
  for (size_t j = 0; j < end.size(); ++j) {
    Vector column = Vector::Zero(nodes.n);
    column[end[j]] = 1;
    column(inner) = follows.col(static_cast<Eigen::Index>(j));
    basis.add(column, nodes.names[end[j]], nodes.is_angle[end[j]]);
  }
  return in_basis(nodes, basis);
}

// The tangent turns by rz0 against the chord: y = y_c - x rz0, rz = rz_c - rz0, and the end of the
// chord does not deflect; likewise z = z_c + x ry0, ry = ry_c - ry0.
BeamLayout seen_from_chord(const BeamLayout& layout) {
  Basis basis;
  const auto is_node = [](const std::string& name) {
    return name.find("mode") == std::string::npos;
  };
  const auto node_of = [](const std::string& name) {
    return std::stoi(name.substr(name.find_first_of("0123456789")));
  };
  const int begin = layout.first_node;
  int last = begin + 1;
  for (const std::string& name : layout.names)
    if (is_node(name)) last = std::max(last, node_of(name));
  for (const bool along_y : {true, false}) {
    Vector turned = Vector::Zero(layout.n);
    for (int k = 0; k < layout.n; ++k) {
      const std::string& name = layout.names[k];
      if (!is_node(name)) continue;
      const double x = layout.length * (node_of(name) - begin) / (last - begin);
      if (name.starts_with(along_y ? "y" : "z")) turned[k] = along_y ? -x : x;
      if (name.starts_with(along_y ? "rz" : "ry")) turned[k] = -1;
    }
    if (turned.isZero(0)) continue;
    basis.add(turned, fmt::format("{}{}_start", along_y ? "rz" : "ry", begin), true);
  }
  for (int k = 0; k < layout.n; ++k) {
    const std::string& name = layout.names[k];
    if (name == fmt::format("y{}", last) || name == fmt::format("z{}", last)) continue;
    basis.add(Vector::Unit(layout.n, k), name, layout.is_angle[k]);
  }
  return in_basis(layout, basis);
}

BeamLayout lay_out_beam(const Beam& beam, int segment) {
  BeamLayout layout = lay_out_nodes(beam, segment);
  if (beam.modes) layout = with_component_modes(layout, *beam.modes);
  if (beam.chord) layout = seen_from_chord(layout);
  return layout;
}

}  // namespace tauflex
