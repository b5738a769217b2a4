#include "tauflex/model/beam_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tauflex/math/decompositions.hpp"
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

// Points and weights of Gauss on [0, 1], exact to degree 2 count - 1.
struct GaussPoint {
  double x, weight;
};
std::vector<GaussPoint> gauss_points(int count) {
  std::vector<GaussPoint> points;
  for (int i = 0; i < count; ++i) {
    double x = std::cos(M_PI * (i + 0.75) / (count + 0.5)), slope = 0;
    for (int iteration = 0; iteration < 50; ++iteration) {
      double p = 1, before = 0;
      for (int k = 1; k <= count; ++k) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p;
        p = next;
      }
      slope = count * (x * p - before) / (x * x - 1);
      x -= p / slope;
      if (std::abs(p / slope) < 1e-16) break;
    }
    points.push_back({(1 - x) / 2, 1 / ((1 - x * x) * slope * slope)});
  }
  return points;
}

// stretch u, deflections y and z, twist
enum Field { u_field, y_field, z_field, twist_field };

// What one coordinate gives to its field at a place, and the derivatives by x.
struct Shape {
  Field field;
  int k;
  double value, slope, curvature;
};

// The elements of one segment, all of the same length.
class Elements {
 public:
  Elements(const Beam& beam, int segment, BeamLayout& layout)
      : count_(beam.elements), h_(beam.length() / beam.segments / beam.elements) {
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
          list.push_back({field, k->second, side == 0 ? 1 - s : s, sign / h_, 0});
      for (const Field field : {y_field, z_field}) {
        const auto k = value_.find({field, node});
        if (k == value_.end()) continue;
        // 3 s^2 - 2 s^3 at the far node, 1 minus that at the near one
        const double far = s * s * (3 - 2 * s);
        list.push_back({field, k->second, side == 0 ? 1 - far : far, sign * 6 * s * (1 - s) / h_,
                        sign * (6 - 12 * s) / (h_ * h_)});
        // a turn about y lowers z
        const double turn = field == y_field ? h_ : -h_;
        const double a = side == 0 ? s * (1 - s) * (1 - s) : s * s * (s - 1);
        const double a1 = side == 0 ? (1 - s) * (1 - 3 * s) : s * (3 * s - 2);
        const double a2 = side == 0 ? 6 * s - 4 : 6 * s - 2;
        list.push_back(
            {field, slope_.at({field, node}), turn * a, turn * a1 / h_, turn * a2 / (h_ * h_)});
      }
    }
    return list;
  }

 private:
  int count_;
  double h_;
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
void add_second_order(const std::vector<Shape>& shapes, double dx, double arm, Terms& terms) {
  for (const Shape& a : shapes)
    for (const Shape& b : shapes) {
      const bool bends = b.field == y_field || b.field == z_field;
      if (bends && a.field == b.field)
        terms.add_product(0, a.k, b.k, -0.5 * a.slope * b.slope * dx);
      if (bends && a.field == u_field)
        terms.add_product(b.field == y_field ? 1 : 2, a.k, b.k, a.slope * b.slope * dx);
      if (bends && a.field == twist_field)
        terms.add_product(b.field == z_field ? 1 : 2, a.k, b.k,
                          (b.field == z_field ? -1 : 1) * arm * a.value * b.curvature * dx);
    }
}

// and to the rotation vector, 1/2 phi x phi' dx with phi = (twist, -z', y'):      theory (B.4)
void add_second_order_turn(const std::vector<Shape>& shapes, double dx, Terms& terms) {
  for (const Shape& a : shapes)
    for (const Shape& b : shapes) {
      const double half = 0.5 * dx;
      if (a.field == y_field && b.field == z_field)
        terms.add_product(3, a.k, b.k, half * (a.slope * b.curvature - b.slope * a.curvature));
      if (a.field == twist_field && b.field == y_field)
        terms.add_product(4, a.k, b.k, half * (b.slope * a.slope - a.value * b.curvature));
      if (a.field == twist_field && b.field == z_field)
        terms.add_product(5, a.k, b.k, half * (b.slope * a.slope - a.value * b.curvature));
    }
}

