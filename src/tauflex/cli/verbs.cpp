#include "tauflex/cli/verbs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "tauflex/base/failures.hpp"
#include "tauflex/base/fields.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/cli/embedded_examples.hpp"
#include "tauflex/cli/terminal.hpp"
#include "tauflex/equations/consistent_start.hpp"
#include "tauflex/jobs/job_schema.hpp"
#include "tauflex/jobs/moved_job.hpp"
#include "tauflex/report/braille_plot.hpp"
#include "tauflex/report/comparison_table.hpp"
#include "tauflex/report/fit_table.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/picture.hpp"
#include "tauflex/report/pose_report.hpp"
#include "tauflex/report/result_page.hpp"
#include "tauflex/report/solvability_text.hpp"
#include "tauflex/report/study_json.hpp"
#include "tauflex/report/summary.hpp"
#include "tauflex/results/analyze.hpp"
#include "tauflex/results/free_run.hpp"
#include "tauflex/results/record_json.hpp"
#include "tauflex/results/trajectory_tables.hpp"
#include "tauflex/results/write_files.hpp"
#include "tauflex/studies/study_schema.hpp"

namespace tauflex {

namespace {

// The files of a run; record.json lists them all. Their tables are made of the record when they are
// written.
ResultFiles result_files(const Arguments& arguments, const Record& record, ResultPage page,
                         const std::filesystem::path& folder, ResultFiles files = {}) {
  page.job_text = moved_job(Node::read_text(page.job_text, arguments.job), folder);
  if (const auto rate = arguments.sample_rate(); record.method && rate)  // takes time
    files["trajectory.csv"] = [table = trajectory_table(record, rate)] { return table; };
  else if (record.method)
    files["trajectory.csv"] = [&record] { return trajectory_table(record); };
  const std::string scene = scene_json(page);
  files["report.html"] = has_page_program() ? html_report({scene}) : plain_report(record);
  files["scene.json"] = scene;
  if (record.verification) files["simulated.csv"] = [&record] { return simulated_table(record); };
  if (arguments.picture) files["picture.svg"] = picture_svg(record);
  if (record.sent)
    files["torques.csv"] = [&record] { return sent_table(record.robot, *record.sent); };
  std::vector<std::string> names = {"record.json"};
  for (const auto& [name, content] : files) names.push_back(name);
  files["record.json"] = record_json(record, names);
  return files;
}

void write_result(const std::filesystem::path& folder, const ResultFiles& files) {
  begin_writing();
  write_files(folder, files);
}

// Before the work begins: whether its result can be written.
void require_folder(const Arguments& arguments, const std::filesystem::path& folder,
                    std::vector<std::string> names) {
  names.insert(names.end(), {"record.json", "report.html", "scene.json", "simulated.csv"});
  if (arguments.picture) names.emplace_back("picture.svg");
  require_free_names(folder, names, arguments.inputs());
}

// What the readers of the robot and of the path left out or changed.
void say_notes(const Job& job) {
  for (const auto* notes : {&job.robot.notes, &job.task.notes})
    for (const std::string& note : *notes) fmt::print(stderr, "note: {}\n", note);
}

// On a terminal the verdict has a colour, and small curves follow.
std::string summary(const Arguments& arguments, const Record& record) {
  const std::string text = text_summary(record, arguments.verbose ? Detail::all : Detail::first);
  if (!is_terminal(Stream::out)) return text;
  const size_t end = text.find('\n');
  const Tone tone = record.exit_code() != ExitCode::success ? Tone::bad
                    : limit_state(record.limits) == LimitState::exceeded || !record.verification
                        ? Tone::doubtful
                        : Tone::good;
  return coloured(text.substr(0, end), tone) + text.substr(end) + braille_plots(record);
}

void say_failure(const Failure* failure) {
  if (failure)
    fmt::print(stderr, "{}: {}; the page failures.md says what to do\n", failure->code(),
               failure->title);
}

void say(const Arguments& arguments, const Record& record, const std::string& json,
         const std::filesystem::path& folder) {
  if (arguments.json)
    std::cout << json;
  else
    std::cout << summary(arguments, record);
  for (const std::string& warning : record.warnings) fmt::print(stderr, "warning: {}\n", warning);
  say_failure(failure_of(record));
  say_notes(record.job);
  if (!folder.empty()) fmt::print(stderr, "written to {}\n", folder.string());
}

std::string robot_line(const Robot& robot) {
  std::string line =
      fmt::format("{}, {} ({} elastic), {}", counted(robot.tree().link_names.size(), "link"),
                  counted(robot.actuation().drives.size(), "drive"), robot.rotors(),
                  counted(robot.nq(), "coordinate"));
  if (robot.constraint_count() > 0)
    line += ", " + counted(robot.constraint_count(), "constraint row");
  if (!robot.redundant_constraints().empty())
    line += fmt::format(" ({} more are linearly dependent on these and left out: {})",
                        robot.redundant_constraints().size(), join(robot.redundant_constraints()));
  return line;
}

std::string pose_line(const Robot& robot, const Vector& q) {
  std::string line;
  for (int i = 0; i < robot.nq(); ++i)  // what is left of rounding is 0
    line += fmt::format("{}{} {:.6g}", i ? ", " : "", robot.coordinates().names[i],
                        std::abs(q[i]) < 1e-12 ? 0 : q[i]);
  return line;
}

// A job without a task: whether the plant can be put together.
ExitCode check_simulation(const Arguments& arguments, const Job& job) {
  const PosedPlant posed = pose_plant(job);
  if (arguments.json) {
    std::cout << plant_json(job, posed);
    return ExitCode::success;
  }
  fmt::print("{}: ready to simulate\n", job.name);
  fmt::print("  robot     {}\n", robot_line(posed.plant));
  fmt::print("  start     {}\n", pose_line(posed.plant, posed.q));
  say_notes(job);
  return ExitCode::success;
}

}  // namespace

ResultFiles run_files(const Arguments& arguments, const Record& record,
                      const std::filesystem::path& folder, ResultFiles more) {
  return result_files(arguments, record, result_page(record), folder, std::move(more));
}

std::vector<std::string> Arguments::overrides() const {
  std::vector<std::string> all = set;
  if (strict) all.emplace_back("verification.limits=obey");
  return all;
}

std::vector<std::string> Arguments::inputs() const {
  return table.empty() ? std::vector{job} : std::vector{job, table};
}

namespace {

// The frame whose place a task asks for first.
const Frame& task_tool(const Robot& robot, const Outputs& outputs) {
  for (const OutputGroup& group : outputs.groups)
    if (const auto frame = group.frame()) return robot.frames()[*frame];
  return meant_frame(robot, "");
}

// Every posture of the start, springs unstretched.
ExitCode check_poses(const Arguments& arguments, const Job& job) {
  const Posed posed = plan(job);
  const Robot& robot = posed.problem.robot();
  const Postures postures = start_postures(posed.problem);
  const PostureReport report{robot, task_tool(robot, posed.problem.outputs()), postures,
                             moving_joints(robot)};
  if (arguments.json) {
    std::cout << postures_json(report);
    return ExitCode::success;
  }
  if (!postures.searched) {
    fmt::print(
        "{}: postures are listed for robots without constraints, with a drive for every "
        "output and at most 7 joints that no output names\n",
        job.name);
    return ExitCode::success;
  }
  fmt::print("{}: {} at the start, springs unstretched; the first is taken\n", job.name,
             counted(postures.q.size(), "posture"));
  std::cout << postures_text(report);
  return ExitCode::success;
}

}  // namespace

ExitCode check_verb(const Arguments& arguments) {
  const Job job = arguments.read();
  if (!job.has_task()) return check_simulation(arguments, job);
  if (arguments.poses) return check_poses(arguments, job);
  const Posed posed = plan(job);
  posed.require_solvable();
  const Diagnosis& diagnosis = posed.diagnosis;
  if (arguments.json) {
    std::cout << diagnosis_json(job, diagnosis);
    say_notes(job);
    return ExitCode::success;
  }
  fmt::print("{}: ready\n", job.name);
  fmt::print("  robot     {}\n", robot_line(posed.problem.robot()));
  fmt::print("  task      {} along a path of {:.6g} s\n",
             job.task.outputs.empty() ? "constraints" : join(job.task.outputs),
             posed.problem.path().duration());
  fmt::print("  problem   index {}, the torque depends on the path's {} derivative; {}\n",
             diagnosis.differential_index, ordinal(diagnosis.required_smoothness),
             diagnosis.flat            ? "no internal dynamics"
             : diagnosis.minimum_phase ? "minimum phase"
                                       : "not minimum phase");
  if (!posed.notes.empty()) fmt::print("  posture   {}\n", join(posed.notes, "; "));
  fmt::print("  start     {}\n", pose_line(posed.problem.robot(), posed.start.q));
  if (!posed.start.choice.empty())
    fmt::print("  choice    {}; tauflex check --poses lists them\n", posed.start.choice);
  say_notes(job);
  return ExitCode::success;
}

ExitCode analyze_verb(const Arguments& arguments) {
  const Job job = arguments.read();
  if (!job.has_task()) throw UsageError("analyze needs a task; this job only simulates");
  const Solvability result = analyze(job);
  std::cout << (arguments.json ? solvability_json(job, result)
                               : solvability_text(job.name, result));
  say_failure(find_failure(exit_code(result.status), result.verdict));
  say_notes(job);
  return exit_code(result.status);
}

ExitCode compare_verb(const Arguments& arguments) {
  const Job job = arguments.read();
  if (!job.has_task()) throw UsageError("compare needs a task; this job only simulates");
  ComparisonOptions options = arguments.comparison;
  options.linearised = arguments.dynamics == "both";
  const bool writes = !arguments.out.empty();
  if (writes) require_folder(arguments, arguments.out, {"trajectory.csv"});
  const std::vector<ComparedMethod> rows = compare(job, options, terminal_progress());
  std::cout << (arguments.json ? comparison_json(rows) : comparison_text(job.name, rows));
  for (const std::string& warning : plan(job).notes) fmt::print(stderr, "warning: {}\n", warning);
  say_notes(job);
  if (!rows.empty() && rows.back().status == Status::interrupted) return ExitCode::interrupted;
  if (!writes) return ExitCode::success;
  const Record record = run(job, Until::verified, terminal_progress());
  if (record.exit_code() == ExitCode::interrupted) return ExitCode::interrupted;
  ResultPage page = result_page(record);
  add_comparison(rows, page);
  write_result(arguments.out, result_files(arguments, record, page, arguments.out));
  fmt::print(stderr, "written to {}\n", arguments.out);
  return ExitCode::success;
}

namespace {

ExitCode run_until(const Arguments& arguments, const Job& job, Until until) {
  const auto folder = arguments.folder(job.name);
  require_folder(arguments, folder, {"trajectory.csv"});
  if (const auto rate = arguments.sample_rate()) require_rate(job, *rate);
  Record record = run(job, until, terminal_progress());
  if (const auto rate = arguments.sample_rate()) warn_of_coarse_table(*rate, record);
  if (record.exit_code() == ExitCode::interrupted) {  // an earlier result stays
    say(arguments, record, record_json(record), {});
    return ExitCode::interrupted;
  }
  const ResultFiles files = result_files(arguments, record, result_page(record), folder);
  write_result(folder, files);
  if (!record.has_motion()) {  // the report shows why
    fmt::print(stderr, "written to {}\n", folder.string());
    throw ProblemError(record.solution.message);
  }
  say(arguments, record, files.at("record.json").text(), folder);
  return record.exit_code();
}

}  // namespace

ExitCode fit_verb(const Arguments& arguments) {
  const Node node = read_job_node(arguments.job, arguments.overrides());
  const std::string name = job_name(arguments.job);
  const auto folder = arguments.folder(name + "_fit");
  require_folder(arguments, folder, {"trajectory.csv", "job.yaml", "fit.json"});
  const Fit result = fit(node, name, arguments.fit, terminal_progress());
  const Record& record = result.record;
  const std::string json = fit_json(name, result);
  if (!arguments.json) std::cout << fit_text(name, result);
  if (result.status == Status::interrupted || record.exit_code() == ExitCode::interrupted) {
    if (arguments.json) std::cout << json;
    return ExitCode::interrupted;
  }
  ResultPage page = result_page(record);
  add_trials(result, page);
  write_result(folder, result_files(arguments, record, page, folder,
                                    {{"job.yaml", moved_job(result.job.copy(), folder)},
                                     {"fit.json", json}}));
  say(arguments, record, json, folder);
  return record.exit_code();
}

ExitCode invert_verb(const Arguments& arguments) {
  return run_until(arguments, arguments.read(), Until::solved);
}

ExitCode verify_verb(const Arguments& arguments) {
  const Job job = arguments.read();
  if (!arguments.out.empty()) require_folder(arguments, arguments.out, {});
  const Posed posed = plan(job);
  const TorqueTable table = read_trajectory(arguments.table, posed.problem);
  const Record record = verify_table(job, posed, table, terminal_progress());
  const ResultFiles files = result_files(arguments, record, result_page(record), arguments.out);
  if (!arguments.out.empty() && record.exit_code() != ExitCode::interrupted)
    write_result(arguments.out, files);
  say(arguments, record, files.at("record.json").text(), arguments.out);
  return record.exit_code();
}

namespace {

ExitCode simulate(const Arguments& arguments, const Job& job) {
  FreeRunOptions options{.torques = arguments.table};
  if (arguments.duration > 0) options.duration = arguments.duration;
  if (arguments.rate > 0) options.rate = arguments.rate;
  const auto folder = arguments.folder(job.name + "_simulation");
  std::vector<std::string> names = {"simulation.json", "trajectory.csv", "scene.json"};
  if (has_page_program()) names.emplace_back("report.html");
  require_free_names(folder, names, arguments.inputs());
  const FreeRun result = simulate_job(job, options, terminal_progress());
  if (result.simulation.status == Status::interrupted) {  // an earlier result stays
    fmt::print(stderr, "{}\n", result.simulation.message);
    return ExitCode::interrupted;
  }
  const std::string json = free_run_json(job, result, names);
  const std::string scene = scene_json(result_page(job, result));
  ResultFiles files = {{"simulation.json", json},
                       {"trajectory.csv", [&] { return free_run_table(job, result); }},
                       {"scene.json", scene}};
  if (has_page_program()) files["report.html"] = html_report({scene});
  write_result(folder, files);
  if (arguments.json)
    std::cout << json;
  else
    fmt::print("{}: {}, {} integrator steps, energy balance {:.1e}{}\n", job.name,
               name(result.simulation.status), result.simulation.steps, result.energy_balance_error,
               result.plant.constraint_count() > 0
                   ? fmt::format(", constraints within {:.1e}", result.max_constraint_violation)
                   : "");
  say_notes(job);
  fmt::print(stderr, "written to {}\n", folder.string());
  if (result.simulation.status != Status::solved)
    fmt::print(stderr, "{}\n",
               with_code(exit_code(result.simulation.status), result.simulation.message));
  return exit_code(result.simulation.status);
}

}  // namespace

ExitCode simulate_verb(const Arguments& arguments) { return simulate(arguments, arguments.read()); }

ExitCode run_verb(const Arguments& arguments) {
  const Job job = arguments.read();
  return job.has_task() ? run_until(arguments, job, Until::verified) : simulate(arguments, job);
}

ExitCode examples_verb(const Arguments& arguments) {
  if (arguments.job.empty()) {
    for (const auto& [name, text] : embedded_examples()) {
      const std::string first = text.substr(0, text.find('\n'));
      fmt::print("{:<26}{}\n", name,
                 first.starts_with("# ")   ? first.substr(2)
                 : name.ends_with(".urdf") ? "a robot that an example uses"
                                           : first);
    }
    return ExitCode::success;
  }
  const auto found = embedded_examples().find(arguments.job);
  if (found == embedded_examples().end()) {
    std::vector<std::string> names;
    for (const auto& [name, text] : embedded_examples()) names.push_back(name);
    throw UsageError(fmt::format("there is no example '{}'{}", arguments.job,
                                 did_you_mean(arguments.job, names)));
  }
  std::cout << found->second;
  return ExitCode::success;
}

ExitCode schema_verb(const Arguments& arguments) {
  const std::vector<std::string> kinds = {"job", "study"};
  if (!arguments.job.empty() && index_of(arguments.job, kinds) < 0)
    throw UsageError(
        fmt::format("there is no schema of '{}'; expected {}", arguments.job, either(kinds)));
  std::cout << (arguments.job == "study" ? study_schema() : job_schema(embedded_schema()));
  return ExitCode::success;
}

}  // namespace tauflex
