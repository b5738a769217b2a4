#include "tauflex/elements/frame_forces.hpp"

#include <cmath>

#include "tauflex/elements/beam_damping.hpp"
#include "tauflex/elements/joint_forces.hpp"

namespace tauflex {

namespace {

using Gradient = Eigen::Matrix<double, 12, 1>;
using ElementMatrix = Eigen::Matrix<double, 12, 12>;

// Position and tangents of the two ends of a beam, each with its acceleration (less gravity).
struct BeamField {
  Vector3 tangent[2];
  Vector3 acceleration[4];

  BeamField(const ElementFrame& frame, const ElementFrame::Beam& beam, const FrameState& state) {
    const int nodes[2] = {beam.a, beam.b};
    for (int k = 0; k < 2; ++k) {
      const int node = nodes[k];
      const Vector3 t = beam.axes.col(0), &w = state.w[node];
      tangent[k] = state.R[node] * t;
      acceleration[2 * k] = state.a[node] - frame.gravity;
      // the slope of the acceleration field: alpha x t + w x (w x t)                  theory (E.3)
      acceleration[2 * k + 1] =
          state.R[node] * (state.alpha[node].cross(t) + w.cross(w.cross(t))) * beam.length;
    }
  }
};

// What a beam measures of its deformation, and the derivative by displacements and rotations of
// both ends: x_a, turn of a, x_b, turn of b.
struct Strain {
  double value;
  Gradient by;
};

struct Chord {
  double length;
  Vector3 c;
  Chord(const ElementFrame::Beam& beam, const FrameState& state) {
    c = state.x[beam.b] - state.x[beam.a];
    length = c.norm();
    c /= length;
  }
};

Strain stretch(const ElementFrame::Beam& beam, const Chord& chord) {
  Strain strain{chord.length - beam.length, Gradient::Zero()};
  strain.by.segment<3>(0) = -chord.c;
  strain.by.segment<3>(6) = chord.c;
  return strain;
}

// c . (R n) at one end: the sine of the angle between the chord and the section there.
Strain slope(const Chord& chord, const FrameState& state, int node, int end, const Vector3& n) {
  const Vector3 d = state.R[node] * n;
  Strain strain{chord.c.dot(d), Gradient::Zero()};
  const Vector3 across = (d - chord.c * strain.value) / chord.length;
  strain.by.segment<3>(0) = -across;
  strain.by.segment<3>(6) = across;
  strain.by.segment<3>(6 * end + 3) = n.cross(state.R[node].transpose() * chord.c);
  return strain;
}

// Half of y_a . z_b - z_a . y_b: the sine of the twist.
Strain twist(const ElementFrame::Beam& beam, const FrameState& state) {
  const Matrix3 R_ab = state.R[beam.a].transpose() * state.R[beam.b];
  const Vector3 y = beam.axes.col(1), z = beam.axes.col(2);
  Strain strain{0.5 * (y.dot(R_ab * z) - z.dot(R_ab * y)), Gradient::Zero()};
  strain.by.segment<3>(3) = 0.5 * (y.cross(R_ab * z) - z.cross(R_ab * y));
  strain.by.segment<3>(9) = 0.5 * (z.cross(R_ab.transpose() * y) - y.cross(R_ab.transpose() * z));
  return strain;
}

// Calls f(stiffness matrix 2 x 2, strain, strain) for every pair, and with one strain twice.
template <class F>
void for_each_stiffness(const ElementFrame::Beam& beam, const FrameState& state, const F& f) {
  const Chord chord(beam, state);
  const double L = beam.length;
  if (beam.EA > 0) f(beam.EA / L, stretch(beam, chord));
  const double EI[2] = {beam.EI_y, beam.EI_z}, Phi[2] = {beam.Phi_y, beam.Phi_z};
  for (int k = 0; k < 2; ++k) {
    if (EI[k] == 0) continue;
    const Vector3 n = beam.axes.col(k + 1);
    const Strain a = slope(chord, state, beam.a, 0, n), b = slope(chord, state, beam.b, 1, n);
    // 2 EI / L (a^2 + a b + b^2) as a difference and a sum, theory (E.4); softer by shear (E.5)
    f(EI[k] / L, Strain{a.value - b.value, a.by - b.by});
    f(3 * EI[k] / ((1 + Phi[k]) * L), Strain{a.value + b.value, a.by + b.by});
  }
  if (beam.GJ > 0) f(beam.GJ / L, twist(beam, state));
}

void add_at_node(const std::array<int, 6>& dof, const Vector3& force, const Vector3& moment,
                 VectorOut r) {
  for (int k = 0; k < 3; ++k) {
    if (dof[k] >= 0) r[dof[k]] += force[k];
    if (dof[k + 3] >= 0) r[dof[k + 3]] += moment[k];
  }
}

// One half of a matrix between two nodes (or of one, when b is -1).
template <class M>
void add_entries(const ElementFrame& frame, int a, int b, const M& matrix,
                 std::vector<SparseLdlt::Entry>& entries) {
  const auto dof = [&](int i) {
    return i < 6 ? frame.dof[a][i] : b < 0 ? -1 : frame.dof[b][i - 6];
  };
  for (int i = 0; i < matrix.rows(); ++i)
    for (int j = 0; j <= i; ++j)
      if (dof(i) >= 0 && dof(j) >= 0) entries.push_back({dof(i), dof(j), matrix(i, j)});
}

ElementMatrix mass_of(const ElementFrame::Beam& beam, const FrameState& state) {
  // displacement of (x_a, L t_a, x_b, L t_b), 12 of them, by those of the nodes
  ElementMatrix J = ElementMatrix::Zero();
  const int nodes[2] = {beam.a, beam.b};
  for (int k = 0; k < 2; ++k) {
    J.block<3, 3>(6 * k, 6 * k).setIdentity();
    J.block<3, 3>(6 * k + 3, 6 * k + 3) =
        -beam.length * state.R[nodes[k]] * skew<double>(beam.axes.col(0));
  }
  ElementMatrix H = ElementMatrix::Zero();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) H.block<3, 3>(3 * i, 3 * j) = beam.mass(i, j) * Matrix3::Identity();
  ElementMatrix M = J.transpose() * H * J;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) M.block<3, 3>(6 * i + 3, 6 * j + 3) += beam.spin / (i == j ? 3 : 6);
  return M;
}