// Of the place s in element e, and of its orientation where `turns`.
std::vector<BeamLayout::Term> place_terms(const Beam& beam, const Elements& elements, int e,
                                          double s, bool turns, Products& products) {
  Terms terms(products);
  for (const Shape& shape : elements.shapes(e, s)) {
    if (shape.field != twist_field) terms.add(shape.field, shape.k, shape.value);
    if (!turns) continue;
    if (shape.field == twist_field) terms.add(3, shape.k, shape.value);
    if (shape.field == z_field) terms.add(4, shape.k, -shape.slope);
    if (shape.field == y_field) terms.add(5, shape.k, shape.slope);
  }
  if (!beam.second_order) return terms.list();
  const double h = elements.h(), x = (e + s) * h;
  for (int before = 0; before <= e; ++before) {
    const double part = before == e ? s : 1;  // of that element
    for (const GaussPoint& at : gauss_points(4)) {
      const double sigma = part * at.x, dx = part * h * at.weight;
      const auto shapes = elements.shapes(before, sigma);
      add_second_order(shapes, dx, x - (before + sigma) * h, terms);
      if (turns) add_second_order_turn(shapes, dx, terms);
    }
  }
  return terms.list();
}

void add_stiffness(const Beam& beam, const Elements& elements, BeamLayout& layout) {
  const double modulus[4] = {beam.EA, beam.EI_y, beam.EI_z, beam.GJ};
  layout.stiffness = Matrix::Zero(layout.n, layout.n);
  for (int e = 0; e < elements.count(); ++e)
    for (const GaussPoint& at : gauss_points(2)) {
      const auto shapes = elements.shapes(e, at.x);
      for (const Shape& a : shapes)
        for (const Shape& b : shapes) {
          if (a.field != b.field) continue;
          const bool bends = a.field == y_field || a.field == z_field;
          layout.stiffness(a.k, b.k) += modulus[a.field] * elements.h() * at.weight *
                                        (bends ? a.curvature * b.curvature : a.slope * b.slope);
        }
    }
}

void add_twist_inertia(const Beam& beam, const Elements& elements, BeamLayout& layout) {
  layout.twist = Vector::Zero(layout.n);
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

// Of the clamped beam at rest.
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

}  // namespace

BeamLayout lay_out_beam(const Beam& beam, int segment) {
  BeamLayout layout;
  const Elements elements(beam, segment, layout);
  Products products{layout};
  const double h = elements.h();
  layout.length = h * elements.count();
  // four points are exact for the mass of displacements of first order, six for those of second
  for (int e = 0; e < elements.count(); ++e)
    for (const GaussPoint& at : gauss_points(beam.second_order ? 6 : 4))
      layout.points.push_back({beam.mass_per_length * h * at.weight, (e + at.x) * h,
                               place_terms(beam, elements, e, at.x, false, products)});
  const double begin = segment * layout.length;
  for (const Beam::PointMass& mass : beam.masses) {
    const double x = (mass.at - begin) / h;
    const bool here = x <= elements.count() && (x > 0 || (x == 0 && segment == 0));
    if (!here) continue;
    const int e = std::min(static_cast<int>(x), elements.count() - 1);
    layout.points.push_back(
        {mass.mass, x * h, place_terms(beam, elements, e, x - e, false, products)});
  }
  layout.end = place_terms(beam, elements, elements.count() - 1, 1, true, products);
  layout.end_second.fill(Matrix::Zero(layout.n, layout.n));
  for (const BeamLayout::Term& term : layout.end) {
    if (term.z < layout.n) continue;
    const auto [k, l] = layout.pairs[term.z - layout.n];
    layout.end_second[term.component](k, l) += term.a;
    layout.end_second[term.component](l, k) += term.a;
  }
  add_stiffness(beam, elements, layout);
  add_twist_inertia(beam, elements, layout);
  add_damping(beam, layout);
  return layout;
}

}  // namespace tauflex
