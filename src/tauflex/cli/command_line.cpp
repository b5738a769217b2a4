#include "tauflex/cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "tauflex/base/failures.hpp"
#include "tauflex/base/fields.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/base/version.hpp"
#include "tauflex/cli/terminal.hpp"
#include "tauflex/cli/verbs.hpp"
#include "tauflex/report/study_json.hpp"

namespace tauflex {

namespace {

struct Subcommand {
  CLI::App* app;
  std::shared_ptr<Arguments> arguments;
};

Subcommand add(CLI::App& app, ExitCode& code, const char* name, const char* what, Verb verb) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* sub = app.add_subcommand(name, what);
  sub->callback([&code, verb, arguments] {
    catch_interrupts();
    code = verb(*arguments);
  });
  return {sub, arguments};
}

Subcommand add_job_verb(CLI::App& app, ExitCode& code, const char* name, const char* what,
                        Verb verb) {
  Subcommand sub = add(app, code, name, what, verb);
  sub.app->add_option("job", sub.arguments->job, "job file (YAML); - reads standard input")
      ->required();
  sub.app->add_option("--set", sub.arguments->set, "override any key, as in task.path.duration=0.5")
      ->take_all()
      ->allow_extra_args(false);
  sub.app->add_flag("--json", sub.arguments->json, "print JSON instead of text");
  return sub;
}

void takes_folder(const Subcommand& sub, const char* folder) {
  sub.app->add_option("-o,--out", sub.arguments->out,
                      std::string("folder for the results (default: ") + folder + ")");
}

void takes_strict(const Subcommand& sub) {
  sub.app->add_flag("--strict", sub.arguments->strict,
                    "end with 6 where a limit of a drive or joint is exceeded");
}

void takes_verbose(const Subcommand& sub) {
  sub.app->add_flag("-v,--verbose", sub.arguments->verbose,
                    "say how it was found too: growth of errors, method, pose, index");
}

// Greater than 0.
std::string refuse_not_positive(const std::string& given) {
  const auto value = parse_number(given);
  return value && *value > 0 ? "" : "must be a number greater than 0, got " + given;
}

void takes_rate(const Subcommand& sub, const char* otherwise) {
  sub.app
      ->add_option("--rate", sub.arguments->rate,
                   std::string("samples per second in trajectory.csv (default: ") + otherwise + ")")
      ->check(refuse_not_positive);
}

// A number on the command line.
template <class Number>
CLI::Option* add_number(CLI::App* sub, const Field& field, Number& member) {
  std::string text = field.description();
  if constexpr (std::is_arithmetic_v<Number>) text += fmt::format(" (default: {})", member);
  return sub->add_option("--" + field.key, member, text)
      ->check([range = field.range](const std::string& given) {
        const auto value = parse_number(given);
        return value && range.contains(*value) ? "" : range.rule() + ", got " + given;
      });
}

// Options of the command line for those fields that are numbers.
void add_numbers(CLI::App* sub, const std::vector<Field>& fields) {
  for (const Field& field : fields) {
    if (const auto* number = std::get_if<double*>(&field.member)) add_number(sub, field, **number);
    if (const auto* number = std::get_if<std::optional<double>*>(&field.member))
      add_number(sub, field, **number);
    if (const auto* number = std::get_if<int*>(&field.member)) add_number(sub, field, **number);
    if (const auto* list = std::get_if<std::vector<int>*>(&field.member))
      add_number(sub, field, **list)->delimiter(',');
  }
}

void add_compare(CLI::App& app, ExitCode& code) {
  const Subcommand sub = add_job_verb(
      app, code, "compare", "all methods side by side: errors, cost, why some fail", compare_verb);
  add_numbers(sub.app, sub.arguments->comparison.fields());
  sub.app
      ->add_option("--dynamics", sub.arguments->dynamics,
                   "both: as the job has it and linearised at the start (default); job: as it is")
      ->check(CLI::IsMember({"both", "job"}));
  sub.app->add_option("-o,--out", sub.arguments->out,
                      "run the job too and write its result here, with the methods in its report "
                      "(default: nothing is written)");
}

void add_report(CLI::App& app, ExitCode& code) {
  const Subcommand sub =
      add(app, code, "report", "several results in one page, beside each other", report_verb);
  sub.app->add_option("results", sub.arguments->results, "folders that hold a result each")
      ->required();
  sub.app->add_option("-o,--out", sub.arguments->out,
                      "the page (default: compared.html in the folder of the first)");
}

// One of the names of a choice.
void add_choice(CLI::App* sub, const Field& field, const Choice& choice) {
  std::vector<std::string> names;
  for (const auto& [name, value] : choice.names) names.push_back(name);
  sub->add_option_function<std::string>(
         "--" + field.key,
         [choice, names](const std::string& given) {
           choice.set(choice.names[index_of(given, names)].second);
         },
         fmt::format("{}: {}", field.description(), join(names)))
      ->check([names](const std::string& given) {
        return index_of(given, names) >= 0 ? ""
                                           : fmt::format("must be {}, got {}{}", either(names),
                                                         given, did_you_mean(given, names));
      });
}

void add_export(CLI::App& app, ExitCode& code) {
  const Subcommand sub =
      add(app, code, "export",
          "a result for controllers and other programs: NumPy, MATLAB, CSV, ROS, C, MuJoCo, FMU",
          export_verb);
  sub.app->add_option("result", sub.arguments->results, "folder that holds a result")
      ->required()
      ->expected(1);
  for (const Field& field : sub.arguments->exported.fields())
    if (const auto* choice = std::get_if<Choice>(&field.member))
      add_choice(sub.app, field, *choice);
  sub.app->get_option("--to")->required();
  add_numbers(sub.app, sub.arguments->exported.fields());
  sub.app->add_option("-o,--out", sub.arguments->out,
                      "folder for the files (default: export in the folder of the result)");
}

void add_solving_verb(CLI::App& app, ExitCode& code, const char* name, const char* what,
                      Verb verb) {
  const Subcommand sub = add_job_verb(app, code, name, what, verb);
  takes_folder(sub, "out/<job>");
  sub.app->add_flag("--picture", sub.arguments->picture,
                    "write picture.svg too: path, torques and tool error");
  takes_strict(sub);
  takes_verbose(sub);
  takes_rate(sub, "the solver's steps");
}

void add_fit(CLI::App& app, ExitCode& code) {
  const Subcommand sub = add_job_verb(
      app, code, "fit", "the shortest duration of the path within the limits of drives and joints",
      fit_verb);
  takes_folder(sub, "out/<job>_fit");
  add_numbers(sub.app, sub.arguments->fit.fields());
  takes_verbose(sub);
  takes_rate(sub, "the solver's steps");
}

void add_sweep(CLI::App& app, ExitCode& code) {
  const Subcommand sub = add_job_verb(
      app, code, "sweep",
      "many runs of one job with other values: tolerances, worst cases, what matters", sweep_verb);
  sub.app->get_option("job")->description("study file (YAML)");
  takes_folder(sub, "out/<study>");
  sub.app->add_option("-j,--jobs", sub.arguments->jobs, "threads (default: as many as cores)")
      ->check(refuse_not_positive);
  sub.app->add_flag("--resume", sub.arguments->resume,
                    "go on with an unfinished study in the folder");
}

void add_design(CLI::App& app, ExitCode& code) {
  const Subcommand sub = add_job_verb(
      app, code, "design",
      "the smallest or largest value of a key that keeps a condition: stiffness, payload, duration",
      design_verb);
  sub.app->get_option("job")->description("study file (YAML) with the key design");
  takes_folder(sub, "out/<study>_design");
  sub.app->add_option("-j,--jobs", sub.arguments->jobs, "threads (default: as many as cores)")
      ->check(refuse_not_positive);
}

void add_verify(CLI::App& app, ExitCode& code) {
  const Subcommand sub = add_job_verb(
      app, code, "verify", "prove the torques of a table by forward simulation", verify_verb);
  sub.app->add_option("table", sub.arguments->table, "CSV with columns t and u.<link>")->required();
  sub.app->add_option("-o,--out", sub.arguments->out,
                      "folder for the results (default: none is written)");
  takes_strict(sub);
  takes_verbose(sub);
}

void add_simulate(CLI::App& app, ExitCode& code) {
  const Subcommand sub =
      add_job_verb(app, code, "simulate",
                   "let the robot move under given torques or its controller", simulate_verb);
  sub.app->add_option("--torques", sub.arguments->table,
                      "CSV with columns t and u.<link> (default: holding torques of the start)");
  sub.app
      ->add_option("--duration", sub.arguments->duration, "s (default: the path's, or the table's)")
      ->check(refuse_not_positive);
  takes_rate(sub, "the job's, or 1000");
  takes_folder(sub, "out/<job>");
}

void add_pose(CLI::App& app, ExitCode& code) {
  const Subcommand sub =
      add_job_verb(app, code, "pose",
                   "where the tool is, how joints move it, what they carry; and how it gets "
                   "somewhere (--reach)",
                   pose_verb);
  sub.app->get_option("job")->description("URDF, robot or job file");
  sub.app->add_option("--at", sub.arguments->at,
                      "joint positions, as in axis1=0.3,axis2='30 deg' (default: the start of the "
                      "task, else 0)");
  sub.app->add_option("--frame", sub.arguments->frame,
                      "frame or link (default: tool, else the last one)");
  sub.app->add_option("--reach", sub.arguments->reach,
                      "print every posture with the frame at \"x y z\" or \"x y z rx ry rz\"; "
                      "those closest to --at come first");
}

void add_modes(CLI::App& app, ExitCode& code) {
  const Subcommand sub = add_job_verb(
      app, code, "modes",
      "natural frequencies and dampings at a pose, and in words which parts swing", modes_verb);
  sub.app->get_option("job")->description("URDF, robot or job file");
  sub.app->add_option("--at", sub.arguments->at,
                      "joint positions, as in axis1=0.3,axis2='30 deg' (default: the start of the "
                      "task, else 0); what no drive holds goes where it rests");
  sub.app->add_flag("--free", sub.arguments->free,
                    "motors turn freely under constant torque (default: locked by brakes)");
  sub.app->add_option("-o,--out", sub.arguments->out,
                      "folder for modes.json and a report in which they swing (default: nothing is "
                      "written)");
}

// Each verb runs while the command line is parsed and leaves its exit code in `code`.
void add_verbs(CLI::App& app, ExitCode& code) {
  const Subcommand check = add_job_verb(
      app, code, "check", "read a job, find its start, tell whether it can be solved", check_verb);
  check.app->add_flag("--poses", check.arguments->poses,
                      "list every posture of the start: elbow up or down, wrist flipped");
  add_job_verb(app, code, "analyze",
               "whether and how it can be solved, and why not: index, ranks, structure",
               analyze_verb);
  add_compare(app, code);
  add_solving_verb(app, code, "invert", "compute the torques, without the proof", invert_verb);
  add_solving_verb(
      app, code, "run",
      "compute the torques and prove them; writes record.json, trajectory.csv, scene.json, "
      "report.html",
      run_verb);
  add_fit(app, code);
  add_sweep(app, code);
  add_design(app, code);
  add_verify(app, code);
  add_simulate(app, code);
  add_report(app, code);
  add_export(app, code);
  add_pose(app, code);
  add_modes(app, code);
  const Subcommand examples =
      add(app, code, "examples", "list the built-in examples, or print one", examples_verb);
  examples.app->add_option("name", examples.arguments->job, "example to print");
  const Subcommand schema =
      add(app, code, "schema",
          "print the JSON Schema of job files or of study files, with which editors check them",
          schema_verb);
  schema.app->add_option("kind", schema.arguments->job, "job (default) or study");
}

}  // namespace

