#include "tauflex/mechanics/constraints.hpp"

#include "tauflex/mechanics/beam_motion.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/row_forces.hpp"
#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

namespace {

// Values and derivatives of a path with at most six components, without the heap.
using PathValues = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 16>;

// s(t) of one component.
template <class S>
S path_component(const OutputPath& path, int component, const S& t) {
  const int order = [&] {
    if constexpr (std::is_same_v<S, double>)
      return 0;
    else if constexpr (std::is_same_v<S, Dual>)
      return 1;
    else
      return t.order();
  }();
  PathValues y(path.size(), order + 1);
  path.derivatives(leading(t), y);
  if constexpr (std::is_same_v<S, double>) {
    return y(component, 0);
  } else if constexpr (std::is_same_v<S, Dual>) {
    return {y(component, 0), y(component, 1) * t.slope};
  } else {
    S value = S::zero(order);
    double factorial = 1;
    for (int k = 0; k <= order; ++k) {
      if (k > 1) factorial *= k;
      value[k] = y(component, k) / factorial;
    }
    return value;
  }
}

// Calls f with the geometry of a row between frames, or g with a relation of joints.
template <class S, class F, class G>
void visit_row(const Robot& robot, const MotionData<S>& data, const ConstraintRow& row,
               const F& between_frames, const G& of_joints) {
  if (const auto* relation = std::get_if<RelationRow>(&row.rule))
    of_joints(*relation);
  else if (const auto* point = std::get_if<PointRow>(&row.rule))
    between_frames(RowGeometry<S>(robot, data, *point));
  else
    between_frames(RowGeometry<S>(robot, data, std::get<AxesRow>(row.rule)));
}

}  // namespace

template <class S>
void constraint_values(const Robot& robot, const MotionData<S>& data, const VectorRefOf<S>& q,
                       const S& t, VectorOutOf<S> g) {
  for (int i = 0; i < robot.constraint_count(); ++i) {
    const ConstraintRow& row = robot.constraints()[i];
    if (const auto* relation = std::get_if<RelationRow>(&row.rule)) {
      g[i] = S(-relation->value);
      for (const auto& term : relation->terms) g[i] += term.c * q[term.q];
    } else if (const auto* point = std::get_if<PointRow>(&row.rule)) {
      g[i] = row_value<S>(robot, data, *point);
    } else {
      g[i] = row_value<S>(robot, data, std::get<AxesRow>(row.rule));
    }
    for (const auto& term : row.taken_up) g[i] += term.c * q[term.q];
    if (row.path) g[i] -= path_component<S>(*row.path, row.component, t);
  }
}

template <class S>
void constraint_jacobian(const Robot& robot, const MotionData<S>& data, MatrixOutOf<S> G) {
  G.setZero();
  for (int i = 0; i < robot.constraint_count(); ++i) {
    for (const auto& term : robot.constraints()[i].taken_up) G(i, term.v) += S(term.c);
    visit_row<S>(
        robot, data, robot.constraints()[i],
        [&](const RowGeometry<S>& row) {
          for_each_end_motion(robot, data, row, [&](int k, const Motion<S>& X, double sign) {
            G(i, k) += sign * dot(X, row.wrench());
          });
        },
        [&](const RelationRow& relation) {
          for (const auto& term : relation.terms) G(i, term.v) += S(term.c);
        });
  }
}

template <class S>
void add_constraint_forces(const Robot& robot, const MotionData<S>& data,
                           const VectorRefOf<S>& lambda, double sign, VectorOutOf<S> tau) {
  for (int i = 0; i < robot.constraint_count(); ++i) {
    const S force = lambda[i] * sign;
    for (const auto& term : robot.constraints()[i].taken_up) tau[term.v] += term.c * force;
    visit_row<S>(
        robot, data, robot.constraints()[i],
        [&](const RowGeometry<S>& row) {
          for_each_end_motion(robot, data, row, [&](int k, const Motion<S>& X, double end) {
            tau[k] += end * force * dot(X, row.wrench());
          });
        },
        [&](const RelationRow& relation) {
          for (const auto& term : relation.terms) tau[term.v] += term.c * force;
        });
  }
}

