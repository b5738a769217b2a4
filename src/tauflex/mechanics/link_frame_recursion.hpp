// The recursion of link_frame_torques.hpp over a scalar: double, or lanes of doubles.
//   outwards   w = R^T w_P + z v        w' = R^T w'_P + z vdot + R^T w_P x z v
//              a = R^T (a_P + K_P p)    K = [w'] + [w][w]
//   inwards    f = m a + K c            n = c x a + sum of r x K r, from sigma = sum of m r r^T
//              f_P += R f               n_P += R n + p x R f                        theory (M.4)
// a and K are those of the body's own axes and origin: a point at r has the acceleration a + K r.
// c is the mass of the body times its centre of mass.
#pragma once

#include "tauflex/math/lanes.hpp"
#include "tauflex/math/xyz.hpp"
#include "tauflex/model/link_frames.hpp"

namespace tauflex {

// One link while torques are computed.
template <class S>
struct LinkMotion {
  // The first two columns of the rotation to the parent's axes; the third is a constant.
  Xyz<S> x, y;
  Xyz<S> w, wdot, a;
  // Rows.
  Xyz<S> K[3];
  Xyz<S> f, n;
};

// What a link does and which force its own mass needs.
template <class S>
[[gnu::always_inline]] inline void move_link(const LinkFrame& frame, const Xyz<S>& lift, const S& q,
                                             const S& sine, const S& cosine, const S& v,
                                             const S& vdot, const LinkMotion<S>* links,
                                             LinkMotion<S>& __restrict link) {
  Xyz<S> x = xyz<S>(frame.R), y = xyz<S>(frame.R + 3), p = xyz<S>(frame.p);
  const Xyz<S> z = xyz<S>(frame.R + 6);
  if (frame.turns) {
    const Xyz<S> x0 = x, y0 = y;
    x = x0 * cosine + y0 * sine;
    y = y0 * cosine + x0 * -sine;
  } else {
    p = p + z * (q + S(frame.zero));
  }
  Xyz<S> w = {S(0), S(0), S(0)}, d = w, a = lift;
  if (frame.parent >= 0) {
    const LinkMotion<S>& parent = links[frame.parent];
    w = {dot(x, parent.w), dot(y, parent.w), dot(z, parent.w)};
    d = {dot(x, parent.wdot), dot(y, parent.wdot), dot(z, parent.wdot)};
    a = parent.a + Xyz<S>{dot(parent.K[0], p), dot(parent.K[1], p), dot(parent.K[2], p)};
  }
  a = {dot(x, a), dot(y, a), dot(z, a)};
  if (frame.turns) {
    d = {d.x + w.y * v, d.y - w.x * v, d.z + vdot};
    w.z = w.z + v;
  } else {
    const S twice = v + v;
    a = {a.x + w.y * twice, a.y - w.x * twice, a.z + vdot};
  }
  const S wxx = w.x * w.x, wyy = w.y * w.y, wzz = w.z * w.z;
  const S wxy = w.x * w.y, wxz = w.x * w.z, wyz = w.y * w.z;
  const Xyz<S> Kx = {-(wyy + wzz), wxy - d.z, wxz + d.y};
  const Xyz<S> Ky = {wxy + d.z, -(wxx + wzz), wyz - d.x};
  const Xyz<S> Kz = {wxz - d.y, wyz + d.x, -(wxx + wyy)};
  const double* s = frame.sigma;
  const Symmetric3<S> sigma = {S(s[0]), S(s[1]), S(s[2]), S(s[3]), S(s[4]), S(s[5])};
  const Xyz<S> c = xyz<S>(frame.moment), sx = sigma.row_x(), sy = sigma.row_y(), sz = sigma.row_z();
  link.x = x;
  link.y = y;
  link.w = w;
  link.wdot = d;
  link.a = a;
  link.K[0] = Kx;
  link.K[1] = Ky;
  link.K[2] = Kz;
  link.f = a * S(frame.mass) + Xyz<S>{dot(Kx, c), dot(Ky, c), dot(Kz, c)};
  link.n = cross(c, a) +
           Xyz<S>{dot(Kz, sy) - dot(Ky, sz), dot(Kx, sz) - dot(Kz, sx), dot(Ky, sx) - dot(Kx, sy)};
}

// q: positions of sliding joints; sine and cosine: of the angles of turning ones; all per velocity.
template <class S>
inline void link_frame_recursion(const LinkFrame* frames, int count, const double* lift, const S* q,
                                 const S* sine, const S* cosine, const S* v, const S* vdot,
                                 LinkMotion<S>* links, S* tau) {
  const Xyz<S> up = xyz<S>(lift);
  for (int i = 0; i < count; ++i)
    move_link<S>(frames[i], up, q[i], sine[i], cosine[i], v[i], vdot[i], links, links[i]);
  for (int i = count; i-- > 0;) {
    const LinkFrame& frame = frames[i];
    const LinkMotion<S>& link = links[i];
    tau[i] = frame.turns ? link.n.z : link.f.z;
    if (frame.parent < 0) continue;
    LinkMotion<S>& parent = links[frame.parent];
    const Xyz<S> z = xyz<S>(frame.R + 6);
    Xyz<S> p = xyz<S>(frame.p);
    if (!frame.turns) p = p + z * (q[i] + S(frame.zero));
    const Xyz<S> f = link.x * link.f.x + link.y * link.f.y + z * link.f.z;
    const Xyz<S> n = link.x * link.n.x + link.y * link.n.y + z * link.n.z + cross(p, f);
    parent.f = parent.f + f;
    parent.n = parent.n + n;
  }
}

}  // namespace tauflex