Eigen::Matrix<double, 6, 6> mass_of(const ElementFrame::Body& body, const FrameState& state) {
  Eigen::Matrix<double, 6, 6> M;
  const Matrix3 lever = -body.mass * state.R[body.node] * skew<double>(body.com);
  const Matrix3 C = skew<double>(body.com);
  M << body.mass * Matrix3::Identity(), lever, lever.transpose(),
      body.inertia + body.mass * C.transpose() * C;
  return M;
}

}  // namespace

NodeForce mass_force(const ElementFrame& frame, const ElementFrame::Body& body,
                     const FrameState& state) {
  const Matrix3& R = state.R[body.node];
  const Vector3 &w = state.w[body.node], &alpha = state.alpha[body.node];
  NodeForce out;
  out.force = body.mass * (state.a[body.node] - frame.gravity +
                           R * (alpha.cross(body.com) + w.cross(w.cross(body.com))));
  out.moment =
      body.com.cross(R.transpose() * out.force) + body.inertia * alpha + w.cross(body.inertia * w);
  return out;
}

std::array<NodeForce, 2> mass_forces(const ElementFrame& frame, const ElementFrame::Beam& beam,
                                     const FrameState& state) {
  const BeamField field(frame, beam, state);
  Vector3 f[4];
  for (int i = 0; i < 4; ++i) {
    f[i].setZero();
    for (int j = 0; j < 4; ++j) f[i] += beam.mass(i, j) * field.acceleration[j];
  }
  std::array<NodeForce, 2> out;
  const int nodes[2] = {beam.a, beam.b};
  for (int k = 0; k < 2; ++k) {
    out[k].force = f[2 * k];
    out[k].moment =
        state.R[nodes[k]].transpose() * Vector3(field.tangent[k].cross(f[2 * k + 1]) * beam.length);
  }
  if (beam.spin.isZero()) return out;
  for (int k = 0; k < 2; ++k) {
    const auto mean = [&](const std::vector<Vector3>& of) -> Vector3 {  // of the spin near this end
      return beam.spin * (2 * of[nodes[k]] + of[nodes[1 - k]]) / 6;
    };
    out[k].moment += mean(state.alpha) + state.w[nodes[k]].cross(mean(state.w));
  }
  return out;
}

