#include "tauflex/solvers/frame_outputs.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/problem/orientation_rule.hpp"

namespace tauflex {

namespace {

// Joint of the frame with this coordinate; -1 for none.
int joint_with(const ElementFrame& frame, int q) {
  for (size_t j = 0; j < frame.joints.size(); ++j)
    if (frame.joints[j].q == q) return static_cast<int>(j);
  return -1;
}

bool drives_are_outputs(const InverseProblem& problem, const ElementFrame& frame) {
  for (const OutputGroup& group : problem.outputs().groups) {
    const auto* joint = std::get_if<CoordinateOutput>(&group.rule);
    const int j = joint ? joint_with(frame, joint->q) : -1;
    if (j < 0 || frame.joints[j].drive < 0) return false;
  }
  return true;
}

// One group of outputs as rows of the frame.
class OutputRows {
 public:
  OutputRows(const Robot& robot, const Outputs& outputs, const std::string& where,
             ElementFrame& frame, FrameOutputs& out)
      : robot_(robot), outputs_(outputs), where_(where), frame_(frame), out_(out) {}

  void add(const OutputGroup& group) {
    std::visit([&](const auto& rule) { add(rule, group.rows); }, group.rule);
  }

 private:
  using Row = ElementFrame::Row;

  // `a`: the reference, `b`: what it sees.
  void push(Row row, const PlacedFrame& a, const PlacedFrame& b, int y, double start) {
    row.a = {a.point.node, Vector3::Zero()};
    row.b = b.point;
    push(row, y, start);
  }
  void push(Row row, int y, double start) {
    row.driven = static_cast<int>(frame_.joints.size() + frame_.outputs.size());
    out_.followed.push_back({row.driven, y, start});
    frame_.outputs.push_back(row);
  }

  void add(const PositionOutput& output, const std::vector<int>& rows) {
    const PlacedFrame a = frame_.placed(output.reference),
                      b = frame_.placed(robot_.frames()[output.frame]);
    for (size_t k = 0; k < rows.size(); ++k) {
      Row row{};
      row.kind = Row::Kind::point;
      row.n = a.axes.col(output.axes[k]);
      row.offset = row.n.dot(a.point.p);
      push(row, a, b, rows[k], 0);
    }
  }

  // sin(psi - s) times the length of the pointer across the axis
  void add(const AngleOutput& output, const std::vector<int>& rows) {
    const PlacedFrame a = frame_.placed(output.reference),
                      b = frame_.placed(robot_.frames()[output.frame]);
    const Vector3 pointer = b.axes * output.pointer;
    Row row{};
    row.kind = Row::Kind::axes;
    row.terms = {Row::Term{0, a.axes.col(0), pointer}, Row::Term{1, a.axes.col(1), pointer}};
    push(row, a, b, rows[0], 0);
  }

  void add(const CoordinateOutput& output, const std::vector<int>& rows) {
    const int joint = joint_with(frame_, output.q);
    if (joint < 0) return refuse(rows, "a coordinate that is no joint");
    push(frame_.joint_row(joint), rows[0], frame_.joints[joint].start);
  }

  // Half the skew part of R_d^T R, as in problem/orientation_rule.hpp.
  void add(const OrientationOutput& output, const std::vector<int>& rows) {
    const PlacedFrame a = frame_.placed(output.reference),
                      b = frame_.placed(robot_.frames()[output.frame]);
    out_.turned.push_back(
        {static_cast<int>(frame_.joints.size() + frame_.outputs.size()), rows[0], a.axes});
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      Row row{};
      row.kind = Row::Kind::axes;
      row.turns_with_path = true;
      row.terms = {Row::Term{0.5, Vector3::Unit(j), b.axes.col(i)},
                   Row::Term{-0.5, Vector3::Unit(i), b.axes.col(j)}};
      push(row, a, b, rows[k], 0);
    }
  }
  void add(const AxisOutput&, const std::vector<int>& rows) {
    refuse(rows, "a direction in space");
  }
  void add(const ArcOutput&, const std::vector<int>& rows) { refuse(rows, "a place on an arc"); }
  void add(const ForceOutput&, const std::vector<int>& rows) { refuse(rows, "a force"); }

  void refuse(const std::vector<int>& rows, const char* what) const {
    throw ProblemError(fmt::format(
        "{}: output '{}' is {}; where something is left to integrate, the outputs of method "
        "parallel are positions, orientations, angles and joints; use bdf",
        where_, outputs_.rows[rows.front()].name, what));
  }

  const Robot& robot_;
  const Outputs& outputs_;
  const std::string& where_;
  ElementFrame& frame_;
  FrameOutputs& out_;
};

}  // namespace

void FrameOutputs::write(const MatrixRef& y, std::vector<Driven>& paths) const {
  for (const auto& [path, row, start] : followed) {
    Driven& to = paths[path];
    to.value = y(row, 0) - start;
    to.rate = y(row, 1);
    to.acceleration = y(row, 2);
  }
  for (const auto& [path, row, axes] : turned) {
    Vector3Of<ShortJet2> phi;
    for (int k = 0; k < 3; ++k) phi[k] = output_rules::row_series(y, row + k);
    const Matrix3Of<ShortJet2> R = rotation_from_vector<ShortJet2>(phi);
    Matrix3 derivatives[3];
    for (int d = 0; d < 3; ++d)
      for (int k = 0; k < 9; ++k) derivatives[d](k % 3, k / 3) = R(k % 3, k / 3).derivative(d);
    for (int k = 0; k < 3; ++k) {
      Driven& to = paths[path + k];
      to.turned = axes * derivatives[0];
      to.turned_rate = axes * derivatives[1];
      to.turned_acceleration = axes * derivatives[2];
    }
  }
}

FrameOutputs add_output_rows(const Robot& robot, const Outputs& outputs, const std::string& where,
                             ElementFrame& frame) {
  FrameOutputs out;
  OutputRows rows(robot, outputs, where, frame, out);
  for (const OutputGroup& group : outputs.groups) rows.add(group);
  return out;
}

FrameOutputs add_outputs(const InverseProblem& problem, ElementFrame& frame) {
  FrameOutputs out;
  if (problem.is_redundant())
    throw ProblemError(fmt::format(
        "{}: {} outputs for {} drives; where something is left to integrate, method parallel "
        "needs as many of one as of the other",
        problem.task().where, problem.output_count(), problem.robot().actuation().count()));
  const bool prescribed = drives_are_outputs(problem, frame);
  for (size_t j = 0; j < frame.joints.size(); ++j)
    if (frame.joints[j].drive >= 0) frame.drive_joint(static_cast<int>(j));
  if (!prescribed)
    return add_output_rows(problem.robot(), problem.outputs(), problem.task().where, frame);
  for (const OutputGroup& group : problem.outputs().groups) {
    const int joint = joint_with(frame, std::get<CoordinateOutput>(group.rule).q);
    out.followed.push_back({joint, group.rows.front(), frame.joints[joint].start});
  }
  return out;
}

}  // namespace tauflex
