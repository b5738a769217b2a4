#include "tauflex/elements/torque_recovery.hpp"

#include <thread>

#include "tauflex/base/errors.hpp"
#include "tauflex/elements/frame_forces.hpp"
#include "tauflex/elements/frame_rows.hpp"
#include "tauflex/elements/joint_forces.hpp"
#include "tauflex/math/decompositions.hpp"

namespace tauflex {

namespace {

// f(first, last) on equal parts of 0 .. count, each on a thread of its own.
template <class F>
void in_parts(size_t count, int threads, const F& f) {
  constexpr size_t worth_a_thread = 256;
  const size_t parts = std::max<size_t>(1, std::min<size_t>(threads, count / worth_a_thread));
  std::vector<std::thread> others;
  for (size_t k = 1; k < parts; ++k)
    others.emplace_back([&, k] { f(count * k / parts, count * (k + 1) / parts); });
  f(0, count / parts);
  for (std::thread& other : others) other.join();
}

}  // namespace

void add_rod(double mass, double point, const RodMotion& motion, RecoveryLink& link) {
  // slope of the acceleration field times the length, and the acceleration of the end
  const Vector3& r = link.span;
  const Vector3 slope = motion.alpha.cross(r) + motion.w.cross(motion.w.cross(r));
  const Vector3 &a = motion.acceleration, end = a + slope;
  // consistent mass of the cubic, [Isobe2008] Fig. 1(c)
  const double m = mass / 420;
  link.start_force += m * (156 * a + 22 * slope + 54 * end - 13 * slope);
  link.end_force += m * (54 * a + 13 * slope + 156 * end - 22 * slope) + point * end;
  // conjugate to the tangents at both ends: a turn moves a tangent across the rod
  const Vector3 at_start = m * (22 * a + 4 * slope + 13 * end - 3 * slope),
                at_end = m * (-13 * a - 3 * slope - 22 * end + 4 * slope);
  link.moment += r.cross(at_start + at_end);
}

void recover_torques(const std::vector<RecoveryLink>& links, int threads,
                     std::vector<JointLoad>& loads) {
  loads.resize(links.size());
  // P: forces of the link and all beyond; a sum, in one order
  in_parts(links.size(), threads, [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i)
      loads[i].force = links[i].start_force + links[i].end_force;
  });
  for (size_t i = links.size(); i-- > 0;)
    if (links[i].parent >= 0) loads[links[i].parent].force += loads[i].force;
  // L T P of each link alone: its own end, its own moments, and its force at its parent's joint
  in_parts(links.size(), threads, [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) {
      const RecoveryLink& link = links[i];
      loads[i].moment = link.span.cross(link.end_force) + link.moment;
      loads[i].at_parent.setZero();
      if (link.parent < 0) continue;
      const Vector3 lever = link.start - links[link.parent].start;
      loads[i].at_parent = lever.cross(loads[i].force);
    }
  });
  for (size_t i = links.size(); i-- > 0;)
    if (links[i].parent >= 0) loads[links[i].parent].moment += loads[i].moment + loads[i].at_parent;
}

TorqueRecovery::TorqueRecovery(const ElementFrame& frame, std::vector<double> ratios, int threads)
    : frame_(frame), ratios_(std::move(ratios)), threads_(threads) {
  const size_t joints = frame.joints.size();
  joint_of_node_.assign(frame.nodes(), -1);
  for (size_t j = 0; j < joints; ++j) joint_of_node_[frame.joints[j].child] = static_cast<int>(j);
  for (const auto& beam : frame.beams)  // nodes of a beam follow each other
    joint_of_node_[beam.b] = joint_of_node_[beam.a];
  links_.resize(joints);
  bodies_.resize(joints);
  beams_.resize(joints);
  for (size_t j = 0; j < joints; ++j) {
    const int parent = frame.joints[j].parent;
    links_[j].parent = parent < 0 ? -1 : joint_of_node_[parent];
  }
  for (size_t b = 0; b < frame.bodies.size(); ++b)
    bodies_[joint_of_node_[frame.bodies[b].node]].push_back(static_cast<int>(b));
  for (size_t b = 0; b < frame.beams.size(); ++b)
    beams_[joint_of_node_[frame.beams[b].a]].push_back(static_cast<int>(b));
  for (size_t i = 0; i < frame.rows.size(); ++i)
    if (frame.rows[i].constraint >= 0) loop_rows_.push_back(static_cast<int>(i));
  const auto loops = static_cast<Eigen::Index>(loop_rows_.size());
  loop_forces_ = Vector::Zero(loops);
  unit_torques_ = Vector::Zero(static_cast<Eigen::Index>(joints));
  by_loops_ = Matrix::Zero(static_cast<Eigen::Index>(joints), loops);
}