void constraint_rates(const Robot& robot, double t, VectorOut rate) {
  rate.setZero();
  for (int i = 0; i < robot.constraint_count(); ++i) {
    const ConstraintRow& row = robot.constraints()[i];
    if (!row.path) continue;
    PathValues y(row.path->size(), 2);
    row.path->derivatives(t, y);
    rate[i] = y(row.component, 1);
  }
}

// F . (A_B - A_A) + dF/dt . (V_B - V_A) - s''
void constraint_bias(const Robot& robot, MechanicsData& data, const VectorRef& q,
                     const VectorRef& v, double t, VectorOut gamma) {
  kinematics<double>(robot, data, q);
  const Motion<double> still = Motion<double>::zero();
  for (size_t i = 0; i < robot.tree().bodies.size(); ++i) {
    const Body& body = robot.tree().bodies[i];
    const Motion<double>& V_parent = body.parent < 0 ? still : data.velocity[body.parent];
    Motion<double> V = V_parent;
    Motion<double> A = body.parent < 0 ? still : data.acceleration[body.parent];
    if (body.beam >= 0) {
      const BeamLayout& beam = robot.tree().beams[body.beam];
      beam_rates<double>(beam, v.segment(body.v_begin, beam.n), Vector(), data.beam[body.beam]);
      move_beam_end<double>(beam, data.beam[body.beam], V, A);
    }
    for (int k = body.v_begin; k < body.v_begin + body.v_count && body.beam < 0; ++k) {
      const Motion<double> joint = data.axis[k] * v[k];
      A += cross(V_parent, joint);
      V += joint;
    }
    data.velocity[i] = V;
    data.acceleration[i] = A;
  }
  gamma.setZero();
  for (int i = 0; i < robot.constraint_count(); ++i) {
    const ConstraintRow& row = robot.constraints()[i];
    visit_row<double>(
        robot, data, row,
        [&](const RowGeometry<double>& g) {
          const Motion<double> V_A = frame_velocity(data, g.a()), V_B = frame_velocity(data, g.b());
          gamma[i] = dot(frame_acceleration(data, g.b()), g.wrench()) -
                     dot(frame_acceleration(data, g.a()), g.wrench()) +
                     dot(V_B + V_A * -1.0, g.change(V_A, V_B));
        },
        [](const RelationRow&) {});
    if (!row.path) continue;
    PathValues y(row.path->size(), 3);
    row.path->derivatives(t, y);
    gamma[i] -= y(row.component, 2);
  }
}

void add_constraint_force_derivative(const Robot& robot, const MechanicsData& data,
                                     const VectorRef& lambda, double sign, MatrixOut by_q) {
  for (int i = 0; i < robot.constraint_count(); ++i)
    visit_row<double>(
        robot, data, robot.constraints()[i],
        [&](const RowGeometry<double>& row) {
          add_row_stiffness(robot, data, row, sign * lambda[i], by_q);
        },
        [](const RelationRow&) {});
}

void constraint_rate_derivative(const Robot& robot, const MechanicsData& data, const VectorRef& x,
                                MatrixOut by_q) {
  by_q.setZero();
  for (int i = 0; i < robot.constraint_count(); ++i)
    visit_row<double>(
        robot, data, robot.constraints()[i],
        [&](const RowGeometry<double>& row) {
          add_row_rate_derivative(robot, data, row, x, by_q.row(i));
        },
        [](const RelationRow&) {});
}

#define TAUFLEX_INSTANTIATE(S)                                                                  \
  template void constraint_values<S>(const Robot&, const MotionData<S>&, const VectorRefOf<S>&, \
                                     const S&, VectorOutOf<S>);
TAUFLEX_FOR_EACH_POSE_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

template void constraint_jacobian<double>(const Robot&, const MotionData<double>&, MatrixOut);
template void constraint_jacobian<ShortJet2>(const Robot&, const MotionData<ShortJet2>&,
                                             MatrixOutOf<ShortJet2>);

#define TAUFLEX_INSTANTIATE(S)                                               \
  template void add_constraint_forces<S>(const Robot&, const MotionData<S>&, \
                                         const VectorRefOf<S>&, double, VectorOutOf<S>);
TAUFLEX_FOR_EACH_FORCE_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex
