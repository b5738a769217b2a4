#include "tauflex/elements/beam_damping.hpp"

#include <map>

namespace tauflex {

namespace {

using Deflection = ElementFrame::Deflection;

// Of a deflection by displacements and turns of the first node and of its own.
struct DeflectionGradient {
  Eigen::Matrix<double, 12, 1> by;

  DeflectionGradient(const Deflection& deflection, const FrameState& state) {
    const Matrix3 &R_a = state.R[deflection.from], &R_b = state.R[deflection.node];
    const Vector3 e = deflection.axes.col(deflection.direction % 3);
    by.setZero();
    if (deflection.direction >= 3) {
      by.segment<3>(3) = -e;
      by.segment<3>(9) = R_b.transpose() * (R_a * e);
      return;
    }
    const Vector3 d = R_a.transpose() * (state.x[deflection.node] - state.x[deflection.from]);
    by.segment<3>(0) = -(R_a * e);
    by.segment<3>(3) = e.cross(d);
    by.segment<3>(6) = R_a * e;
  }
};

double rate_of(const Deflection& deflection, const FrameState& state) {
  const auto by = DeflectionGradient(deflection, state).by;
  const int a = deflection.from, b = deflection.node;
  return by.segment<3>(0).dot(state.v[a]) + by.segment<3>(3).dot(state.w[a]) +
         by.segment<3>(6).dot(state.v[b]) + by.segment<3>(9).dot(state.w[b]);
}

Vector rates_of(const ElementFrame::Damping& damping, const FrameState& state) {
  Vector rates(damping.D.rows());
  for (Eigen::Index k = 0; k < rates.size(); ++k) rates[k] = rate_of(damping.deflections[k], state);
  return rates;
}

// f(unknown, value) for every entry of a gradient.
template <class F>
void for_each_of_gradient(const ElementFrame& frame, const Deflection& deflection,
                          const FrameState& state, const F& f) {
  const auto by = DeflectionGradient(deflection, state).by;
  for (int k = 0; k < 12; ++k) {
    const int dof = frame.dof[k < 6 ? deflection.from : deflection.node][k % 6];
    if (dof >= 0) f(dof, by[k]);
  }
}

}  // namespace

void add_damping_forces(const ElementFrame& frame, const FrameState& state, VectorOut r) {
  for (const auto& damping : frame.dampings) {
    const Vector forces = damping.D * rates_of(damping, state);
    for (Eigen::Index k = 0; k < forces.size(); ++k)
      for_each_of_gradient(frame, damping.deflections[k], state,
                           [&](int dof, double by) { r[dof] += by * forces[k]; });
  }
}

void add_damping_matrix(const ElementFrame& frame, const FrameState& state, double scale,
                        std::vector<SparseLdlt::Entry>& entries) {
  std::map<int, Eigen::Index> places;  // of the unknowns of a segment
  for (const auto& [deflections, D] : frame.dampings) {
    places.clear();
    for (const Deflection& deflection : deflections)
      for_each_of_gradient(frame, deflection, state, [&](int dof, double) { places[dof] = 0; });
    Eigen::Index count = 0;
    for (auto& [dof, place] : places) place = count++;
    Matrix by = Matrix::Zero(D.rows(), count);
    for (Eigen::Index k = 0; k < D.rows(); ++k)
      for_each_of_gradient(frame, deflections[k], state,
                           [&](int dof, double value) { by(k, places[dof]) += value; });
    const Matrix C = scale * by.transpose() * D * by;
    for (const auto& [row, i] : places)
      for (const auto& [column, j] : places)
        if (j <= i) entries.push_back({row, column, C(i, j)});
  }
}

double damping_power(const ElementFrame& frame, const FrameState& state) {
  double power = 0;
  for (const auto& damping : frame.dampings) {
    const Vector rates = rates_of(damping, state);
    power += rates.dot(damping.D * rates);
  }
  return power;
}

}  // namespace tauflex
