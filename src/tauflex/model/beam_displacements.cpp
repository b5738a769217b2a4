#include "tauflex/model/beam_displacements.hpp"

#include <algorithm>

#include "tauflex/math/gauss_points.hpp"
#include "tauflex/math/rotations.hpp"

namespace tauflex {

// Coefficients of z, per component.
class BeamDisplacements::Terms {
 public:
  explicit Terms(BeamDisplacements& of) : of_(of) {}

  void add(int component, int z, double a) { sum_[{component, z}] += a; }
  void add_product(int component, int k, int l, double a) {
    if (a == 0) return;
    sum_[{component, of_.product(k, l)}] += a;
  }

  std::vector<BeamLayout::Term> list() const {
    std::vector<BeamLayout::Term> terms;
    for (const auto& [key, a] : sum_)
      if (a != 0) terms.push_back({key.first, key.second, a});
    return terms;
  }

 private:
  BeamDisplacements& of_;
  std::map<std::pair<int, int>, double> sum_;
};

namespace {

using Shapes = std::vector<BeamShape>;

// What a piece dx at distance `arm` before the point gives there in second order:  theory (B.3)
//   x   -1/2 (y'^2 + z'^2) dx
//   y   (u' y' - arm twist z'') dx        z   (u' z' + arm twist y'') dx
// and with shear g = slope - turn                                                  theory (B.11)
//   x   1/2 (g_y^2 + g_z^2) dx     y   -(u' g_y + twist g_z) dx     z   (twist g_y - u' g_z) dx
template <class Add>
void add_second_order(const Shapes& shapes, double dx, double arm, const Add& add) {
  for (const BeamShape& a : shapes)
    for (const BeamShape& b : shapes) {
      if (!b.bends()) continue;
      const int along = b.field == y_field ? 1 : 2, across = 3 - along;
      if (a.field == b.field)
        add(0, a.k, b.k, 0.5 * (a.shear() * b.shear() - a.slope * b.slope) * dx);
      if (a.field == u_field) add(along, a.k, b.k, a.slope * b.turn * dx);
      if (a.field == twist_field)
        add(across, a.k, b.k,
            (across == 1 ? -1 : 1) * a.value * (arm * b.curvature + b.shear()) * dx);
    }
}

// The part of this that grows with the arm, per length of it; component 0 for y and 1 for z.
template <class Add>
void add_second_order_by_arm(const Shapes& shapes, double dx, const Add& add) {
  for (const BeamShape& a : shapes)
    for (const BeamShape& b : shapes) {
      if (a.field != twist_field || !b.bends()) continue;
      const int across = b.field == y_field ? 1 : 0;
      add(across, a.k, b.k, (across == 0 ? -1 : 1) * a.value * b.curvature * dx);
    }
}

// and to the rotation vector, 1/2 phi x phi' dx with phi = (twist, -z', y'):      theory (B.4)
template <class Add>
void add_second_order_turn(const Shapes& shapes, double dx, const Add& add) {
  for (const BeamShape& a : shapes)
    for (const BeamShape& b : shapes) {
      const double half = 0.5 * dx;
      if (a.field == y_field && b.field == z_field)
        add(0, a.k, b.k, half * (a.turn * b.curvature - b.turn * a.curvature));
      if (a.field == twist_field && b.bends())
        add(b.field == y_field ? 1 : 2, a.k, b.k,
            half * (b.turn * a.slope - a.value * b.curvature));
    }
}

// phi x beside + 1/2 phi x (phi x beside), phi to first order here.               theory (B.11)
template <class Terms>
void add_beside(const Shapes& shapes, const Vector3& beside, bool second_order, Terms& terms) {
  struct Turn {
    int k;
    Vector3 phi;
  };
  std::vector<Turn> turns;
  for (const BeamShape& a : shapes) {
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

// Displacements of first order.
template <class Terms>
void add_first_order(const Shapes& shapes, Terms& terms) {
  for (const BeamShape& shape : shapes)
    if (shape.field != twist_field) terms.add(shape.field, shape.k, shape.value);
}

}  // namespace

// Kinds of sums: displacement x y z as seen by a point at x = 0; y z per x of the point; rotation.
void BeamDisplacements::add_carried(const Shapes& shapes, double dx, double x, Terms& terms) {
  const auto kind = [&](int first) {
    return
        [&terms, first](int c, int k, int l, double a) { terms.add_product(first + c, k, l, a); };
  };
  add_second_order(shapes, dx, -x, kind(0));
  add_second_order_by_arm(shapes, dx, kind(3));
  add_second_order_turn(shapes, dx, kind(5));
}

BeamDisplacements::BeamDisplacements(const Beam& beam, const BeamElements& elements,
                                     BeamLayout& layout)
    : second_order_(beam.second_order), elements_(elements), layout_(layout) {
  sums_.assign(elements.count(), {-1, -1, -1, -1, -1, -1, -1, -1});
  if (!second_order_) return;
  for (int e = 0; e + 1 < elements.count(); ++e) {
    Terms terms(*this);
    for (const GaussPoint& at : gauss_points(4))
      add_carried(elements.shapes(e, at.x), elements.h() * at.weight, (e + at.x) * elements.h(),
                  terms);
    // rotations of sections matter to points beside the axis
    const int kinds_here = beam.rotary_y > 0 || beam.rotary_z > 0 ? 8 : 5;
    for (int kind = 0; kind < kinds_here; ++kind) {
      BeamLayout::Sum sum;
      if (sums_[e][kind] >= 0) sum.push_back({first_sum + sums_[e][kind], 1});
      for (const BeamLayout::Term& term : terms.list())
        if (term.component == kind) sum.push_back({term.z, term.a});
      if (sum.empty()) continue;
      sums_[e + 1][kind] = static_cast<int>(layout.sums.size());
      layout.sums.push_back(sum);
    }
  }
}

int BeamDisplacements::product(int k, int l) {
  const auto [found, is_new] =
      products_.emplace(std::minmax(k, l), layout_.n + static_cast<int>(layout_.pairs.size()));
  if (is_new) layout_.pairs.push_back({found->first.first, found->first.second});
  return found->second;
}

void BeamDisplacements::add_elements_before(const BeamPlace& place, Terms& terms) {
  const double x = (place.e + place.s) * elements_.h();
  const auto add = [&](int component, int kind, double a) {
    if (a != 0 && sums_[place.e][kind] >= 0)
      terms.add(component, first_sum + sums_[place.e][kind], a);
  };
  for (int c = 0; c < 3; ++c) {
    add(c, c, 1);
    if (c > 0) add(c, 2 + c, x);
    const Vector3 moved = Vector3::Unit(c).cross(place.beside);
    for (int component = 0; component < 3; ++component) add(component, 5 + c, moved[component]);
  }
}

std::vector<BeamLayout::Term> BeamDisplacements::of_point(const BeamPlace& place) {
  Terms terms(*this);
  const Shapes here = elements_.shapes(place.e, place.s);
  add_first_order(here, terms);
  const bool is_beside = !place.beside.isZero(0);
  if (is_beside) add_beside(here, place.beside, second_order_, terms);
  if (!second_order_) return terms.list();
  add_elements_before(place, terms);
  for (const GaussPoint& at : gauss_points(4)) {
    const double sigma = place.s * at.x, dx = place.s * elements_.h() * at.weight;
    const Shapes shapes = elements_.shapes(place.e, sigma);
    add_second_order(
        shapes, dx, (place.s - sigma) * elements_.h(),
        [&](int component, int k, int l, double a) { terms.add_product(component, k, l, a); });
    if (is_beside)
      add_second_order_turn(shapes, dx, [&](int axis, int k, int l, double a) {
        const Vector3 moved = Vector3::Unit(axis).cross(place.beside);
        for (int c = 0; c < 3; ++c) terms.add_product(c, k, l, a * moved[c]);
      });
  }
  return terms.list();
}

std::vector<BeamLayout::Term> BeamDisplacements::of_end() {
  Terms terms(*this);
  const Shapes here = elements_.shapes(elements_.count() - 1, 1);
  add_first_order(here, terms);
  for (const BeamShape& shape : here) {
    if (shape.field == twist_field) terms.add(3, shape.k, shape.value);
    if (shape.field == z_field) terms.add(4, shape.k, -shape.turn);
    if (shape.field == y_field) terms.add(5, shape.k, shape.turn);
  }
  if (!second_order_) return terms.list();
  const auto add = [&](int first) {
    return
        [&terms, first](int c, int k, int l, double a) { terms.add_product(first + c, k, l, a); };
  };
  for (int e = 0; e < elements_.count(); ++e)
    for (const GaussPoint& at : gauss_points(4)) {
      const double dx = elements_.h() * at.weight;
      const Shapes shapes = elements_.shapes(e, at.x);
      add_second_order(shapes, dx, (elements_.count() - e - at.x) * elements_.h(), add(0));
      add_second_order_turn(shapes, dx, add(3));
    }
  return terms.list();
}

void BeamDisplacements::number_sums() {
  const int behind = layout_.n + static_cast<int>(layout_.pairs.size());
  const auto number = [&](int& z) {
    if (z >= first_sum) z += behind - first_sum;
  };
  for (BeamLayout::Point& point : layout_.points)
    for (BeamLayout::Term& term : point.terms) number(term.z);
  for (BeamLayout::Sum& sum : layout_.sums)
    for (BeamLayout::Addend& addend : sum) number(addend.z);
  // kinds that are never there are left out
  std::vector<int> kinds;
  for (int kind = 0; kind < 8; ++kind)
    if (std::any_of(sums_.begin(), sums_.end(), [&](const auto& of) { return of[kind] >= 0; }))
      kinds.push_back(kind);
  for (int e = 0; e < elements_.count(); ++e)
    for (const int kind : kinds)
      layout_.parts[e].sums.push_back(sums_[e][kind] < 0 ? -1 : behind + sums_[e][kind]);
}

}  // namespace tauflex
