#include "tauflex/mechanics/beam_sums.hpp"

#include <algorithm>
#include <cmath>

namespace tauflex {

namespace {

// Adds a dz/dq of one number of z, a product or a coordinate, to a row over the coordinates from
// `begin` on; and its time derivatives.
template <class Row>
void add_slopes_of(const BeamLayout& beam, const Vector& by, int z, double a, int begin,
                   Row&& row) {
  const auto [k, l] = beam.pairs[z - beam.n];
  row[k - begin] += a * by[l];
  row[l - begin] += a * by[k];
}

// What element `part` gives to all beyond it.
void carry_on(const BeamLayout& beam, const BeamMotion<double>& at, int part, int orders,
              Matrix& carried) {
  const std::vector<int>& sums = beam.parts[part].sums;
  const auto kinds = static_cast<int>(sums.size());
  const Vector* by[3] = {&at.z, &at.z_rate, &at.z_acceleration};
  for (int kind = 0; kind < kinds; ++kind) {
    if (sums[kind] < 0) continue;
    for (const BeamLayout::Addend& addend : beam.sums[sums[kind] - beam.first_sum()])
      for (int order = 0; order < orders && addend.z < beam.first_sum(); ++order)
        add_slopes_of(beam, *by[order], addend.z, addend.a, 0, carried.row(order * kinds + kind));
  }
}

// The rows of one point in J, without what comes by sums, and the kinds of these.
void add_point(const BeamLayout& beam, const BeamLayout::Part& part, int g,
               const BeamMotion<double>& at, bool rates, BeamMatrices& m) {
  const BeamLayout::Point& point = beam.points[g];
  const double root = std::sqrt(point.mass);
  Vector3 r = point.at, r_rate = Vector3::Zero(), r_acceleration = Vector3::Zero();
  for (const BeamLayout::Term& term : point.terms) {
    const double a = root * term.a;
    const Eigen::Index row = 3 * g + term.component;
    r[term.component] += term.a * at.z[term.z];
    if (rates) {
      r_rate[term.component] += term.a * at.z_rate[term.z];
      r_acceleration[term.component] += term.a * at.z_acceleration[term.z];
    }
    if (term.z < beam.n) {
      m.J(row, term.z - part.begin) += a;
    } else if (term.z >= beam.first_sum()) {
      const auto kind = std::find(part.sums.begin(), part.sums.end(), term.z) - part.sums.begin();
      m.J(row, part.end - part.begin + kind) += a;
    } else {
      add_slopes_of(beam, at.z, term.z, a, part.begin, m.J.row(row));
      if (!rates) continue;
      add_slopes_of(beam, at.z_rate, term.z, a, part.begin, m.J_rate.row(row));
      add_slopes_of(beam, at.z_acceleration, term.z, a, part.begin, m.J_acceleration.row(row));
    }
  }
  m.r.col(g) = r;
  m.r_rate.col(g) = r_rate;
  m.r_acceleration.col(g) = r_acceleration;
}

}  // namespace

PartColumns part_columns(const BeamLayout& beam, int part) {
  const BeamLayout::Part& of = beam.parts[part];
  return {3 * of.first_point, 3 * of.points, of.end - of.begin, static_cast<int>(of.sums.size())};
}

void beam_jacobians(const BeamLayout& beam, const BeamMotion<double>& at, bool rates,
                    BeamMatrices& m) {
  const int orders = rates ? 3 : 1;
  m.carried.setZero();
  m.J.setZero();
  if (rates) {
    m.J_rate.setZero();
    m.J_acceleration.setZero();
  }
  Matrix* const J[3] = {&m.J, &m.J_rate, &m.J_acceleration};
  for (int e = 0; e < std::ssize(beam.parts); ++e) {
    const BeamLayout::Part& part = beam.parts[e];
    const auto [first, rows, own, kinds] = part_columns(beam, e);
    if (e > 0) carry_on(beam, at, e, orders, m.carried);
    for (int g = part.first_point; g < part.first_point + part.points; ++g) {
      add_point(beam, part, g, at, rates, m);
      const double root = std::sqrt(beam.points[g].mass);
      m.J.block<3, 3>(3 * g, own + kinds) = -root * skew<double>(m.r.col(g));
      m.J.block<3, 3>(3 * g, own + kinds + 3) = root * Matrix3::Identity();
    }
    for (int order = 0; order < orders && kinds > 0; ++order)
      J[order]->block(first, 0, rows, own) +=
          m.J.block(first, own, rows, kinds)
              .lazyProduct(m.carried.block(order * kinds, part.begin, kinds, own));
  }
}

void start_sum(BeamSum& sum, Matrix& matrix) {
  matrix.setZero();
  sum.others.setZero();
  sum.beyond.setZero();
}

void hand_on(const BeamLayout& beam, int part, int orders, const BeamMatrices& m, BeamSum& sum,
             Matrix& matrix) {
  const auto [first, rows, own, kinds] = part_columns(beam, part);
  const int begin = beam.parts[part].begin, extra = static_cast<int>(sum.others.rows());
  matrix.block(begin, begin, own, own) += sum.near.topLeftCorner(own, own);
  sum.others.middleCols(begin, own) += sum.near.block(own + kinds, 0, extra, own);
  if (kinds == 0 || begin == 0) return;
  // coordinates before this part act by sums alone; from here on those of one node more
  const int before = beam.parts[part - 1].begin, fresh = begin - before, wide = orders * kinds;
  const auto carried = m.carried.topRows(kinds), all = m.carried.topRows(wide);
  auto beyond = sum.beyond.topLeftCorner(kinds + extra, wide);
  beyond += sum.far.block(own, 0, kinds + extra, wide);
  matrix.block(0, begin, begin, own) +=
      carried.leftCols(begin).transpose().lazyProduct(sum.near.block(own, 0, kinds, own));
  matrix.block(begin, 0, own, begin) +=
      sum.far.topLeftCorner(own, wide).lazyProduct(all.leftCols(begin));
  auto rows_of_fresh = sum.product.topLeftCorner(fresh, wide);
  rows_of_fresh = carried.middleCols(before, fresh).transpose().lazyProduct(beyond.topRows(kinds));
  matrix.block(before, 0, fresh, begin) += rows_of_fresh.lazyProduct(all.leftCols(begin));
  auto columns_of_fresh = sum.product_by.topLeftCorner(kinds + extra, fresh);
  columns_of_fresh = beyond.lazyProduct(all.middleCols(before, fresh));
  matrix.block(0, before, before, fresh) +=
      carried.leftCols(before).transpose().lazyProduct(columns_of_fresh.topRows(kinds));
  sum.others.middleCols(before, fresh) += columns_of_fresh.bottomRows(extra);
}

}  // namespace tauflex
