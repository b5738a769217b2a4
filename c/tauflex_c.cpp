// The C interface: handles instead of objects, statuses instead of exceptions.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <string>

#include "tauflex.h"
#include "tauflex/base/errors.hpp"
#include "tauflex/base/version.hpp"
#include "tauflex/model/motor_references.hpp"
#include "tauflex/results/stepper.hpp"

namespace {

using namespace tauflex;

struct Controlled {
  Job job;
  StepperOptions options;
  std::unique_ptr<Stepper> stepper;
  // Of the last call that failed outside of a step.
  std::string message = {};
  const char* shown = "";
};

// A handle is a place in this table and how often the place was used before, so that one that was
// destroyed is not taken for its successor.
constexpr int places = 64;
struct Place {
  int uses = 0;
  std::unique_ptr<Controlled> robot;
};
std::array<Place, places> table;
std::mutex table_mutex;
thread_local std::string last_message;

Controlled* find(int handle) {
  const int place = handle % places, uses = handle / places;
  const std::lock_guard<std::mutex> lock(table_mutex);
  if (handle > 0 && table[place].uses == uses && table[place].robot)
    return table[place].robot.get();
  return nullptr;
}

Controlled* find_or_say(int handle) {
  Controlled* robot = find(handle);
  if (!robot) last_message = "there is no robot with this handle";
  return robot;
}

tauflex_status status_of(const Error& error) {
  switch (error.code()) {
    case ExitCode::not_solvable:
      return TAUFLEX_NOT_SOLVABLE;
    case ExitCode::usage:
      return TAUFLEX_BAD_CALL;
    default:
      return TAUFLEX_INVALID_INPUT;
  }
}

// Nothing leaves by an exception.
template <class F>
tauflex_status guarded(std::string& message, const F& work) noexcept {
  try {
    try {
      work();
      return TAUFLEX_OK;
    } catch (const Error& error) {
      message = error.what();
      return status_of(error);
    } catch (const std::exception& error) {
      message = error.what();
    }
  } catch (...) {  // not even memory for a message
  }
  return TAUFLEX_FAILED;
}

tauflex_status say(Controlled& robot, tauflex_status status, const char* sentence) {
  robot.shown = sentence;
  return status;
}

tauflex_status copy(int handle, const Vector& (*values)(const Instant&), double* out) {
  Controlled* robot = find_or_say(handle);
  if (!robot) return TAUFLEX_BAD_CALL;
  if (!out) return say(*robot, TAUFLEX_BAD_CALL, "a pointer is null");
  const Vector& x = values(robot->stepper->now());
  std::copy(x.begin(), x.end(), out);
  return say(*robot, TAUFLEX_OK, "");
}

const std::vector<std::string>* names(int handle, char kind) {
  const Controlled* robot = find(handle);
  if (!robot) return nullptr;
  const Robot& made = robot->stepper->problem().robot();
  return kind == 'u'   ? &made.actuation().names
         : kind == 'q' ? &made.coordinates().names
         : kind == 'v' ? &made.coordinates().velocity_names
                       : &robot->job.task.outputs;
}

size_t count(int handle, char kind) {
  const auto* found = names(handle, kind);
  return found ? found->size() : 0;
}

const char* name_of(int handle, char kind, size_t i) {
  const auto* found = names(handle, kind);
  return found && i < found->size() ? (*found)[i].c_str() : nullptr;
}

tauflex_status create(const char* job_file, const StepperOptions& options, int* handle) {
  return guarded(last_message, [&] {
    if (!job_file || !handle) throw UsageError("a pointer is null");
    auto made = std::make_unique<Controlled>();
    made->job = read_job(job_file);
    made->options = options;
    made->stepper = std::make_unique<Stepper>(made->job, made->options);
    const std::lock_guard<std::mutex> lock(table_mutex);
    const auto free = std::find_if(table.begin(), table.end(),
                                   [](const Place& place) { return place.robot == nullptr; });
    if (free == table.end())
      throw UsageError("64 robots exist already; destroy one that is no longer used");
    free->robot = std::move(made);
    ++free->uses;
    *handle = static_cast<int>(free - table.begin()) + free->uses * places;
    last_message.clear();
  });
}

}  // namespace

extern "C" {

int tauflex_c_version(void) { return TAUFLEX_C_VERSION; }
const char* tauflex_version(void) {
  static const std::string text = version();
  return text.c_str();
}

tauflex_status tauflex_create(const char* job_file, double step, int* handle) {
  return create(job_file, {.step = step}, handle);
}

tauflex_status tauflex_create_with_preview(const char* job_file, double step, double preview,
                                           int* handle) {
  return create(job_file, {.step = step, .preview = preview}, handle);
}

tauflex_status tauflex_preview_needed(const char* job_file, double share, double* seconds) {
  return guarded(last_message, [&] {
    if (!job_file || !seconds) throw UsageError("a pointer is null");
    *seconds = preview_needed(read_job(job_file), share);
    last_message.clear();
  });
}

tauflex_status tauflex_destroy(int handle) {
  if (!find_or_say(handle)) return TAUFLEX_BAD_CALL;
  const std::lock_guard<std::mutex> lock(table_mutex);
  table[handle % places].robot.reset();
  return TAUFLEX_OK;
}

const char* tauflex_message(int handle) {
  const Controlled* robot = find(handle);
  return robot ? robot->shown : last_message.c_str();
}

size_t tauflex_output_count(int handle) { return count(handle, 'y'); }
size_t tauflex_drive_count(int handle) { return count(handle, 'u'); }
size_t tauflex_position_count(int handle) { return count(handle, 'q'); }
size_t tauflex_velocity_count(int handle) { return count(handle, 'v'); }
const char* tauflex_output_name(int handle, size_t i) { return name_of(handle, 'y', i); }
const char* tauflex_drive_name(int handle, size_t i) { return name_of(handle, 'u', i); }
const char* tauflex_position_name(int handle, size_t i) { return name_of(handle, 'q', i); }
const char* tauflex_velocity_name(int handle, size_t i) { return name_of(handle, 'v', i); }

tauflex_status tauflex_step(int handle, const double* y, double* u) {
  Controlled* robot = find_or_say(handle);
  if (!robot) return TAUFLEX_BAD_CALL;
  if (!u) return say(*robot, TAUFLEX_BAD_CALL, "a pointer is null");
  Stepper& stepper = *robot->stepper;
  StepperStatus status = StepperStatus::ok;
  const tauflex_status ended = guarded(robot->message, [&] {
    status = y ? stepper.step(Eigen::Map<const Vector>(y, std::ssize(robot->job.task.outputs)))
               : stepper.step_along_path();
  });
  if (ended != TAUFLEX_OK) return say(*robot, ended, robot->message.c_str());
  if (status != StepperStatus::ok)
    return say(*robot,
               status == StepperStatus::not_a_number ? TAUFLEX_BAD_CALL : TAUFLEX_NOT_CONVERGED,
               stepper.message());
  const Vector& torques = stepper.now().u;
  std::copy(torques.begin(), torques.end(), u);
  return say(*robot, TAUFLEX_OK, "");
}

double tauflex_time(int handle) {
  const Controlled* robot = find(handle);
  return robot ? robot->stepper->time() : 0;
}

tauflex_status tauflex_positions(int handle, double* q) {
  return copy(
      handle, [](const Instant& now) -> const Vector& { return now.q; }, q);
}
tauflex_status tauflex_velocities(int handle, double* v) {
  return copy(
      handle, [](const Instant& now) -> const Vector& { return now.v; }, v);
}
tauflex_status tauflex_torques(int handle, double* u) {
  return copy(
      handle, [](const Instant& now) -> const Vector& { return now.u; }, u);
}

tauflex_status tauflex_outputs(int handle, double* y) {
  Controlled* robot = find_or_say(handle);
  if (!robot) return TAUFLEX_BAD_CALL;
  if (!y) return say(*robot, TAUFLEX_BAD_CALL, "a pointer is null");
  // behind them joints that are held
  std::copy_n(robot->stepper->now().y.begin(), robot->job.task.outputs.size(), y);
  return say(*robot, TAUFLEX_OK, "");
}

tauflex_status tauflex_motor_references(int handle, double* position, double* velocity) {
  Controlled* robot = find_or_say(handle);
  if (!robot) return TAUFLEX_BAD_CALL;
  if (!position && !velocity) return say(*robot, TAUFLEX_BAD_CALL, "both pointers are null");
  const Instant& now = robot->stepper->now();
  const Robot& made = robot->stepper->problem().robot();
  const auto drives = made.actuation().count();
  if (position) motor_positions(made, now.q, Eigen::Map<Matrix>(position, drives, 1));
  if (velocity) motor_velocities(made, now.v, Eigen::Map<Matrix>(velocity, drives, 1));
  return say(*robot, TAUFLEX_OK, "");
}

double tauflex_preview(int handle) {
  const Controlled* robot = find(handle);
  return robot ? robot->stepper->preview() : 0;
}

tauflex_status tauflex_preview_error(int handle, double* u) {
  Controlled* robot = find_or_say(handle);
  if (!robot) return TAUFLEX_BAD_CALL;
  if (!u) return say(*robot, TAUFLEX_BAD_CALL, "a pointer is null");
  Stepper& stepper = *robot->stepper;
  if (stepper.time() == stepper.problem().begin())
    return say(*robot, TAUFLEX_BAD_CALL, "no step has been taken whose torques could be off");
  const tauflex_status status = guarded(robot->message, [&] {
    stepper.preview_error(Eigen::Map<Vector>(u, stepper.now().u.size()));
  });
  return say(*robot, status, status == TAUFLEX_OK ? "" : robot->message.c_str());
}

double tauflex_payload(int handle) {
  const Controlled* robot = find(handle);
  return robot && robot->job.task.payload ? robot->job.task.payload->inertia.mass : 0;
}

tauflex_status tauflex_reset(int handle) {
  Controlled* robot = find_or_say(handle);
  if (!robot) return TAUFLEX_BAD_CALL;
  const tauflex_status status = guarded(robot->message, [&] { robot->stepper->reset(); });
  return say(*robot, status, status == TAUFLEX_OK ? "" : robot->message.c_str());
}

tauflex_status tauflex_set_payload(int handle, double mass) {
  Controlled* robot = find_or_say(handle);
  if (!robot) return TAUFLEX_BAD_CALL;
  const tauflex_status status = guarded(robot->message, [&] {
    if (!(mass >= 0) || !std::isfinite(mass))
      throw UsageError("the mass of a payload is a finite number, 0 or more");
    Job job = robot->job;
    if (!job.task.payload) throw UsageError("the job has no task.payload whose mass could change");
    LinkInertia& inertia = job.task.payload->inertia;
    inertia.about_com *= inertia.mass > 0 ? mass / inertia.mass : 1;
    inertia.mass = mass;
    auto stepper = std::make_unique<Stepper>(job, robot->options);
    robot->stepper = std::move(stepper);
    robot->job = std::move(job);
  });
  return say(*robot, status, status == TAUFLEX_OK ? "" : robot->message.c_str());
}

}  // extern "C"
