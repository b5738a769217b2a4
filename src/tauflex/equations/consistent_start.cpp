#include "tauflex/equations/consistent_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/equations/start.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/drive_train.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/model/natural_units.hpp"
#include "tauflex/model/robot_kind.hpp"
#include "tauflex/problem/range_on_path.hpp"

namespace tauflex {

namespace {

// rad or m: a start so close to what start.near names is the one that is meant
constexpr double close_to_near = 0.1;
// rad or m: by how much springs that carry the robot may move the joints of a posture
constexpr double sag = 0.5;
// rad or m: what a search that starts at rest may still move
constexpr double same_pose = 1e-6;
// Starts from elsewhere, where postures cannot be enumerated.
constexpr int further_starts = 8;
// A larger robot is not tried again: each trial is a system of so many equations.
constexpr int largest_tried = 30;

// Throws when the constraints alone decide an output.
void require_free_outputs(const InverseProblem& problem, const Vector& q) {
  const Robot& robot = problem.robot();
  if (robot.constraint_count() == 0) return;
  const Matrix rows = independence_rows(problem, q).leftCols(robot.tree_nv());
  const Matrix G = rows.bottomRows(robot.constraint_count());
  int row = 0;
  for (const int output : problem.motion_outputs()) {
    const Vector wanted = rows.row(row++).transpose();
    if (wanted.norm() < 1e-12) continue;  // a rotor, or a singular pose
    const Vector share = least_norm_solution(G.transpose(), wanted);
    if ((G.transpose() * share - wanted).norm() > singular_ratio * wanted.norm()) continue;
    std::vector<std::string> holding;
    for (int i = 0; i < robot.constraint_count(); ++i) {
      const std::string& name =
          robot.description().constraints[robot.constraints()[i].constraint].name;
      if (std::abs(share[i]) > 1e-6 * share.cwiseAbs().maxCoeff() &&
          std::find(holding.begin(), holding.end(), name) == holding.end())
        holding.push_back(name);
    }
    throw ProblemError(fmt::format(
        "{}: output '{}' is fixed by constraint {}; it cannot be moved, take another output or its "
        "force",
        problem.task().where, problem.outputs().rows[output].name, join(holding, " and ")));
  }
}

// Throws when some joints move no mass: two springs in a row with nothing between them.
void require_mass(const InverseProblem& problem, const Vector& q) {
  const Robot& robot = problem.robot();
  if (robot.tree_nv() == 0) return;
  if (!has_mass(robot))
    throw ProblemError(problem.task().where +
                       ": no link has a mass, and torques follow from masses; give them, in the "
                       "URDF file or by links in its overlay");
  MechanicsData data(robot);
  mass_matrix(robot, data, q);
  const Vector scale = data.M.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Svd s = svd(scale.asDiagonal() * data.M * scale.asDiagonal());
  if (s.sigma[s.sigma.size() - 1] > 1e-13 * s.sigma[0]) return;
  const Vector idle = s.V.col(s.V.cols() - 1).cwiseAbs();
  std::vector<std::string> joints;
  for (int k = 0; k < robot.tree_nv(); ++k)
    if (idle[k] > 0.1 * idle.maxCoeff())
      joints.push_back("'" + robot.coordinates().velocity_names[k] + "'");
  throw ProblemError(
      fmt::format("{}: the mass matrix is singular: {} can move without moving any mass; give the "
                  "link between them a mass, or put their springs together",
                  problem.task().where, join(joints, " and ")));
}

// Driven joints that no output names.
std::vector<int> chosen_joints(const InverseProblem& problem) {
  std::vector<int> joints;
  for (const DriveLayout& drive : problem.robot().actuation().drives)
    if (!problem.outputs().follows_coordinate(drive.joint_q)) joints.push_back(drive.joint_q);
  return joints;
}

// Joints are within their ranges, and not whole turns away from where they would best be.
bool is_in_order(const InverseProblem& problem, const PreferredPosture& preferred,
                 const RestState& state) {
  if (state.status != Status::solved || range_excess(problem.robot(), state.q) > 0) return false;
  if (problem.robot().constraint_count() > 0) return true;
  const std::vector<int> joints = chosen_joints(problem);
  return std::all_of(joints.begin(), joints.end(), [&](int at) {
    return !problem.robot().coordinates().is_angle[at] ||
           std::abs(state.q[at] - preferred.q[at]) < 1.001 * std::numbers::pi;
  });
}

// Every joint is close to where start.near names it: there is nothing left to choose.
bool is_where_named(const InverseProblem& problem, const RestState& state) {
  std::vector<int> open = chosen_joints(problem);
  for (const auto& [name, value] : problem.task().near) {
    const int at = problem.robot().coordinates().find(name);
    if (std::abs(state.q[at] - value) < close_to_near) std::erase(open, at);
  }
  return open.empty();
}

// Whether a state at rest is a posture with springs that give way.
bool belongs_to(const InverseProblem& problem, const RestState& state, const Vector& posture) {
  for (const int at : chosen_joints(problem))
    if (std::abs(state.q[at] - posture[at]) > sag) return false;
  return true;
}

RestState rest_in(const InverseProblem& problem, Vector posture) {
  Vector rates = Vector::Zero(problem.robot().nv());
  DriveTrain(problem.robot()).set_unstretched(posture, rates);
  return rest_state(problem, problem.begin(), posture);
}

// Where postures cannot be enumerated: the best of those that are found from places all over.
RestState best_of_many(const InverseProblem& problem, const PreferredPosture& preferred,
                       RestState first) {
  const Robot& robot = problem.robot();
  std::mt19937 random(1);  // the same start for the same job
  std::uniform_real_distribution<double> offset(-1, 1);
  RestState best = std::move(first);
  bool found = false;
  for (int i = 0; i < further_starts; ++i) {
    Vector q = problem.near();
    for (int k = 0; k < robot.tree_nq(); ++k)
      q[k] =
          preferred.q[k] +
          offset(random) * (robot.coordinates().is_angle[k] ? std::numbers::pi : robot_size(robot));
    RestState state = rest_in(problem, q);
    if (!is_in_order(problem, preferred, state)) continue;
    if (!found || preferred.distance(state.q) < preferred.distance(best.q)) best = std::move(state);
    found = true;
  }
  return best;
}

// The same pose with angles that are whole turns away from where they would best be turned back,
// where the robot rests there too.
RestState turned_back(const InverseProblem& problem, const PreferredPosture& preferred,
                      RestState state) {
  const Robot& robot = problem.robot();
  if (state.status != Status::solved) return state;
  Vector q = state.q;
  for (const int at : robot.coordinates().of_velocity)
    if (at >= 0 && at < robot.tree_nq() && robot.coordinates().is_angle[at] &&
        !problem.outputs().follows_coordinate(at) &&
        std::abs(q[at] - preferred.q[at]) > 1.001 * std::numbers::pi)
      q[at] = preferred.q[at] + std::remainder(q[at] - preferred.q[at], 2 * std::numbers::pi);
  if (q == state.q) return state;
  RestState turned = rest_in(problem, q);
  const bool same = turned.status == Status::solved &&
                    (turned.q - q).head(robot.tree_nq()).cwiseAbs().maxCoeff() < same_pose;
  return same ? turned : state;
}

std::string choice_text(const InverseProblem& problem, const Postures& all) {
  if (all.q.size() < 2) return "";
  const auto within = std::count_if(all.q.begin(), all.q.end(), [&](const Vector& q) {
    return range_excess(problem.robot(), q) == 0;
  });
  const std::vector<int> joints = chosen_joints(problem);
  const bool limited = std::any_of(joints.begin(), joints.end(), [&](int at) {
    return std::isfinite(problem.robot().coordinates().lowest[at]) &&
           std::isfinite(problem.robot().coordinates().highest[at]);
  });
  const char* best = !problem.task().near.empty() ? "start.near"
                     : limited                    ? "the middle of the joint ranges"
                                                  : "zero";
  if (within == 0)
    return fmt::format("none of {} postures lies within the joint ranges; taken is {}",
                       all.q.size(), range_text(problem.robot(), all.q.front()));
  if (within == static_cast<std::ptrdiff_t>(all.q.size()))
    return fmt::format("of {} postures the closest to {}", within, best);
  return fmt::format("of {} postures {} within the joint ranges, taken is the closest to {}",
                     all.q.size(), within == 1 ? "1 is" : fmt::format("{} are", within), best);
}

// Outputs that depend on each other at a singular pose: "'tool.x' and 'tool.z'".
std::string dependent_outputs(const InverseProblem& problem, const Vector& q) {
  const Matrix rows = independence_rows(problem, q);
  const Matrix U = svd(rows.transpose()).V;
  std::vector<std::string> names;
  for (size_t i = 0; i < problem.motion_outputs().size(); ++i)
    if (std::abs(U(static_cast<Eigen::Index>(i), U.cols() - 1)) > 1e-3)
      names.push_back(
          fmt::format("'{}'", problem.outputs().rows[problem.motion_outputs()[i]].name));
  return join(names, " and ");
}

std::string singular_sentence(const InverseProblem& problem, const RestState& state) {
  const Robot& robot = problem.robot();
  const std::string outputs = dependent_outputs(problem, state.q);
  const bool one = outputs.find(" and ") == outputs.npos;
  // a pose like no other
  Vector elsewhere = state.q;
  for (int i = 0; i < robot.tree_nq(); ++i) elsewhere[i] += 0.3 + 0.17 * (i % 5);
  if (robot.constraint_count() == 0 && !has_orientations(robot) &&
      output_independence(problem, elsewhere) < singular_ratio)
    return one ? fmt::format("no joint moves output {}; choose another", outputs)
               : fmt::format(
                     "outputs {} are linearly dependent wherever the robot is: each follows "
                     "from the others; choose others",
                     outputs);
  Vector q = state.q;
  for (int i = 0; i < robot.tree_nq(); ++i)
    if (robot.coordinates().is_angle[i] && std::abs(q[i]) > 2 * std::numbers::pi)
      q[i] = std::remainder(q[i], 2 * std::numbers::pi);
  return fmt::format(
      "singular start at {}: {} there (relative singular value {:.1g}); start elsewhere on the "
      "path "
      "or choose other outputs",
      pose_text(robot, q),
      one ? fmt::format("output {} cannot be moved", outputs)
          : fmt::format("outputs {} cannot be moved independently", outputs),
      state.independence);
}

// The best posture at rest; `first` is what start.near led to.
RestState chosen_start(const InverseProblem& problem, RestState first) {
  const PreferredPosture preferred(problem.robot(), problem.task().near);
  const bool in_order = is_in_order(problem, preferred, first);
  if (chosen_joints(problem).empty() || (in_order && is_where_named(problem, first))) return first;
  const Postures all = start_postures(problem);
  if (all.q.empty())
    return in_order || all.searched || problem.robot().nq() > largest_tried
               ? turned_back(problem, preferred, std::move(first))
               : best_of_many(problem, preferred, std::move(first));
  for (const Vector& posture : all.q) {
    RestState state =
        in_order && belongs_to(problem, first, posture) ? first : rest_in(problem, posture);
    if (state.status != Status::solved || !belongs_to(problem, state, posture)) continue;
    if (state.independence < singular_ratio && &posture != &all.q.back()) continue;
    state.choice = choice_text(problem, all);
    return state;
  }
  return first;
}

}  // namespace

Postures start_postures(const InverseProblem& problem) {
  const std::vector<int> joints = moving_joints(problem.robot());
  if (!problem.is_block_triangular() || problem.robot().constraint_count() > 0 ||
      problem.motion_output_count() != static_cast<int>(joints.size()))
    return {};
  Vector y(problem.output_count());
  path_values<double>(problem.path(), problem.begin(), y);
  Postures found = find_postures({problem.robot(), problem.outputs(), y, joints, problem.near(),
                                  PreferredPosture(problem.robot(), problem.task().near)});
  if (problem.task().near.empty()) prefer_within_ranges(problem, joints, found.q);
  return found;
}

RestState consistent_start(const InverseProblem& problem) {
  const Vector guess = assemble(problem.robot(), problem.begin(), problem.near());
  require_free_outputs(problem, guess);
  require_mass(problem, guess);
  RestState state = chosen_start(problem, rest_state(problem, problem.begin(), guess));
  if (state.status != Status::solved)
    throw ProblemError(fmt::format("{}: start: {}", problem.task().where, state.message));
  state.out_of_range = range_excess(problem.robot(), state.q) > 0;
  if (state.independence < singular_ratio)
    throw ProblemError(problem.task().where + ": " + singular_sentence(problem, state));
  return state;
}

}  // namespace tauflex
