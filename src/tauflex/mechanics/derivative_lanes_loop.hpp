// The loops of derivative_lanes.hpp over a number of lanes.
#pragma once

#include <cstring>

#include "tauflex/math/lanes.hpp"
#include "tauflex/math/xyz.hpp"
#include "tauflex/mechanics/derivative_lanes.hpp"

namespace tauflex {

// Fields of the workspace, of a number per link each; vectors and matrices have several in a row.
namespace derivative_fields {
enum Field : int {
  // axes, their first and second derivative in time: angular, then linear
  axis = 0,
  axis_rate = axis + 6,
  axis_acceleration = axis_rate + 6,
  velocity = axis_acceleration + 6,
  acceleration = velocity + 6,
  rotation = acceleration + 6,
  origin = rotation + 9,
  // of LinkFrame, written once
  own_mass = origin + 3,
  own_moment = own_mass + 1,
  own_sigma = own_moment + 3,
  // of a link, then of all that it carries: inertia about the world origin, momentum, the symmetric
  // part of b in (M.6), force
  mass = own_sigma + 6,
  moment = mass + 1,
  inertia = moment + 3,
  momentum = inertia + 6,
  twist_rate = momentum + 6,
  force = twist_rate + 6,
  // what the pairs of joints need: I S, 2B S + 2 I S', 2B S' + I S'' + S x* F, (2B)^T S, S . F
  by_vdot = force + 6,
  by_v = by_vdot + 6,
  by_q = by_v + 6,
  transposed = by_q + 6,
  torque = transposed + 3,
  count = torque + 1
};
inline constexpr int widest = 8;
// Fields begin and end with whole registers.
[[gnu::always_inline]] inline int padded(int links) {
  return (links + 2 * widest - 1) / widest * widest;
}
}  // namespace derivative_fields

template <int W>
struct DerivativeLanesLoop {
  using S = Lanes<W>;
  using Three = Xyz<S>;
  using Field = derivative_fields::Field;

  const DerivativeLanesInput& in;
  const DerivativeLanesOutput& out;
  int n, stride;
  double* fields;
  // Blocks of the three matrices, by columns; a register too long each.
  double *block_M, *block_v, *block_q;

  DerivativeLanesLoop(const DerivativeLanesInput& input, double* workspace,
                      const DerivativeLanesOutput& output)
      : in(input), out(output), n(input.count), stride(derivative_fields::padded(input.count)) {
    fields = workspace;
    const std::ptrdiff_t size = std::ptrdiff_t{n} * n + derivative_fields::widest;
    block_M = fields + std::ptrdiff_t{derivative_fields::count} * stride;
    block_v = block_M + size;
    block_q = block_v + size;
  }

  double* at(int field, int i) const { return fields + std::ptrdiff_t{field} * stride + i; }
  [[gnu::always_inline]] S number(int field, int i) const { return S::load(at(field, i)); }
  [[gnu::always_inline]] Three three(int field, int i) const {
    return {number(field, i), number(field + 1, i), number(field + 2, i)};
  }
  [[gnu::always_inline]] Symmetric3<S> symmetric(int field, int i) const {
    return {number(field, i),     number(field + 1, i), number(field + 2, i),
            number(field + 3, i), number(field + 4, i), number(field + 5, i)};
  }
  [[gnu::always_inline]] void put(int field, int i, const Three& a) const {
    a.x.store(at(field, i));
    a.y.store(at(field + 1, i));
    a.z.store(at(field + 2, i));
  }
  [[gnu::always_inline]] void put(int field, int i, const Symmetric3<S>& a) const {
    put(field, i, a.row_x());
    put(field + 3, i, Three{a.yy, a.yz, a.zz});
  }

  void run() const {
    for (int i = 0; i < n; ++i) move(i);
    for (int i = 0; i < n; i += W) load_links(i);
    for (int i = n; i-- > 0;) carry(i);
    for (int i = 0; i < n; i += W) load_joints(i);
    for (int i = 0; i < n; ++i) out.tau[i] = *at(derivative_fields::torque, i);
    for (int begin = 0, end; begin < n; begin = end) {
      for (end = begin + 1; end < n && in.frames[end].parent == end - 1;) ++end;
      pairs_of_run(begin, end);
    }
  }

