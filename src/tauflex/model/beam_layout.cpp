#include "tauflex/model/beam_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/gauss_points.hpp"
#include "tauflex/math/rotations.hpp"

namespace tauflex {

Matrix3 Beam::axes() const {
  const Vector3 x = (to - from).normalized();
  if (y) {
    const Vector3 across = (*y - x * x.dot(*y)).normalized();
    Matrix3 R;
    R << x, across, x.cross(across);
    return R;
  }
  return rotation_with_x_along(x);
}

namespace {

// stretch u, deflections y and z, twist
enum Field { u_field, y_field, z_field, twist_field };

// What one coordinate gives to its field at a place: value, derivative by x, how far the section
// turns, and the derivative of that. Without shear slope and turn are the same.   theory (B.11)
struct Shape {
  Field field;
  int k;
  double value, slope, turn, curvature;

  double shear() const { return slope - turn; }
  bool bends() const { return field == y_field || field == z_field; }
};

// The elements of one segment, all of the same length.
class Elements {
 public:
  Elements(const Beam& beam, int segment, BeamLayout& layout)
      : count_(beam.elements), h_(beam.length() / beam.segments / beam.elements) {
    if (beam.shear_y > 0) soft_[y_field] = 12 * beam.EI_y / (beam.shear_y * h_ * h_);
    if (beam.shear_z > 0) soft_[z_field] = 12 * beam.EI_z / (beam.shear_z * h_ * h_);
    const std::array<bool, 4> has = {beam.EA > 0, beam.EI_y > 0, beam.EI_z > 0, beam.GJ > 0};
    for (int node = 1; node <= count_; ++node)
      for (int field = 0; field < 4; ++field) {
        if (!has[field]) continue;
        const int number = segment * count_ + node;
        const auto add = [&](const char* name, bool angle) {
          layout.names.push_back(fmt::format("{}{}", name, number));
          layout.is_angle.push_back(angle);
          return layout.n++;
        };
        const char* value_names[4] = {"x", "y", "z", "rx"};
        value_[{field, node}] = add(value_names[field], field == twist_field);
        if (field == y_field) slope_[{field, node}] = add("rz", true);
        if (field == z_field) slope_[{field, node}] = add("ry", true);
      }
  }

  int count() const { return count_; }
  double h() const { return h_; }

  // Of the coordinates that move element e, at s in [0, 1] of it.
  std::vector<Shape> shapes(int e, double s) const {
    std::vector<Shape> list;
    for (int side = 0; side < 2; ++side) {
      const int node = e + side;
      if (node == 0) continue;
      const double sign = side == 0 ? -1 : 1;
      for (const Field field : {u_field, twist_field})
        if (const auto k = value_.find({field, node}); k != value_.end())
          list.push_back({field, k->second, side == 0 ? 1 - s : s, sign / h_, 0, 0});
      for (const Field field : {y_field, z_field}) {
        const auto k = value_.find({field, node});
        if (k == value_.end()) continue;
        const double f = soft_[field], c = 1 / (1 + f);
        // 3 s^2 - 2 s^3 at the far node, 1 minus that at the near one; shear adds a straight part
        const double far = c * (s * s * (3 - 2 * s) + f * s), turns = c * 6 * s * (1 - s);
        list.push_back({field, k->second, side == 0 ? 1 - far : far, sign * (turns + c * f) / h_,
                        sign * turns / h_, sign * c * (6 - 12 * s) / (h_ * h_)});
        // a turn about y lowers z
        const double turn = c * (field == y_field ? h_ : -h_), out = f / 2 * s * (1 - s);
        const double a = side == 0 ? s * (1 - s) * (1 - s) + out : s * s * (s - 1) - out;
        const double a1 = side == 0 ? (1 - s) * (1 - 3 * s) : s * (3 * s - 2);
        const double a2 = side == 0 ? 6 * s - 4 - f : 6 * s - 2 + f;
        list.push_back({field, slope_.at({field, node}), turn * a,
                        turn * (a1 - sign * f / 2 * (1 - 2 * s)) / h_,
                        turn * (a1 + f * (side == 0 ? 1 - s : s)) / h_, turn * a2 / (h_ * h_)});
      }
    }
    return list;
  }

