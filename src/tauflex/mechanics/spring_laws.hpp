// What springs and friction give beyond stiffness times stretch and damping times rate.
//   hardening   c3 d^3 + c5 d^5 + ...,  or what a table has beyond K d          theory (M.12)
//   friction    f v + f_c tanh(v / v_c)                                              theory (M.8)
#pragma once

#include <cmath>

#include "tauflex/math/jet.hpp"
#include "tauflex/model/robot.hpp"

namespace tauflex {

template <class S>
S hardening_torque(const OddPolynomial& c, const S& d) {
  const S square = d * d;
  S sum(0);
  for (size_t k = c.size(); k-- > 0;) sum = sum * square + S(c[k]);
  return sum * square * d;
}

template <class S>
S hardening_stiffness(const OddPolynomial& c, const S& d) {
  const S square = d * d;
  S sum(0);
  for (size_t k = c.size(); k-- > 0;)
    sum = sum * square + S(c[k] * (2.0 * static_cast<double>(k) + 3));
  return sum * square;
}

template <class S>
S hardening_energy(const OddPolynomial& c, const S& d) {
  const S square = d * d;
  S sum(0);
  for (size_t k = c.size(); k-- > 0;)
    sum = sum * square + S(c[k] / (2.0 * static_cast<double>(k) + 4));
  return sum * square * square;
}

template <class S>
S table_torque(const SpringTable& table, const S& d) {
  const SpringTable::Piece& piece = table.piece(leading(d));
  const S s = (d - S(piece.begin)) / S(piece.length);
  S sum(0);
  for (size_t k = piece.c.size(); k-- > 0;) sum = sum * s + S(piece.c[k]);
  return sum;
}

template <class S>
S table_stiffness(const SpringTable& table, const S& d) {
  const SpringTable::Piece& piece = table.piece(leading(d));
  const S s = (d - S(piece.begin)) / S(piece.length);
  S sum(0);
  for (size_t k = piece.c.size(); k-- > 1;)
    sum = sum * s + S(static_cast<double>(k) * piece.c[k] / piece.length);
  return sum;
}

template <class S>
S table_energy(const SpringTable& table, const S& d) {
  const SpringTable::Piece& piece = table.piece(leading(d));
  const S s = (d - S(piece.begin)) / S(piece.length);
  S sum(0);
  for (size_t k = piece.c.size(); k-- > 0;)
    sum = sum * s + S(piece.length * piece.c[k] / static_cast<double>(k + 1));
  return S(piece.energy) + sum * s;
}

template <class S>
S hardening_torque(const HardeningLaw& law, const S& d) {
  if (const auto* table = std::get_if<SpringTable>(&law)) return table_torque(*table, d);
  return hardening_torque(std::get<OddPolynomial>(law), d);
}

template <class S>
S hardening_stiffness(const HardeningLaw& law, const S& d) {
  if (const auto* table = std::get_if<SpringTable>(&law)) return table_stiffness(*table, d);
  return hardening_stiffness(std::get<OddPolynomial>(law), d);
}

template <class S>
S hardening_energy(const HardeningLaw& law, const S& d) {
  if (const auto* table = std::get_if<SpringTable>(&law)) return table_energy(*table, d);
  return hardening_energy(std::get<OddPolynomial>(law), d);
}

// Motor side.
template <class S>
S motor_friction(const DriveLayout& drive, const S& v) {
  using std::tanh;
  S friction = S(drive.friction) * v;
  if (drive.coulomb > 0) friction += S(drive.coulomb) * tanh(v / S(drive.coulomb_speed));
  return friction;
}

// Its derivative.
template <class S>
S motor_friction_slope(const DriveLayout& drive, const S& v) {
  using std::tanh;
  S slope(drive.friction);
  if (drive.coulomb > 0) {
    const S t = tanh(v / S(drive.coulomb_speed));
    slope += S(drive.coulomb / drive.coulomb_speed) * (S(1) - t * t);
  }
  return slope;
}

}  // namespace tauflex
