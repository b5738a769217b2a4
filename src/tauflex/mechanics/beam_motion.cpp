#include "tauflex/mechanics/beam_motion.hpp"

#include <algorithm>

#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

namespace {

// sum of (-s)^k (first + k ...)!: sin(x)/x, (1 - cos x)/x^2 and (x - sin x)/x^3 as series in
// s = x^2, `first` = 1, 2, 3; terms up to x^26 are exact to rounding for x below 3.
constexpr int series_terms = 14;
double series_coefficient(int first, int k) {
  double factorial = 1;
  for (int i = 2; i <= 2 * k + first; ++i) factorial *= i;
  return (k % 2 == 0 ? 1 : -1) / factorial;
}
struct TurnSeries {
  double c[3][series_terms];
  TurnSeries() {
    for (int first = 1; first <= 3; ++first)
      for (int k = 0; k < series_terms; ++k) c[first - 1][k] = series_coefficient(first, k);
  }
};
const TurnSeries turn_series;

template <class S>
S turn_coefficient(int first, const S& s) {
  const double* c = turn_series.c[first - 1];
  S sum(c[series_terms - 1]);
  for (int k = series_terms - 1; k-- > 0;) sum = sum * s + S(c[k]);
  return sum;
}
template <class S>
S turn_coefficient_slope(int first, const S& s) {
  const double* c = turn_series.c[first - 1];
  S sum(c[series_terms - 1] * (series_terms - 1));
  for (int k = series_terms - 1; k-- > 1;) sum = sum * s + S(c[k] * k);
  return sum;
}

// Sums of what stands before them, and back: the load on a sum is one on all that it adds up.
template <class S>
void add_up(const BeamLayout& beam, VectorOf<S>& z) {
  for (size_t j = 0; j < beam.sums.size(); ++j) {
    S sum(0.0);
    for (const BeamLayout::Addend& addend : beam.sums[j]) sum += z[addend.z] * addend.a;
    z[beam.first_sum() + static_cast<int>(j)] = sum;
  }
}
template <class S>
void hand_down(const BeamLayout& beam, VectorOf<S>& load) {
  for (size_t j = beam.sums.size(); j-- > 0;) {
    const S of_sum = load[beam.first_sum() + static_cast<int>(j)];
    for (const BeamLayout::Addend& addend : beam.sums[j]) load[addend.z] += of_sum * addend.a;
  }
}

// Components of the displacement and of the rotation vector of the end for coefficients of z.
template <class S>
struct EndValues {
  Vector3Of<S> r = Vector3Of<S>::Zero(), phi = Vector3Of<S>::Zero();
};
template <class S>
EndValues<S> end_values(const BeamLayout& beam, const VectorOf<S>& z) {
  EndValues<S> sum;
  for (const BeamLayout::Term& term : beam.end)
    (term.component < 3 ? sum.r[term.component] : sum.phi[term.component - 3]) +=
        z[term.z] * term.a;
  return sum;
}

}  // namespace

template <class S>
Vector3Of<S> turn_rate(const Vector3Of<S>& phi, const Vector3Of<S>& x) {
  const S s = phi.dot(phi);
  const Vector3Of<S> once = phi.cross(x);
  return x + once * turn_coefficient<S>(2, s) + phi.cross(once) * turn_coefficient<S>(3, s);
}

Vector3 turn_rate_change(const Vector3& phi, const Vector3& d, const Vector3& x) {
  const double s = phi.dot(phi), ds = 2 * phi.dot(d);
  const Vector3 once = phi.cross(x), change = d.cross(x);
  return once * (ds * turn_coefficient_slope(2, s)) + change * turn_coefficient(2, s) +
         phi.cross(once) * (ds * turn_coefficient_slope(3, s)) +
         (d.cross(once) + phi.cross(change)) * turn_coefficient(3, s);
}

int first_that_moves_end(const BeamLayout& beam) {
  int first = beam.n;
  for (const BeamLayout::Term& term : beam.end)
    first = std::min(first, term.z < beam.n ? term.z : beam.pairs[term.z - beam.n].k);
  return first;
}