 private:
  int count_;
  double h_;
  // 12 EI / (shear stiffness h^2)
  std::array<double, 4> soft_ = {};
  std::map<std::pair<int, int>, int> value_, slope_;
};

// Products of coordinates, numbered as they appear.
struct Products {
  BeamLayout& layout;
  std::map<std::pair<int, int>, int> index = {};

  int find(int k, int l) {
    const auto [found, is_new] = index.emplace(std::minmax(k, l), layout.nz());
    if (is_new) layout.pairs.push_back({found->first.first, found->first.second});
    return found->second;
  }
};

// Coefficients of z, per component.
class Terms {
 public:
  explicit Terms(Products& products) : products_(products) {}

  void add(int component, int k, double a) { sum_[{component, k}] += a; }
  void add_product(int component, int k, int l, double a) {
    if (a == 0) return;
    sum_[{component, products_.find(k, l)}] += a;
  }

  std::vector<BeamLayout::Term> list() const {
    std::vector<BeamLayout::Term> terms;
    for (const auto& [key, a] : sum_)
      if (a != 0) terms.push_back({key.first, key.second, a});
    return terms;
  }

 private:
  Products& products_;
  std::map<std::pair<int, int>, double> sum_;
};

// What a piece dx at distance `arm` before the point gives there in second order:  theory (B.3)
//   x   -1/2 (y'^2 + z'^2) dx
//   y   (u' y' - arm twist z'') dx        z   (u' z' + arm twist y'') dx
// and with shear g = slope - turn                                                  theory (B.11)
//   x   1/2 (g_y^2 + g_z^2) dx     y   -(u' g_y + twist g_z) dx     z   (twist g_y - u' g_z) dx
void add_second_order(const std::vector<Shape>& shapes, double dx, double arm, Terms& terms) {
  for (const Shape& a : shapes)
    for (const Shape& b : shapes) {
      if (!b.bends()) continue;
      const int along = b.field == y_field ? 1 : 2, across = 3 - along;
      if (a.field == b.field)
        terms.add_product(0, a.k, b.k, 0.5 * (a.shear() * b.shear() - a.slope * b.slope) * dx);
      if (a.field == u_field) terms.add_product(along, a.k, b.k, a.slope * b.turn * dx);
      if (a.field == twist_field)
        terms.add_product(across, a.k, b.k,
                          (across == 1 ? -1 : 1) * a.value * (arm * b.curvature + b.shear()) * dx);
    }
}

// and to the rotation vector, 1/2 phi x phi' dx with phi = (twist, -z', y'):      theory (B.4)
template <class Add>
void add_second_order_turn(const std::vector<Shape>& shapes, double dx, const Add& add) {
  for (const Shape& a : shapes)
    for (const Shape& b : shapes) {
      const double half = 0.5 * dx;
      if (a.field == y_field && b.field == z_field)
        add(0, a.k, b.k, half * (a.turn * b.curvature - b.turn * a.curvature));
      if (a.field == twist_field && b.bends())
        add(b.field == y_field ? 1 : 2, a.k, b.k,
            half * (b.turn * a.slope - a.value * b.curvature));
    }
}

// What is asked of a place in an element.
struct Place {
  int e;
  double s;
  // Its orientation too.
  bool turns = false;
  // m, a point of the section beside the axis, which the section carries along
  Vector3 beside = Vector3::Zero();
};

// phi x beside + 1/2 phi x (phi x beside), phi to first order here.               theory (B.11)
void add_beside(const std::vector<Shape>& shapes, const Vector3& beside, bool second_order,
                Terms& terms) {
  struct Turn {
    int k;
    Vector3 phi;
  };
  std::vector<Turn> turns;
  for (const Shape& a : shapes) {
    if (a.field == twist_field) turns.push_back({a.k, {a.value, 0, 0}});
    if (a.field == z_field) turns.push_back({a.k, {0, -a.turn, 0}});
    if (a.field == y_field) turns.push_back({a.k, {0, 0, a.turn}});
  }
  for (const Turn& a : turns) {
    const Vector3 first = a.phi.cross(beside);
    for (int c = 0; c < 3; ++c) terms.add(c, a.k, first[c]);
    for (const Turn& b : turns) {
      if (!second_order) continue;
      const Vector3 second = 0.5 * a.phi.cross(b.phi.cross(beside));
      for (int c = 0; c < 3; ++c) terms.add_product(c, a.k, b.k, second[c]);
    }
  }
}

std::vector<BeamLayout::Term> place_terms(const Beam& beam, const Elements& elements,
                                          const Place& place, Products& products) {
  Terms terms(products);
  const std::vector<Shape> here = elements.shapes(place.e, place.s);
  for (const Shape& shape : here) {
    if (shape.field != twist_field) terms.add(shape.field, shape.k, shape.value);
    if (!place.turns) continue;
    if (shape.field == twist_field) terms.add(3, shape.k, shape.value);
    if (shape.field == z_field) terms.add(4, shape.k, -shape.turn);
    if (shape.field == y_field) terms.add(5, shape.k, shape.turn);
  }
  const bool is_beside = !place.beside.isZero(0);
  if (is_beside) add_beside(here, place.beside, beam.second_order, terms);
  if (!beam.second_order) return terms.list();
  const double h = elements.h(), x = (place.e + place.s) * h;
  for (int before = 0; before <= place.e; ++before) {
    const double part = before == place.e ? place.s : 1;  // of that element
    for (const GaussPoint& at : gauss_points(4)) {
      const double sigma = part * at.x, dx = part * h * at.weight;
      const auto shapes = elements.shapes(before, sigma);
      add_second_order(shapes, dx, x - (before + sigma) * h, terms);
      if (place.turns)
        add_second_order_turn(shapes, dx, [&](int axis, int k, int l, double a) {
          terms.add_product(3 + axis, k, l, a);
        });
      if (is_beside)
        add_second_order_turn(shapes, dx, [&](int axis, int k, int l, double a) {
          const Vector3 moved = Vector3::Unit(axis).cross(place.beside);
          for (int c = 0; c < 3; ++c) terms.add_product(c, k, l, a * moved[c]);
        });
    }
  }
  return terms.list();
}

void add_stiffness(const Beam& beam, const Elements& elements, BeamLayout& layout) {
  const double modulus[4] = {beam.EA, beam.EI_y, beam.EI_z, beam.GJ},
               shear[4] = {0, beam.shear_y, beam.shear_z, 0};
  layout.stiffness = Matrix::Zero(layout.n, layout.n);
  for (int e = 0; e < elements.count(); ++e)
    for (const GaussPoint& at : gauss_points(2)) {
      const auto shapes = elements.shapes(e, at.x);
      for (const Shape& a : shapes)
        for (const Shape& b : shapes) {
          if (a.field != b.field) continue;
          const double energy = a.bends() ? modulus[a.field] * a.curvature * b.curvature +
                                                shear[a.field] * a.shear() * b.shear()
                                          : modulus[a.field] * a.slope * b.slope;
          layout.stiffness(a.k, b.k) += elements.h() * at.weight * energy;
        }
    }
}

void add_twist_inertia(const Beam& beam, const Elements& elements, BeamLayout& layout) {
  layout.twist = Vector::Zero(layout.n);
  // points beside the axis have it already
  if (beam.rotary_y > 0 || beam.rotary_z > 0) return;
  layout.twist_inertia = beam.twist_inertia * layout.length;
  Matrix mass = Matrix::Zero(layout.n, layout.n);
  for (int e = 0; e < elements.count(); ++e)
    for (const GaussPoint& at : gauss_points(2)) {
      const double j = beam.twist_inertia * elements.h() * at.weight;
      const auto shapes = elements.shapes(e, at.x);
      for (const Shape& a : shapes) {
        if (a.field != twist_field) continue;
        layout.twist[a.k] += j * a.value;
        for (const Shape& b : shapes)
          if (b.field == twist_field) mass(a.k, b.k) += j * a.value * b.value;
      }
    }
  for (int i = 0; i < layout.n; ++i)
    for (int j = 0; j < layout.n; ++j)
      if (mass(i, j) != 0) layout.twist_mass.push_back({i, j, mass(i, j)});
}

}  // namespace

Matrix mass_at_rest(const BeamLayout& layout) {
  Matrix M = Matrix::Zero(layout.n, layout.n);
  for (const BeamLayout::Point& point : layout.points)
    for (const BeamLayout::Term& a : point.terms)
      for (const BeamLayout::Term& b : point.terms)
        if (a.z < layout.n && b.z < layout.n && a.component == b.component)
          M(a.z, b.z) += point.mass * a.a * b.a;
  for (const BeamLayout::Entry& entry : layout.twist_mass)
    M(entry.row, entry.column) += entry.value;
  return M;
}

namespace {

// With M = R^T R and R^-T K R^-1 = V diag(w^2) V^T: D = R^T V diag(2 zeta w) V^T R    theory (B.5)
void add_damping(const Beam& beam, BeamLayout& layout) {
  const Matrix M = mass_at_rest(layout);
  layout.damping = beam.mass_damping * M + beam.stiffness_damping * layout.stiffness;
  if (beam.damping_ratio == 0) return;
  const Matrix R = cholesky_factor(M);
  const Matrix half = solve_linear(R.transpose(), layout.stiffness);
  Matrix A = solve_linear(R.transpose(), half.transpose());
  A = (0.5 * (A + A.transpose())).eval();
  const SymmetricEigensystem modes = symmetric_eigensystem(A);
  const Matrix RV = R.transpose() * modes.V;
  for (int k = 0; k < layout.n; ++k)
    layout.damping += (2 * beam.damping_ratio * std::sqrt(std::max(modes.values[k], 0.0))) *
                      RV.col(k) * RV.col(k).transpose();
}

// Where the mass of a section sits: on the axis, or beside it so that it resists turning. theory
// (B.11)
std::vector<Vector3> section_points(const Beam& beam) {
  std::vector<Vector3> points;
  const double pairs = (beam.rotary_y > 0) + (beam.rotary_z > 0);
  const auto add = [&](double rotary, const Vector3& axis) {
    const Vector3 beside = std::sqrt(pairs * rotary / beam.mass_per_length) * axis;
    if (rotary > 0) points.insert(points.end(), {beside, -beside});
  };
  add(beam.rotary_y, Vector3::UnitY());
  add(beam.rotary_z, Vector3::UnitZ());
  return points.empty() ? std::vector<Vector3>{Vector3::Zero()} : points;
}

void add_points(const Beam& beam, int segment, const Elements& elements, Products& products,
                BeamLayout& layout) {
  const double h = elements.h();
  const std::vector<Vector3> section = section_points(beam);
  const auto share = 1 / static_cast<double>(section.size());
  // four points are exact for the mass of displacements of first order, six for those of second
  for (int e = 0; e < elements.count(); ++e)
    for (const GaussPoint& at : gauss_points(beam.second_order ? 6 : 4))
      for (const Vector3& beside : section)
        layout.points.push_back({share * beam.mass_per_length * h * at.weight,
                                 Vector3((e + at.x) * h, 0, 0) + beside,
                                 place_terms(beam, elements, {e, at.x, false, beside}, products)});
  const double begin = segment * layout.length;
  for (const Beam::PointMass& mass : beam.masses) {
    const double x = (mass.at - begin) / h;
    const bool here = x <= elements.count() && (x > 0 || (x == 0 && segment == 0));
    if (!here) continue;
    const int e = std::min(static_cast<int>(x), elements.count() - 1);
    layout.points.push_back(
        {mass.mass, Vector3(x * h, 0, 0), place_terms(beam, elements, {e, x - e}, products)});
  }
}

void add_slopes(const Elements& elements, BeamLayout& layout) {
  layout.slopes = Matrix::Zero(2 * elements.count(), layout.n);
  for (int e = 0; e < elements.count(); ++e)
    for (const Shape& shape : elements.shapes(e, 1))
      if (shape.bends())
        layout.slopes(2 * e + (shape.field == y_field ? 0 : 1), shape.k) += shape.turn;
}

}  // namespace

void add_end_second(BeamLayout& layout) {
  layout.end_second.fill(Matrix::Zero(layout.n, layout.n));
  for (const BeamLayout::Term& term : layout.end) {
    if (term.z < layout.n) continue;
    const auto [k, l] = layout.pairs[term.z - layout.n];
    layout.end_second[term.component](k, l) += term.a;
    layout.end_second[term.component](l, k) += term.a;
  }
}

BeamLayout lay_out_nodes(const Beam& beam, int segment) {
  BeamLayout layout;
  const Elements elements(beam, segment, layout);
  Products products{layout};
  layout.length = elements.h() * elements.count();
  layout.first_node = segment * elements.count();
  add_points(beam, segment, elements, products, layout);
  layout.end = place_terms(beam, elements, {elements.count() - 1, 1, true}, products);
  add_end_second(layout);
  add_stiffness(beam, elements, layout);
  add_twist_inertia(beam, elements, layout);
  add_slopes(elements, layout);
  add_damping(beam, layout);
  return layout;
}

}  // namespace tauflex