std::array<NodeForce, 2> elastic_forces(const ElementFrame::Beam& beam, const FrameState& state) {
  Gradient force = Gradient::Zero();
  for_each_stiffness(beam, state, [&](double k, const Strain& s) { force += k * s.value * s.by; });
  return {NodeForce{force.segment<3>(0), force.segment<3>(3)},
          NodeForce{force.segment<3>(6), force.segment<3>(9)}};
}

double elastic_energy(const ElementFrame::Beam& beam, const FrameState& state) {
  double energy = 0;
  for_each_stiffness(beam, state,
                     [&](double k, const Strain& s) { energy += 0.5 * k * s.value * s.value; });
  return energy;
}

double kinetic_energy(const ElementFrame& frame, const FrameState& state) {
  double energy = 0;
  for (const auto& body : frame.bodies) {
    const Vector3& w = state.w[body.node];
    const Vector3 v = state.v[body.node] + state.R[body.node] * w.cross(body.com);
    energy += 0.5 * (body.mass * v.squaredNorm() + w.dot(body.inertia * w));
  }
  for (const auto& beam : frame.beams) {
    Vector3 rate[4];
    const int nodes[2] = {beam.a, beam.b};
    for (int k = 0; k < 2; ++k) {
      rate[2 * k] = state.v[nodes[k]];
      rate[2 * k + 1] =
          state.R[nodes[k]] * state.w[nodes[k]].cross(Vector3(beam.axes.col(0))) * beam.length;
    }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) energy += 0.5 * beam.mass(i, j) * rate[i].dot(rate[j]);
    const Vector3 &a = state.w[beam.a], &b = state.w[beam.b];
    energy += (a.dot(beam.spin * (a + b)) + b.dot(beam.spin * b)) / 6;
  }
  return energy;
}

void frame_forces(const ElementFrame& frame, const FrameState& state, const Vector& travel,
                  VectorOut r) {
  r.setZero();
  for (const auto& body : frame.bodies) {
    const NodeForce f = mass_force(frame, body, state);
    add_at_node(frame.dof[body.node], f.force, f.moment, r);
  }
  for (const auto& beam : frame.beams) {
    const auto masses = mass_forces(frame, beam, state), springs = elastic_forces(beam, state);
    add_at_node(frame.dof[beam.a], masses[0].force + springs[0].force,
                masses[0].moment + springs[0].moment, r);
    add_at_node(frame.dof[beam.b], masses[1].force + springs[1].force,
                masses[1].moment + springs[1].moment, r);
  }
  add_damping_forces(frame, state, r);
  add_joint_forces(frame, state, travel, r);
}

void frame_matrix(const ElementFrame& frame, const FrameState& state, const Vector& travel,
                  double mass, double stiffness, double damping,
                  std::vector<SparseLdlt::Entry>& entries) {
  for (const auto& body : frame.bodies)
    add_entries(frame, body.node, -1, mass * mass_of(body, state), entries);
  for (const auto& beam : frame.beams) {
    ElementMatrix matrix = mass * mass_of(beam, state);
    if (stiffness != 0) {
      for_each_stiffness(beam, state, [&](double k, const Strain& s) {
        matrix += (stiffness * k) * s.by * s.by.transpose();
      });
      if (beam.EA > 0) {  // a string that is pulled resists to be moved across
        const Chord chord(beam, state);
        const double N = beam.EA * (chord.length / beam.length - 1);
        const Matrix3 across =
            stiffness * N / chord.length * (Matrix3::Identity() - chord.c * chord.c.transpose());
        matrix.block<3, 3>(0, 0) += across;
        matrix.block<3, 3>(6, 6) += across;
        matrix.block<3, 3>(0, 6) -= across;
        matrix.block<3, 3>(6, 0) -= across;
      }
    }
    add_entries(frame, beam.a, beam.b, matrix, entries);
  }
  add_damping_matrix(frame, state, damping, entries);
  add_joint_matrix(frame, state, travel, {mass, stiffness, damping}, entries);
}

}  // namespace tauflex
