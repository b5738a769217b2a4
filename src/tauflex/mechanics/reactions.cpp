#include "tauflex/mechanics/reactions.hpp"

#include <cassert>

#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/row_forces.hpp"

namespace tauflex {

namespace {

// A wrench on frame B and its opposite on frame A change what every joint below them transmits.
void take(const Robot& robot, MechanicsData& data, const RowGeometry<double>& row, double size) {
  const auto subtract = [&](int body, double factor) {
    for (; body >= 0; body = robot.tree().bodies[body].parent) {
      data.force[body].n -= factor * row.wrench().n;
      data.force[body].f -= factor * row.wrench().f;
    }
  };
  subtract(row.b().body, size);
  subtract(row.a().body, -size);
}

}  // namespace

void joint_reactions(const Robot& robot, MechanicsData& data, const VectorRef& q,
                     const VectorRef& v, const VectorRef& vdot, const VectorRef& lambda,
                     ReactionFrame frame, std::vector<Reaction>& reactions) {
  assert(!robot.is_linearized());
  body_forces<double>(robot, data, q, v, vdot);
  for (int i = 0; i < robot.constraint_count(); ++i) {
    const auto& rule = robot.constraints()[i].rule;
    if (const auto* point = std::get_if<PointRow>(&rule))
      take(robot, data, RowGeometry<double>(robot, data, *point), lambda[i]);
    else if (const auto* axes = std::get_if<AxesRow>(&rule))
      take(robot, data, RowGeometry<double>(robot, data, *axes), lambda[i]);
    // a relation of joints acts along their own directions, as drives do
  }
  for (const FrameSpringLayout& spring : robot.springs().between_frames) {
    const RowGeometry<double> line(robot, data, spring.line);
    const Motion<double> between = velocity_of<double>(robot, data, line.b(), v) +
                                   velocity_of<double>(robot, data, line.a(), v) * -1.0;
    take(robot, data, line,
         -(spring.stiffness * (row_value<double>(robot, data, spring.line) - spring.length) +
           spring.damping * dot(between, line.wrench())));
  }
  reactions.resize(robot.tree().link_names.size());
  for (size_t link = 0; link < reactions.size(); ++link) {
    const int body = robot.tree().body_of_link[static_cast<int>(link)];
    const Force<double>& F = data.force[body];
    Matrix3 R = Matrix3::Identity();
    if (frame == ReactionFrame::link) R = data.R[body] * robot.tree().bodies[body].R_LB.transpose();
    if (frame == ReactionFrame::joint) {
      const Joint& joint = robot.description().links[link].joint;
      const int parent = robot.tree().find_link(joint.parent);
      if (parent >= 0) {
        const int b = robot.tree().body_at(parent, joint.X_PJ.p);
        R = data.R[b] * robot.tree().bodies[b].R_LB.transpose();
      }
      R = R * joint.X_PJ.R;
    }
    reactions[link].force = R.transpose() * F.f;
    reactions[link].moment = R.transpose() * (F.n - data.p[body].cross(F.f));
  }
}

}  // namespace tauflex