void TorqueRecovery::masses_of_links(const FrameState& state) {
  in_parts(links_.size(), threads_, [&](size_t first, size_t last) {
    for (size_t j = first; j < last; ++j) {
      RecoveryLink& link = links_[j];
      link.start = state.x[frame_.joints[j].child];
      link.start_force.setZero();
      link.moment.setZero();
      const auto add = [&](const NodeForce& f, int node) {
        link.start_force += f.force;
        link.moment += (state.x[node] - link.start).cross(f.force) + state.R[node] * f.moment;
      };
      for (const int b : bodies_[j]) {
        const auto& body = frame_.bodies[b];
        add(mass_force(frame_, body, state), body.node);
      }
      for (const int b : beams_[j]) {
        const auto& beam = frame_.beams[b];
        const auto f = mass_forces(frame_, beam, state);
        add(f[0], beam.a);
        add(f[1], beam.b);
      }
    }
  });
}

void TorqueRecovery::along_joints(const FrameState& state, VectorOut torques) {
  recover_torques(links_, threads_, loads_);
  for (size_t j = 0; j < links_.size(); ++j) {
    const auto& joint = frame_.joints[j];
    const auto k = static_cast<Eigen::Index>(j);
    if (joint.turns) {
      torques[k] = (state.R[joint.child] * joint.axis).dot(loads_[j].moment);
    } else {
      const Matrix3 R = joint.parent < 0 ? Matrix3::Identity() : state.R[joint.parent];
      torques[k] = (R * joint.axis).dot(loads_[j].force);
    }
  }
}

void TorqueRecovery::recover(const FrameState& state, const Vector& travel, VectorOut torques) {
  masses_of_links(state);
  along_joints(state, torques);
  joint_resistance(frame_, state, travel, unit_torques_);
  torques += unit_torques_;
  if (!loop_rows_.empty()) close_loops(state, torques);
}

// tau = tau_0 - A lambda; zero at joints without a drive, least at the others.
void TorqueRecovery::close_loops(const FrameState& state, VectorOut torques) {
  const auto loops = static_cast<Eigen::Index>(loop_rows_.size());
  for (Eigen::Index l = 0; l < loops; ++l) {
    const auto& row = frame_.rows[loop_rows_[l]];
    const RowValues values = row_values(row, state, {});
    for (RecoveryLink& link : links_) {
      link.start_force.setZero();
      link.moment.setZero();
    }
    for (int side = 0; side < 2; ++side) {
      const int node = side == 0 ? row.a.node : row.b.node;
      if (node < 0) continue;
      RecoveryLink& link = links_[joint_of_node_[node]];
      const Vector3 force = values.by.segment<3>(6 * side);
      link.start_force += force;
      link.moment += (state.x[node] - link.start).cross(force) +
                     state.R[node] * Vector3(values.by.segment<3>(6 * side + 3));
    }
    along_joints(state, unit_torques_);
    by_loops_.col(l) = unit_torques_;
  }
  std::vector<Eigen::Index> passive, active;
  for (size_t j = 0; j < ratios_.size(); ++j)
    (ratios_[j] != 0 ? active : passive).push_back(static_cast<Eigen::Index>(j));
  const auto p = static_cast<Eigen::Index>(passive.size());
  // [A_a^T A_a, A_p^T; A_p, 0] (lambda, mu) = (A_a^T tau_a, tau_p)
  Matrix A_a = by_loops_(active, Eigen::all);
  const Matrix A_p = by_loops_(passive, Eigen::all);
  Vector at_motors = torques(active);
  for (size_t k = 0; k < active.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const double ratio = ratios_[active[k]];
    A_a.row(row) /= ratio;
    at_motors[row] /= ratio;
  }
  Matrix K = Matrix::Zero(loops + p, loops + p);
  if (p < loops) K.topLeftCorner(loops, loops) = A_a.transpose() * A_a;
  K.topRightCorner(loops, p) = A_p.transpose();
  K.bottomLeftCorner(p, loops) = A_p;
  Vector right(loops + p);
  right.head(loops) = A_a.transpose() * at_motors;
  if (p >= loops) right.head(loops).setZero();
  right.tail(p) = torques(passive);
  loop_forces_ = least_norm_solution(K, right).head(loops);
  torques -= by_loops_ * loop_forces_;
}

}  // namespace tauflex