namespace {

// A sentence for people on stderr; with --json an object for scripts on stdout too.
void say_error(const Error& error, bool json) {
  fmt::print(stderr, "tauflex: {}\n", with_code(error.code(), error.what()));
  if (json) fmt::print("{}", error_json(error));
}

// The words of the command line. `tauflex help run` is `tauflex run --help`. Throws UsageError for
// a verb that does not exist.
std::vector<std::string> words_of(int argc, char** argv, CLI::App& app) {
  std::vector<std::string> words(argv + 1, argv + argc), verbs;
  for (const CLI::App* sub : app.get_subcommands({})) verbs.push_back(sub->get_name());
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    words.resize(std::min<size_t>(words.size(), 1));
    words.emplace_back("--help");
  }
  if (!words.empty() && !words[0].starts_with("-") && index_of(words[0], verbs) < 0) {
    const std::string hint = did_you_mean(words[0], verbs);
    throw UsageError(fmt::format("there is no verb '{}'{}", shown(words[0]),
                                 hint.empty() ? "; there are " + join(verbs) : hint));
  }
  return words;
}

// What CLI11 says of a word too many, or the option that was misspelt.
std::string word_too_many(const CLI::ParseError& error, const CLI::App& app, int argc,
                          char** argv) {
  if (!dynamic_cast<const CLI::ExtrasError*>(&error) || argc < 2) return error.what();
  std::vector<std::string> known;
  for (const CLI::App* verb : app.get_subcommands({}))
    if (verb->get_name() == argv[1])
      for (const CLI::Option* option : verb->get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (int i = 2; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    if (word.starts_with("--") && word.size() > 2 && index_of(word, known) < 0)
      return fmt::format("there is no option '{}'{}", shown(word), did_you_mean(word, known));
  }
  return error.what();
}

}  // namespace

ExitCode run_command_line(int argc, char** argv) {
  CLI::App app{"Which motor torques make a robot's tool follow a path, when the robot bends?",
               "tauflex"};
  app.set_version_flag("--version", version());
  app.require_subcommand(1);
  ExitCode code = ExitCode::success;
  add_verbs(app, code);
  const bool json = std::find(argv, argv + argc, std::string("--json")) != argv + argc;
  try {
    std::vector<std::string> words = words_of(argc, argv, app);
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app.parse(words);
  } catch (const CLI::Success& asked) {  // --help, --version
    app.exit(asked);
  } catch (const CLI::ParseError& error) {
    say_error(UsageError(word_too_many(error, app, argc, argv)), json);
    fmt::print(stderr, "Run 'tauflex --help' for what it can do.\n");
    return ExitCode::usage;
  } catch (const Error& error) {
    say_error(error, json);
    return error.code();
  }
  return code;
}

}  // namespace tauflex
