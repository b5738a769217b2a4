#include "tauflex/model/beam_nodes.hpp"

#include <algorithm>
#include <cmath>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/gauss_points.hpp"
#include "tauflex/model/beam_displacements.hpp"

namespace tauflex {

namespace {

void add_stiffness(const Beam& beam, const BeamElements& elements, BeamLayout& layout) {
  const double modulus[4] = {beam.EA, beam.EI_y, beam.EI_z, beam.GJ},
               shear[4] = {0, beam.shear_y, beam.shear_z, 0};
  layout.stiffness = Matrix::Zero(layout.n, layout.n);
  for (int e = 0; e < elements.count(); ++e)
    for (const GaussPoint& at : gauss_points(2)) {
      const auto shapes = elements.shapes(e, at.x);
      for (const BeamShape& a : shapes)
        for (const BeamShape& b : shapes) {
          if (a.field != b.field) continue;
          const double energy = a.bends() ? modulus[a.field] * a.curvature * b.curvature +
                                                shear[a.field] * a.shear() * b.shear()
                                          : modulus[a.field] * a.slope * b.slope;
          layout.stiffness(a.k, b.k) += elements.h() * at.weight * energy;
        }
    }
}

void add_twist_inertia(const Beam& beam, const BeamElements& elements, BeamLayout& layout) {
  layout.twist = Vector::Zero(layout.n);
  // points beside the axis have it already
  if (beam.rotary_y > 0 || beam.rotary_z > 0) return;
  layout.twist_inertia = beam.twist_inertia * layout.length;
  Matrix mass = Matrix::Zero(layout.n, layout.n);
  for (int e = 0; e < elements.count(); ++e)
    for (const GaussPoint& at : gauss_points(2)) {
      const double j = beam.twist_inertia * elements.h() * at.weight;
      const auto shapes = elements.shapes(e, at.x);
      for (const BeamShape& a : shapes) {
        if (a.field != twist_field) continue;
        layout.twist[a.k] += j * a.value;
        for (const BeamShape& b : shapes)
          if (b.field == twist_field) mass(a.k, b.k) += j * a.value * b.value;
      }
    }
  for (int i = 0; i < layout.n; ++i)
    for (int j = 0; j < layout.n; ++j)
      if (mass(i, j) != 0) layout.twist_mass.push_back({i, j, mass(i, j)});
}

}  // namespace

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

// Where the mass of a section sits: on the axis, or beside it so that it resists turning.
//                                                                                   theory (B.11)
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

// Point masses on element e of a segment; one between two elements belongs to the first.
std::vector<Beam::PointMass> masses_on(const Beam& beam, int segment, const BeamElements& elements,
                                       int e) {
  std::vector<Beam::PointMass> here;
  const int all = beam.segments * elements.count(), element = segment * elements.count() + e;
  for (const Beam::PointMass& mass : beam.masses) {
    const double x = mass.at / elements.h();
    if (std::clamp(static_cast<int>(std::ceil(x)) - 1, 0, all - 1) == element)
      here.push_back({x - element, mass.mass});
  }
  return here;
}

void add_points(const Beam& beam, int segment, const BeamElements& elements,
                BeamDisplacements& displacements, BeamLayout& layout) {
  const double h = elements.h();
  const std::vector<Vector3> section = section_points(beam);
  const auto share = 1 / static_cast<double>(section.size());
  for (int e = 0; e < elements.count(); ++e) {
    BeamLayout::Part part;
    part.first_point = static_cast<int>(layout.points.size());
    part.begin = std::max(e - 1, 0) * elements.per_node();
    part.end = (e + 1) * elements.per_node();
    // four points are exact for the mass of displacements of first order, six for those of second
    for (const GaussPoint& at : gauss_points(beam.second_order ? 6 : 4))
      for (const Vector3& beside : section)
        layout.points.push_back({share * beam.mass_per_length * h * at.weight,
                                 Vector3((e + at.x) * h, 0, 0) + beside,
                                 displacements.of_point({e, at.x, beside})});
    for (const auto& [s, mass] : masses_on(beam, segment, elements, e))
      layout.points.push_back({mass, Vector3((e + s) * h, 0, 0), displacements.of_point({e, s})});
    part.points = static_cast<int>(layout.points.size()) - part.first_point;
    layout.parts.push_back(part);
  }
}

void add_slopes(const BeamElements& elements, BeamLayout& layout) {
  layout.slopes = Matrix::Zero(2 * elements.count(), layout.n);
  for (int e = 0; e < elements.count(); ++e)
    for (const BeamShape& shape : elements.shapes(e, 1))
      if (shape.bends())
        layout.slopes(2 * e + (shape.field == y_field ? 0 : 1), shape.k) += shape.turn;
}

}  // namespace

BeamLayout lay_out_nodes(const Beam& beam, int segment) {
  BeamLayout layout;
  const BeamElements elements(beam, segment, layout);
  BeamDisplacements displacements(beam, elements, layout);
  layout.length = elements.h() * elements.count();
  layout.first_node = segment * elements.count();
  add_points(beam, segment, elements, displacements, layout);
  layout.end = displacements.of_end();
  displacements.number_sums();
  add_end_second(layout);
  add_stiffness(beam, elements, layout);
  add_twist_inertia(beam, elements, layout);
  add_slopes(elements, layout);
  add_damping(beam, layout);
  return layout;
}

}  // namespace tauflex