template <class S>
void place_beam(const BeamLayout& beam, const VectorRefOf<S>& q, BeamMotion<S>& at, Matrix3Of<S>& R,
                Vector3Of<S>& p, Motion<S>* axes) {
  const int n = beam.n;
  at.R = R;
  at.p = p;
  for (int k = 0; k < n; ++k) at.z[k] = q[k];
  for (size_t j = 0; j < beam.pairs.size(); ++j)
    at.z[n + j] = q[beam.pairs[j].k] * q[beam.pairs[j].l];
  add_up<S>(beam, at.z);
  const EndValues<S> end = end_values(beam, at.z);
  at.r = end.r + Vector3Of<S>(S(beam.length), S(0), S(0));
  at.phi = end.phi;

  // r_l and phi_l, then the axes
  for (int k = 0; k < n; ++k) axes[k] = Motion<S>::zero();
  for (const BeamLayout::Term& term : beam.end) {
    const auto add = [&](int k, const S& a) {
      (term.component < 3 ? axes[k].v[term.component] : axes[k].w[term.component - 3]) += a;
    };
    if (term.z < n) {
      add(term.z, S(term.a));
    } else {
      const auto [k, l] = beam.pairs[term.z - n];
      add(k, q[l] * term.a);
      add(l, q[k] * term.a);
    }
  }
  const S s = at.phi.dot(at.phi), c1 = turn_coefficient<S>(1, s), c2 = turn_coefficient<S>(2, s),
          c3 = turn_coefficient<S>(3, s);
  const int first = first_that_moves_end(beam);
  for (int k = 0; k < first; ++k) at.phi_by_q[k] = Vector3Of<S>::Zero();
  for (int k = first; k < n; ++k) {
    at.phi_by_q[k] = axes[k].w;
    const Vector3Of<S> once = at.phi.cross(axes[k].w);
    const Vector3Of<S> w = axes[k].w + once * c2 + at.phi.cross(once) * c3;
    axes[k] = in_world<S>(at, w, axes[k].v + at.r.cross(w));
  }
  Matrix3Of<S> turn;
  for (int j = 0; j < 3; ++j) {
    const Vector3Of<S> e = Vector3(Vector3::Unit(j));
    const Vector3Of<S> once = at.phi.cross(e);
    turn.col(j) = e + once * c1 + at.phi.cross(once) * c2;
  }
  p = p + R * at.r;
  R = R * turn;
}

Vector3 beam_point(const BeamLayout::Point& point, const BeamMotion<double>& at) {
  Vector3 r = point.at;
  for (const BeamLayout::Term& term : point.terms)
    if (term.component < 3) r[term.component] += at.z[term.z] * term.a;
  return at.p + at.R * r;
}

template <class S>
void beam_rates(const BeamLayout& beam, const VectorRefOf<S>& v, const VectorRefOf<S>& vdot,
                BeamMotion<S>& at) {
  const bool accelerates = vdot.size() > 0;
  const auto& q = at.z;
  for (int k = 0; k < beam.n; ++k) {
    at.z_rate[k] = v[k];
    at.z_acceleration[k] = accelerates ? vdot[k] : S(0);
  }
  for (size_t j = 0; j < beam.pairs.size(); ++j) {
    const auto [k, l] = beam.pairs[j];
    at.z_rate[beam.n + j] = q[k] * v[l] + q[l] * v[k];
    S acceleration = v[k] * v[l] * 2.0;
    if (accelerates) acceleration += q[k] * vdot[l] + q[l] * vdot[k];
    at.z_acceleration[beam.n + j] = acceleration;
  }
  add_up<S>(beam, at.z_rate);
  add_up<S>(beam, at.z_acceleration);
}

// w = T phi', w' = T phi'' + T' phi'; the rest follows from v = r' + r x w
template <class S>
void move_beam_end(const BeamLayout& beam, const BeamMotion<S>& at, Motion<S>& V, Motion<S>& A) {
  const EndValues<S> rate = end_values(beam, at.z_rate),
                     acceleration = end_values(beam, at.z_acceleration);
  const S s = at.phi.dot(at.phi), s_rate = at.phi.dot(rate.phi) * 2.0;
  const S c2 = turn_coefficient<S>(2, s), c3 = turn_coefficient<S>(3, s);
  const S c2_rate = turn_coefficient_slope<S>(2, s) * s_rate,
          c3_rate = turn_coefficient_slope<S>(3, s) * s_rate;
  const Vector3Of<S> once = at.phi.cross(rate.phi), twice = at.phi.cross(once);
  const Vector3Of<S> w = rate.phi + once * c2 + twice * c3;
  const Vector3Of<S> other = at.phi.cross(acceleration.phi);
  const Vector3Of<S> w_rate = acceleration.phi + other * c2 + at.phi.cross(other) * c3 +
                              once * c2_rate + twice * c3_rate + rate.phi.cross(once) * c3;
  const Motion<S> relative = in_world<S>(at, w, rate.r + at.r.cross(w));
  A += in_world<S>(at, w_rate, acceleration.r + rate.r.cross(w) + at.r.cross(w_rate)) +
       cross(V, relative);
  V += relative;
}

