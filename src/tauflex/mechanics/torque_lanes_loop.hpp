// The loop of torque_lanes.hpp over a number of lanes.
#pragma once

#include <initializer_list>

#include "tauflex/math/reduced_sine_cosine.hpp"
#include "tauflex/math/sine_cosine.hpp"
#include "tauflex/mechanics/link_frame_recursion.hpp"
#include "tauflex/mechanics/torque_lanes.hpp"

namespace tauflex {

template <int W>
struct TorqueLanesLoop {
  using S = Lanes<W>;

  const TorqueLanesInput& in;
  // count each
  S *q, *v, *vdot, *angle, *sine, *cosine, *tau;
  LinkMotion<S>* links;

  TorqueLanesLoop(const TorqueLanesInput& input, double* workspace) : in(input) {
    S* at = reinterpret_cast<S*>(workspace);
    for (S** field : {&q, &v, &vdot, &angle, &sine, &cosine, &tau}) {
      *field = at;
      at += in.count;
    }
    links = reinterpret_cast<LinkMotion<S>*>(at);
  }

  // Scalars one after the other: a register is loaded long after its lanes were written. Behind the
  // last state its lanes repeat it.
  void load(const StateColumns& columns, std::ptrdiff_t first, S* to) const {
    double* lanes = reinterpret_cast<double*>(to);
    for (int l = 0; l < W; ++l) {
      const std::ptrdiff_t state = first + l < in.states ? first + l : in.states - 1;
      const double* from = columns.data + state * columns.stride;
      for (int i = 0; i < in.count; ++i) lanes[i * W + l] = from[i];
    }
  }

  void turn() const {
    for (int i = 0; i < in.count; ++i) {
      angle[i] = q[i] + S(in.frames[i].zero);
      reduced_sine_cosine(angle[i], sine[i], cosine[i]);
    }
    const double* x = reinterpret_cast<const double*>(angle);
    bool all = true;
    for (int k = 0; k < in.count * W; ++k)
      all &= x[k] <= largest_reduced_angle && x[k] >= -largest_reduced_angle;
    if (all) return;
    double *s = reinterpret_cast<double*>(sine), *c = reinterpret_cast<double*>(cosine);
    for (int k = 0; k < in.count * W; ++k) sin_cos(x[k], s[k], c[k]);
  }

  void store(std::ptrdiff_t first, double* to, std::ptrdiff_t stride) const {
    const double* lanes = reinterpret_cast<const double*>(tau);
    for (int l = 0; l < W && first + l < in.states; ++l)
      for (int i = 0; i < in.count; ++i) to[(first + l) * stride + i] = lanes[i * W + l];
  }

  void run(double* to, std::ptrdiff_t stride) const {
    for (std::ptrdiff_t first = 0; first < in.states; first += W) {
      load(in.q, first, q);
      load(in.v, first, v);
      load(in.vdot, first, vdot);
      turn();
      link_frame_recursion<S>(in.frames, in.count, in.lift, q, sine, cosine, v, vdot, links, tau);
      store(first, to, stride);
    }
  }
};

}  // namespace tauflex