  // Pose and motion of a link: V = V_P + S v, A = A_P + S vdot + V_P x S v.
  void move(int i) const;
  // Axes in time, and inertia, momentum, twist rate and force of W links on their own.
  void load_links(int i) const;
  // What a link carries is carried by its parent.
  void carry(int i) const;
  // What W joints bring to all pairs.
  void load_joints(int i) const;

  // Columns: what joint k does to joints of the rows j, which carry it.
  void carriers_by(int k, int row, int rows, double* M, double* v, double* q) const;
  // What joint j does to joints of the rows k, which it carries.
  void carried_by(int j, int row, int rows, double* M, double* v, double* q) const;
  // Pairs of joints begin .. end, each the parent of the next, among them and with all that carry
  // them.
  void pairs_of_run(int begin, int end) const;
  void copy(int row, int rows, int column, int columns) const;
};

template <int W>
void DerivativeLanesLoop<W>::move(int i) const {
  using namespace derivative_fields;
  using D = Xyz<double>;
  const LinkFrame& frame = in.frames[i];
  const double *S_i = in.axis + 6 * i, *R = in.R + 9 * in.body[i], *p = in.p + 3 * in.body[i];
  const auto get = [&](int field, int k) -> D {
    return {*at(field, k), *at(field + 1, k), *at(field + 2, k)};
  };
  const auto set = [&](int field, const D& a) {
    *at(field, i) = a.x;
    *at(field + 1, i) = a.y;
    *at(field + 2, i) = a.z;
  };
  D w{0, 0, 0}, v = w, a = w, b = xyz<double>(in.lift);
  const D s = xyz<double>(S_i), t = xyz<double>(S_i + 3);
  if (const int P = frame.parent; P >= 0) {
    w = get(velocity, P);
    v = get(velocity + 3, P);
    a = get(acceleration, P) + cross(w, s) * in.v[i];
    b = get(acceleration + 3, P) + (cross(w, t) + cross(v, s)) * in.v[i];
  }
  set(velocity, w + s * in.v[i]);
  set(velocity + 3, v + t * in.v[i]);
  set(acceleration, a + s * in.vdot[i]);
  set(acceleration + 3, b + t * in.vdot[i]);
  for (int k = 0; k < 6; ++k) *at(axis + k, i) = S_i[k];
  for (int k = 0; k < 9; ++k) *at(rotation + k, i) = R[k];
  for (int k = 0; k < 3; ++k) *at(origin + k, i) = p[k];
}

template <int W>
void DerivativeLanesLoop<W>::load_links(int i) const {
  using namespace derivative_fields;
  // S' = V x S, S'' = A x S + V x S'
  const Three w = three(velocity, i), v = three(velocity + 3, i);
  const Three dw = three(acceleration, i), dv = three(acceleration + 3, i);
  const Three s = three(axis, i), t = three(axis + 3, i);
  const Three s1 = cross(w, s), t1 = cross(w, t) + cross(v, s);
  put(axis_rate, i, s1);
  put(axis_rate + 3, i, t1);
  put(axis_acceleration, i, cross(dw, s) + cross(w, s1));
  put(axis_acceleration + 3, i, (cross(dw, t) + cross(dv, s)) + (cross(w, t1) + cross(v, s1)));

  // sigma about the world origin, J = trace(sigma) 1 - sigma
  const Three x = three(rotation, i), y = three(rotation + 3, i), z = three(rotation + 6, i);
  const Three p = three(origin, i), own = three(own_moment, i);
  const Symmetric3<S> sigma = symmetric(own_sigma, i);
  const S m = number(own_mass, i);
  const Three c = x * own.x + y * own.y + z * own.z, mc = c + p * m;
  const Three tx = x * sigma.xx + y * sigma.xy + z * sigma.xz;
  const Three ty = x * sigma.xy + y * sigma.yy + z * sigma.yz;
  const Three tz = x * sigma.xz + y * sigma.yz + z * sigma.zz;
  const S xx = tx.x * x.x + ty.x * y.x + tz.x * z.x + c.x * p.x + p.x * mc.x;
  const S yy = tx.y * x.y + ty.y * y.y + tz.y * z.y + c.y * p.y + p.y * mc.y;
  const S zz = tx.z * x.z + ty.z * y.z + tz.z * z.z + c.z * p.z + p.z * mc.z;
  const S xy = tx.x * x.y + ty.x * y.y + tz.x * z.y + c.x * p.y + p.x * mc.y;
  const S xz = tx.x * x.z + ty.x * y.z + tz.x * z.z + c.x * p.z + p.x * mc.z;
  const S yz = tx.y * x.z + ty.y * y.z + tz.y * z.z + c.y * p.z + p.y * mc.z;
  const Symmetric3<S> J = {yy + zz, -xy, -xz, xx + zz, -yz, xx + yy};
  m.store(at(mass, i));
  put(moment, i, mc);
  put(inertia, i, J);

  const Three ln = J * w + cross(mc, v), lf = v * m - cross(mc, w);
  put(momentum, i, ln);
  put(momentum + 3, i, lf);
  put(force, i, (J * dw + cross(mc, dv)) + (cross(w, ln) + cross(v, lf)));
  put(force + 3, i, (dv * m - cross(mc, dw)) + cross(w, lf));

  // [w] J - J [w] + 2 (mc . v) 1 - mc v^T - v mc^T
  const Three wx = J.row_z() * w.y - J.row_y() * w.z, wy = J.row_x() * w.z - J.row_z() * w.x,
              wz = J.row_y() * w.x - J.row_x() * w.y;
  const S bx = mc.x * v.x, by = mc.y * v.y, bz = mc.z * v.z, two(2);
  put(twist_rate, i,
      Symmetric3<S>{two * (wx.x + (by + bz)), (wx.y + wy.x) - (mc.x * v.y + mc.y * v.x),
                    (wx.z + wz.x) - (mc.x * v.z + mc.z * v.x), two * (wy.y + (bx + bz)),
                    (wy.z + wz.y) - (mc.y * v.z + mc.z * v.y), two * (wz.z + (bx + by))});
}

template <int W>
void DerivativeLanesLoop<W>::carry(int i) const {
  const int P = in.frames[i].parent;
  if (P < 0) return;
  const double* from = at(derivative_fields::mass, i);
  double* to = at(derivative_fields::mass, P);
  for (int k = derivative_fields::mass; k < derivative_fields::by_vdot; ++k) {
    *to += *from;
    from += stride;
    to += stride;
  }
}

template <int W>
void DerivativeLanesLoop<W>::load_joints(int i) const {
  using namespace derivative_fields;
  const S m = number(mass, i), two(2);
  const Three mc = three(moment, i), ln = three(momentum, i), lf = three(momentum + 3, i);
  const Three Fn = three(force, i), Ff = three(force + 3, i);
  const Symmetric3<S> J = symmetric(inertia, i), B = symmetric(twist_rate, i);
  const Three s = three(axis, i), t = three(axis + 3, i);
  const Three s1 = three(axis_rate, i), t1 = three(axis_rate + 3, i);
  const Three s2 = three(axis_acceleration, i), t2 = three(axis_acceleration + 3, i);

  put(by_vdot, i, J * s + cross(mc, t));
  put(by_vdot + 3, i, t * m - cross(mc, s));
  // 2B (w, v) = (b w, -2 l x w), b = B - [angular momentum]
  const Three Bs = B * s, ls = cross(ln, s);
  put(by_v, i, (Bs - ls) + (J * s1 + cross(mc, t1)) * two);
  put(by_v + 3, i, ((t1 * m - cross(mc, s1)) - cross(lf, s)) * two);
  put(by_q, i,
      ((B * s1 - cross(ln, s1)) + (J * s2 + cross(mc, t2))) + (cross(s, Fn) + cross(t, Ff)));
  put(by_q + 3, i, ((t2 * m - cross(mc, s2)) - cross(lf, s1) * two) + cross(s, Ff));
  put(transposed, i, (Bs + ls) + cross(lf, t) * two);
  (dot(s, Fn) + dot(t, Ff)).store(at(torque, i));
}

template <int W>
[[gnu::always_inline]] inline Xyz<Lanes<W>> everywhere(const double* a, int stride) {
  return {Lanes<W>(a[0]), Lanes<W>(a[stride]), Lanes<W>(a[2 * stride])};
}

template <int W>
void DerivativeLanesLoop<W>::carriers_by(int k, int row, int rows, double* M, double* v,
                                         double* q) const {
  using namespace derivative_fields;
  const Three an = everywhere<W>(at(by_vdot, k), stride);
  const Three af = everywhere<W>(at(by_vdot + 3, k), stride);
  const Three vn = everywhere<W>(at(by_v, k), stride), vf = everywhere<W>(at(by_v + 3, k), stride);
  const Three qn = everywhere<W>(at(by_q, k), stride), qf = everywhere<W>(at(by_q + 3, k), stride);
  for (int j = 0; j < rows; j += W) {
    const Three s = three(axis, row + j), t = three(axis + 3, row + j);
    (dot(s, an) + dot(t, af)).store(M + j);
    (dot(s, vn) + dot(t, vf)).store(v + j);
    (dot(s, qn) + dot(t, qf)).store(q + j);
  }
}

template <int W>
void DerivativeLanesLoop<W>::carried_by(int j, int row, int rows, double* M, double* v,
                                        double* q) const {
  using namespace derivative_fields;
  const Three s = everywhere<W>(at(axis, j), stride), t = everywhere<W>(at(axis + 3, j), stride);
  const Three s1 = everywhere<W>(at(axis_rate, j), stride);
  const Three t1 = everywhere<W>(at(axis_rate + 3, j), stride);
  const Three s2 = everywhere<W>(at(axis_acceleration, j), stride);
  const Three t2 = everywhere<W>(at(axis_acceleration + 3, j), stride);
  const S two(2);
  for (int k = 0; k < rows; k += W) {
    const Three an = three(by_vdot, row + k), af = three(by_vdot + 3, row + k);
    const Three G = three(transposed, row + k);
    (dot(s, an) + dot(t, af)).store(M + k);
    (dot(G, s) + two * (dot(s1, an) + dot(t1, af))).store(v + k);
    (dot(G, s1) + (dot(s2, an) + dot(t2, af))).store(q + k);
  }
}

template <int W>
void DerivativeLanesLoop<W>::copy(int row, int rows, int column, int columns) const {
  if (rows == n) {  // columns follow each other
    rows *= columns;
    columns = 1;
  }
  for (int k = 0; k < columns; ++k) {
    const std::ptrdiff_t from = std::ptrdiff_t{k} * rows, to = std::ptrdiff_t{column + k} * n + row;
    const std::size_t bytes = static_cast<std::size_t>(rows) * sizeof(double);
    std::memcpy(out.M + to, block_M + from, bytes);
    std::memcpy(out.by_v + to, block_v + from, bytes);
    std::memcpy(out.by_q + to, block_q + from, bytes);
  }
}

// A register may be stored beyond the rows of its column: into the next one, which is written after
// it.
template <int W>
void DerivativeLanesLoop<W>::pairs_of_run(int begin, int end) const {
  const int size = end - begin;
  for (int k = 0; k < size; ++k) {
    const std::ptrdiff_t column = std::ptrdiff_t{k} * size, below = column + k + 1;
    carriers_by(begin + k, begin, k + 1, block_M + column, block_v + column, block_q + column);
    carried_by(begin + k, begin + k + 1, size - k - 1, block_M + below, block_v + below,
               block_q + below);
  }
  copy(begin, size, begin, size);
  for (int last = in.frames[begin].parent, first; last >= 0; last = in.frames[first].parent) {
    for (first = last; in.frames[first].parent == first - 1 && first > 0;) --first;
    const int carriers = last - first + 1;
    for (int k = 0; k < size; ++k) {
      const std::ptrdiff_t column = std::ptrdiff_t{k} * carriers;
      carriers_by(begin + k, first, carriers, block_M + column, block_v + column, block_q + column);
    }
    copy(first, carriers, begin, size);
    for (int j = 0; j < carriers; ++j) {
      const std::ptrdiff_t column = std::ptrdiff_t{j} * size;
      carried_by(first + j, begin, size, block_M + column, block_v + column, block_q + column);
    }
    copy(begin, size, first, carriers);
  }
}

}  // namespace tauflex