// a = a_0 + alpha x r + w x (w x r + 2 r') + r'', of each point, in the axes of the start;
// twisting sections turn about x: theory (B.7)
template <class S>
void beam_forces(const BeamLayout& beam, const Motion<S>& V, const Motion<S>& A,
                 const VectorRefOf<S>& v, const VectorRefOf<S>& vdot, BeamMotion<S>& at) {
  using V3 = Vector3Of<S>;
  const V3 w = at.R.transpose() * V.w, alpha = at.R.transpose() * A.w;
  const V3 start = A.v + A.w.cross(at.p) + V.w.cross(V3(V.v + V.w.cross(at.p)));
  const V3 a_0 = at.R.transpose() * start;
  for (int j = 0; j < beam.nz(); ++j) at.load[j] = S(0);
  V3 f_sum = V3::Zero(), n_sum = V3::Zero();
  for (const BeamLayout::Point& point : beam.points) {
    V3 r = point.at, r_rate = V3::Zero(), a = a_0;
    for (const BeamLayout::Term& term : point.terms) {
      r[term.component] += at.z[term.z] * term.a;
      r_rate[term.component] += at.z_rate[term.z] * term.a;
      a[term.component] += at.z_acceleration[term.z] * term.a;
    }
    const V3 spin = w.cross(r) + r_rate * 2.0;
    const V3 f = (a + alpha.cross(r) + w.cross(spin)) * point.mass;
    for (const BeamLayout::Term& term : point.terms) at.load[term.z] += f[term.component] * term.a;
    f_sum += f;
    n_sum += r.cross(f);
  }
  for (int k = 0; k < beam.n; ++k) {
    if (beam.twist[k] == 0) continue;
    // d/dt of twist v_k times the x axis, which turns with w
    n_sum += V3(vdot.size() > 0 ? vdot[k] : S(0), w[2] * v[k], -(w[1] * v[k])) * beam.twist[k];
    at.load[k] += alpha[0] * beam.twist[k];
  }
  hand_down<S>(beam, at.load);
  if (vdot.size() > 0)
    for (const BeamLayout::Entry& entry : beam.twist_mass)
      at.load[entry.row] += vdot[entry.column] * entry.value;
  const V3 f = at.R * f_sum;
  at.force = {at.R * n_sum + at.p.cross(f), f};
}

template <class S>
void add_beam_torques(const BeamLayout& beam, const BeamMotion<S>& at, S* tau) {
  for (int k = 0; k < beam.n; ++k) tau[k] += at.load[k];
  for (size_t j = 0; j < beam.pairs.size(); ++j) {
    const auto [k, l] = beam.pairs[j];
    const S& load = at.load[beam.n + j];
    tau[k] += load * at.z[l];
    tau[l] += load * at.z[k];
  }
}

#define TAUFLEX_INSTANTIATE(S)                                                          \
  template void place_beam<S>(const BeamLayout&, const VectorRefOf<S>&, BeamMotion<S>&, \
                              Matrix3Of<S>&, Vector3Of<S>&, Motion<S>*);
TAUFLEX_FOR_EACH_POSE_SCALAR(TAUFLEX_INSTANTIATE)
TAUFLEX_INSTANTIATE(ShortJet2)
TAUFLEX_INSTANTIATE(Complex)
#undef TAUFLEX_INSTANTIATE

#define TAUFLEX_INSTANTIATE(S)                                                                     \
  template Vector3Of<S> turn_rate<S>(const Vector3Of<S>&, const Vector3Of<S>&);                    \
  template void beam_rates<S>(const BeamLayout&, const VectorRefOf<S>&, const VectorRefOf<S>&,     \
                              BeamMotion<S>&);                                                     \
  template void move_beam_end<S>(const BeamLayout&, const BeamMotion<S>&, Motion<S>&, Motion<S>&); \
  template void beam_forces<S>(const BeamLayout&, const Motion<S>&, const Motion<S>&,              \
                               const VectorRefOf<S>&, const VectorRefOf<S>&, BeamMotion<S>&);      \
  template void add_beam_torques<S>(const BeamLayout&, const BeamMotion<S>&, S*);
TAUFLEX_FOR_EACH_FORCE_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex
