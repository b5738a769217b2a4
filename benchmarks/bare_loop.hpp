// The yardstick: recursive Newton-Euler of a chain of revolute joints, written by hand in link
// frames with all axes along z and the number of joints known to the compiler; no library, no
// workspace, no kinds of joints.
#pragma once

#include <array>
#include <cmath>

#include "tauflex/model/robot.hpp"

namespace tauflex {

struct BareLink {
  double R[3][3], p[3];  // in the parent's frame at angle 0
  double m, c[3], J[3][3];
};

template <int n>
struct BareLoop {
  std::array<BareLink, n> links;
  double lift[3];

  explicit BareLoop(const Robot& robot) {
    for (int i = 0; i < n; ++i) {
      const Body& body = robot.tree().bodies[static_cast<size_t>(i)];
      BareLink& link = links[static_cast<size_t>(i)];
      link.m = body.mass;
      for (int k = 0; k < 3; ++k) {
        link.p[k] = body.p_PB[k];
        link.c[k] = body.com[k];
        for (int j = 0; j < 3; ++j) {
          link.R[k][j] = body.R_PB(k, j);
          link.J[k][j] = body.inertia(k, j);
        }
      }
    }
    for (int k = 0; k < 3; ++k) lift[k] = -robot.gravity()[k];
  }

  void torques(const double* q, const double* v, const double* a, double* tau) const;
};

template <int n>
void BareLoop<n>::torques(const double* q, const double* v, const double* a, double* tau) const {
  double R[n][3][3], F[n][3], N[n][3];
  double w[3] = {0, 0, 0}, d[3] = {0, 0, 0}, A[3] = {lift[0], lift[1], lift[2]};
  for (int i = 0; i < n; ++i) {
    const BareLink& L = links[static_cast<size_t>(i)];
    const double s = std::sin(q[i]), c = std::cos(q[i]);
    for (int k = 0; k < 3; ++k) {
      R[i][k][0] = L.R[k][0] * c + L.R[k][1] * s;
      R[i][k][1] = L.R[k][1] * c - L.R[k][0] * s;
      R[i][k][2] = L.R[k][2];
    }
    const double* p = L.p;
    const double wp[3] = {w[1] * p[2] - w[2] * p[1], w[2] * p[0] - w[0] * p[2],
                          w[0] * p[1] - w[1] * p[0]};
    const double b[3] = {A[0] + d[1] * p[2] - d[2] * p[1] + w[1] * wp[2] - w[2] * wp[1],
                         A[1] + d[2] * p[0] - d[0] * p[2] + w[2] * wp[0] - w[0] * wp[2],
                         A[2] + d[0] * p[1] - d[1] * p[0] + w[0] * wp[1] - w[1] * wp[0]};
    double W[3], D[3];
    for (int k = 0; k < 3; ++k) {
      W[k] = R[i][0][k] * w[0] + R[i][1][k] * w[1] + R[i][2][k] * w[2];
      D[k] = R[i][0][k] * d[0] + R[i][1][k] * d[1] + R[i][2][k] * d[2];
      A[k] = R[i][0][k] * b[0] + R[i][1][k] * b[1] + R[i][2][k] * b[2];
    }
    d[0] = D[0] + W[1] * v[i];
    d[1] = D[1] - W[0] * v[i];
    d[2] = D[2] + a[i];
    w[0] = W[0];
    w[1] = W[1];
    w[2] = W[2] + v[i];
    const double* r = L.c;
    const double wr[3] = {w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2],
                          w[0] * r[1] - w[1] * r[0]};
    double* f = F[i];
    f[0] = L.m * (A[0] + d[1] * r[2] - d[2] * r[1] + w[1] * wr[2] - w[2] * wr[1]);
    f[1] = L.m * (A[1] + d[2] * r[0] - d[0] * r[2] + w[2] * wr[0] - w[0] * wr[2]);
    f[2] = L.m * (A[2] + d[0] * r[1] - d[1] * r[0] + w[0] * wr[1] - w[1] * wr[0]);
    double h[3], t[3];
    for (int k = 0; k < 3; ++k) {
      h[k] = L.J[k][0] * w[0] + L.J[k][1] * w[1] + L.J[k][2] * w[2];
      t[k] = L.J[k][0] * d[0] + L.J[k][1] * d[1] + L.J[k][2] * d[2];
    }
    N[i][0] = t[0] + w[1] * h[2] - w[2] * h[1] + r[1] * f[2] - r[2] * f[1];
    N[i][1] = t[1] + w[2] * h[0] - w[0] * h[2] + r[2] * f[0] - r[0] * f[2];
    N[i][2] = t[2] + w[0] * h[1] - w[1] * h[0] + r[0] * f[1] - r[1] * f[0];
  }
  for (int i = n - 1; i > 0; --i) {
    tau[i] = N[i][2];
    const double* p = links[static_cast<size_t>(i)].p;
    double f[3];
    for (int k = 0; k < 3; ++k) {
      f[k] = R[i][k][0] * F[i][0] + R[i][k][1] * F[i][1] + R[i][k][2] * F[i][2];
      F[i - 1][k] += f[k];
      N[i - 1][k] += R[i][k][0] * N[i][0] + R[i][k][1] * N[i][1] + R[i][k][2] * N[i][2];
    }
    N[i - 1][0] += p[1] * f[2] - p[2] * f[1];
    N[i - 1][1] += p[2] * f[0] - p[0] * f[2];
    N[i - 1][2] += p[0] * f[1] - p[1] * f[0];
  }
  tau[0] = N[0][2];
}

}  // namespace tauflex
