#include "tauflex/report/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/mechanics/drive_train.hpp"
#include "tauflex/problem/find_outputs.hpp"
#include "tauflex/report/course.hpp"
#include "tauflex/report/verdict.hpp"

namespace tauflex {

namespace {

constexpr Eigen::Index most_plot_times = 1500;
constexpr size_t most_plot_values = 60'000;  // of one plot
constexpr size_t most_lines = 24;            // drawn at first; the others wait in the legend

// Times at which all lines of a plot look as they do at all times: first, last and extremes of
// every line in each of as many intervals as there is room for.
std::vector<Eigen::Index> drawn_times(const Plot& plot) {
  const Eigen::Index n = plot.t.size();
  std::vector<Eigen::Index> kept;
  const auto room = std::min<Eigen::Index>(
      most_plot_times,
      static_cast<Eigen::Index>(most_plot_values / std::max<size_t>(plot.lines.size(), 1)));
  const bool all = n <= room;
  const Eigen::Index parts =
      std::max<Eigen::Index>(1, room / (2 * static_cast<Eigen::Index>(plot.lines.size()) + 2));
  if (!all && parts < 8) {  // too many lines for their extremes
    const Eigen::Index count = std::max<Eigen::Index>(room, 20);
    for (Eigen::Index i = 0; i < count; ++i) kept.push_back(i * (n - 1) / (count - 1));
    return kept;
  }
  for (Eigen::Index part = 0; part < (all ? n : parts); ++part) {
    const Eigen::Index begin = all ? part : part * n / parts,
                       end = all ? part + 1 : (part + 1) * n / parts;
    kept.push_back(begin);
    kept.push_back(end - 1);
    for (const PlotLine& line : plot.lines) {
      Eigen::Index low = 0, high = 0;
      line.y.segment(begin, end - begin).minCoeff(&low);
      line.y.segment(begin, end - begin).maxCoeff(&high);
      kept.push_back(begin + low);
      kept.push_back(begin + high);
    }
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

void thin(Plot& plot) {
  const std::vector<Eigen::Index> kept = drawn_times(plot);
  for (PlotLine& line : plot.lines) line.y = Vector(line.y(kept));
  plot.t = Vector(plot.t(kept));
}

// Lines that move least wait in the legend where there are too many.
void hide_still_lines(Plot& plot) {
  if (plot.lines.size() <= most_lines) return;
  std::vector<double> travel;
  for (const PlotLine& line : plot.lines) travel.push_back(line.y.maxCoeff() - line.y.minCoeff());
  std::vector<double> sorted = travel;
  std::nth_element(sorted.begin(), sorted.begin() + most_lines, sorted.end(), std::greater<>());
  for (size_t i = 0; i < plot.lines.size(); ++i)
    plot.lines[i].hidden = plot.lines[i].hidden || travel[i] <= sorted[most_lines];
}

class Plots {
 public:
  void add(Plot plot) {
    if (plot.lines.empty() || plot.t.size() < 2) return;
    hide_still_lines(plot);
    thin(plot);
    all_.push_back(std::move(plot));
  }
  std::vector<Plot> take() { return std::move(all_); }

 private:
  std::vector<Plot> all_;
};

// The column of t that is closest to each time.
Vector values_at(const Vector& times, const Vector& t, const VectorRef& y) {
  Vector values(times.size());
  Eigen::Index i = 0;
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    while (i + 1 < t.size() && std::abs(t[i + 1] - times[k]) <= std::abs(t[i] - times[k])) ++i;
    values[k] = y[i];
  }
  return values;
}

void add_torques(const Robot& robot, const Vector& t, const Matrix& u, const SentTorques* rigid,
                 const std::string& title, Plots& all) {
  for (const bool turns : {true, false}) {
    Plot plot{.title = title, .unit = turns ? "N m" : "N", .t = t};
    for (int d = 0; d < robot.actuation().count() && d < u.rows(); ++d) {
      const DriveLayout& drive = robot.actuation().drives[d];
      if (drive.motor_turns != turns) continue;
      const auto colour = static_cast<int>(plot.lines.size());
      plot.lines.push_back({robot.actuation().names[d], u.row(d), colour});
      if (std::isfinite(drive.limits.torque))
        for (const double sign : {1.0, -1.0})
          plot.levels.push_back({sign > 0 ? "limit of " + robot.actuation().names[d] : "",
                                 sign * drive.limits.torque, colour});
    }
    const auto own = plot.lines.size();
    for (int d = 0, colour = 0; rigid && d < rigid->u.rows(); ++d)
      if (robot.actuation().drives[d].motor_turns == turns)
        plot.lines.push_back({robot.actuation().names[d] + ", rigid robot",
                              values_at(t, rigid->t, rigid->u.row(d).transpose()), colour++, true,
                              own > 3});
    all.add(std::move(plot));
  }
}

// Joints, and beside each its rotor divided by the gear ratio: the gap is the stretch of the
// spring.
void add_motion(const Robot& robot, const Vector& t, const Matrix& q, const std::string& title,
                Plots& all) {
  const auto& drives = robot.actuation().drives;
  for (const bool angle : {true, false}) {
    Plot plot{.title = title, .unit = angle ? "rad" : "m", .t = t};
    int colour = 0;
    for (int j = 0; j < std::min<int>(robot.tree_nq(), static_cast<int>(q.rows())); ++j) {
      if (robot.coordinates().is_angle[j] != angle) continue;
      plot.lines.push_back({robot.coordinates().names[j], q.row(j), colour});
      for (const DriveLayout& d : drives)
        if (d.joint_q == j && d.rotor_q >= 0)
          plot.lines.push_back({robot.coordinates().names[d.rotor_q] +
                                    (d.gear_ratio == 1 ? "" : fmt::format(" / {:g}", d.gear_ratio)),
                                q.row(d.rotor_q) / d.gear_ratio, colour, true});
      ++colour;
    }
    all.add(std::move(plot));
  }
}

// Stretches of drive springs, at the joints, and of passive springs.
void add_deflections(const Robot& robot, const Vector& t, const Matrix& q, Plots& all) {
  const DriveTrain train(robot);
  Matrix stretches(train.size(), q.cols());
  Vector stretch(train.size());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    train.stretch(q.col(i), stretch);
    stretches.col(i) = stretch;
  }
  for (const bool angle : {true, false}) {
    Plot plot{.title = "Deflections of springs", .unit = angle ? "mrad" : "mm", .t = t};
    const auto add_line = [&](const std::string& name, const Vector& y) {
      plot.lines.push_back({name, 1e3 * y, static_cast<int>(plot.lines.size())});
    };
    for (int r = 0; r < train.size(); ++r)
      if (const DriveLayout& d = robot.actuation().elastic_drive(r);
          robot.coordinates().is_angle[d.joint_q] == angle)
        add_line("drive of " + robot.coordinates().names[d.joint_q], stretches.row(r));
    for (const SpringEntry& entry : robot.springs().joint) {
      const int k = entry.row == entry.column ? robot.coordinates().of_velocity[entry.row] : -1;
      if (k < 0 || !(entry.stiffness > 0) || robot.coordinates().is_angle[k] != angle) continue;
      add_line(robot.coordinates().names[k], q.row(k).array() - robot.springs().rest[entry.row]);
    }
    all.add(std::move(plot));
  }
}

void add_forces(const Robot& robot, const Vector& t, const Matrix& lambda, Plots& all) {
  for (const bool moment : {false, true}) {
    Plot plot{.title = moment ? "Moments of constraints" : "Forces of constraints",
              .unit = moment ? "N m" : "N",
              .t = t};
    for (int i = 0; i < std::min<int>(robot.constraint_count(), static_cast<int>(lambda.rows()));
         ++i)
      if (robot.constraints()[i].is_angle == moment)
        plot.lines.push_back(
            {robot.constraints()[i].name, lambda.row(i), static_cast<int>(plot.lines.size())});
    all.add(std::move(plot));
  }
}

void add_errors(const Record& record, Plots& all) {
  if (!record.verification) return;
  const Verification& proof = *record.verification;
  if (!proof.max_tool_error_m && !proof.max_orientation_error_rad) return;
  const bool length = proof.max_tool_error_m.has_value();
  Plot plot{.title = "Tool error", .unit = length ? "m" : "rad", .logarithmic = true, .t = proof.t};
  plot.lines.push_back({"these torques", proof.tool_error, 0});
  if (record.rigid && record.rigid->run)
    plot.lines.push_back({"torques of the rigid robot",
                          values_at(proof.t, record.rigid->run->t, record.rigid->run->tool_error),
                          1});
  plot.levels.push_back(
      {"tolerance", (length ? proof.tolerance.length : proof.tolerance.angle).value_or(0)});
  all.add(std::move(plot));
}

void add_outputs(const Outputs& outputs, const Vector& t, const Matrix& y, const Matrix* path,
                 Plots& all) {
  for (const Quantity quantity : {Quantity::length, Quantity::angle, Quantity::force}) {
    Plot plot{.title = "Outputs", .unit = unit_of(quantity), .t = t};
    int colour = 0;
    for (Eigen::Index i = 0; i < std::min<Eigen::Index>(outputs.count(), y.rows()); ++i) {
      if (outputs.rows[i].quantity != quantity) continue;
      plot.lines.push_back({outputs.rows[i].name, y.row(i), colour});
      if (path)
        plot.lines.push_back({outputs.rows[i].name + " wanted", path->row(i), colour, true});
      ++colour;
    }
    all.add(std::move(plot));
  }
}

// How near singular poses are, and what each step cost.
void add_method(const Record& record, Plots& all) {
  const Solution& s = record.solution;
  if (record.regularity && record.regularity->along.cols() > 1) {
    const Matrix& along = record.regularity->along;
    Plot plot{.title = "Distance from singular poses, 0 is singular",
              .t = s.t.head(std::min(along.cols(), s.t.size()))};
    const char* names[] = {"outputs and constraints", "loops", "joints without a drive"};
    for (int k = 0; k < 3; ++k)
      if (along.row(k).minCoeff() < 1)
        plot.lines.push_back(
            {names[k], along.row(k).head(plot.t.size()), static_cast<int>(plot.lines.size())});
    all.add(std::move(plot));
  }
  if (s.iterations.size() > 1 && s.iterations.size() == s.t.size())
    all.add({.title = "Newton iterations of each step",
             .t = s.t.tail(s.t.size() - 1),
             .lines = {{s.method, s.iterations.tail(s.t.size() - 1)}}});
  if (s.conditions.cols() > 1)
    all.add({.title = "Condition of Newton's matrix",
             .logarithmic = true,
             .t = s.conditions.row(0),
             .lines = {{s.method, s.conditions.row(1)}}});
}

}  // namespace

std::vector<Plot> plots(const Record& record) {
  Plots all;
  if (!record.has_motion()) return {};
  const auto& proof = record.verification;
  const SentTorques* commanded = proof && proof->commanded ? &*proof->commanded : nullptr;
  const SentTorques* rigid = record.rigid && record.rigid->run ? &record.rigid->run->sent : nullptr;
  add_torques(record.robot, commanded ? commanded->t : record.solution.t,
              commanded ? commanded->u : record.solution.u, rigid,
              commanded ? "Motor torques with the feedback" : "Motor torques", all);
  add_errors(record, all);
  const Course run = course(record);
  add_deflections(record.robot, run.t, run.q, all);
  add_motion(record.robot, run.t, run.q, run.simulated ? "Motion, simulated" : "Motion, computed",
             all);
  const Matrix path = wanted(record, run.t);
  add_outputs(find_outputs(record.robot, record.job.task), run.t, run.y, &path, all);
  add_forces(record.robot, run.t, proof ? proof->lambda : record.solution.lambda, all);
  add_method(record, all);
  return all.take();
}

std::vector<Plot> plots(const FreeRun& run) {
  Plots all;
  const Simulation& s = run.simulation;
  add_motion(run.plant, s.t, s.q, "Motion, simulated", all);
  add_torques(run.plant, s.t, s.u, nullptr, "Motor torques", all);
  add_deflections(run.plant, s.t, s.q, all);
  add_outputs(run.outputs, s.t, run.y, nullptr, all);
  add_forces(run.plant, s.t, s.lambda, all);
  return all.take();
}

}  // namespace tauflex
