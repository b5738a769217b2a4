/* A stepper as an FMU 2.0 for co-simulation: FMI's functions around tauflex.h. The job, the guid
 * and the parameters' start values are in the folder of resources. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2.h"
#include "tauflex.h"
#include "tauflex/export/fmu_variables.h"

enum { longest_path = 4096, parameters = 3 };

/* FMI's states of a unit, as far as they decide what may be called. */
typedef enum { instantiated, initializing, stepping, terminated } State;

typedef struct {
  char* name;
  char job[longest_path];
  fmi2CallbackFunctions callbacks;
  fmi2Boolean logging;
  State state;
  int robot;
  /* now, as they were when `robot` was made, and as they are after fmi2Instantiate */
  double parameter[parameters], made_with[parameters], given[parameters];
  fmi2Boolean follow_inputs;
  size_t inputs, drives, positions, velocities;
  /* of all kinds, one behind the other; inputs are the caller's */
  double *input, *u, *motor_position, *motor_velocity, *q, *v;
  double start, time;
} Unit;

static fmi2Status say(Unit* unit, fmi2Status status, const char* sentence) {
  if (unit->callbacks.logger && (unit->logging || status >= fmi2Error))
    unit->callbacks.logger(unit->callbacks.componentEnvironment, unit->name, status,
                           status >= fmi2Error ? "logStatusError" : "logStatusDiscard", "%s",
                           sentence);
  return status;
}

/* "file:///a%20b" -> "/a b"; 0: not a file, or too long */
static int path_of(const char* uri, char* path, size_t size) {
  size_t n = 0;
  if (!uri || strncmp(uri, "file:", 5) != 0) return 0;
  uri += 5;
  if (strncmp(uri, "//", 2) == 0) {
    uri += 2;
    while (*uri && *uri != '/') ++uri; /* the host: this one */
  }
  for (; *uri && n + 1 < size; ++uri) {
    unsigned byte = 0;
    if (*uri == '%' && sscanf(uri + 1, "%2x", &byte) == 1) {
      path[n++] = (char)byte;
      uri += 2;
    } else {
      path[n++] = *uri;
    }
  }
  while (n > 1 && path[n - 1] == '/') --n;
  path[n] = '\0';
  return *uri == '\0' && n > 0;
}

/* resources/fmu.txt: guid, then step and preview */
static int read_settings(Unit* unit, const char* folder, const char* guid) {
  char name[longest_path + 16], known[128] = "";
  FILE* file;
  int read;
  snprintf(name, sizeof name, "%s/fmu.txt", folder);
  file = fopen(name, "r");
  if (!file) {
    say(unit, fmi2Error, "the resources have no file fmu.txt");
    return 0;
  }
  read = fscanf(file, "guid %127s step %lf preview %lf", known, &unit->parameter[tauflex_fmu_step],
                &unit->parameter[tauflex_fmu_preview]);
  fclose(file);
  if (read != 3 || !guid || strcmp(known, guid) != 0) {
    say(unit, fmi2Error, "the guid is not that of the model description");
    return 0;
  }
  return 1;
}

static void read_outputs(Unit* unit) {
  tauflex_torques(unit->robot, unit->u);
  tauflex_motor_references(unit->robot, unit->motor_position, unit->motor_velocity);
  tauflex_positions(unit->robot, unit->q);
  tauflex_velocities(unit->robot, unit->v);
}

/* The robot with the parameters of now. */
static fmi2Status make_robot(Unit* unit) {
  const double* p = unit->parameter;
  if (unit->robot) tauflex_destroy(unit->robot);
  unit->robot = 0;
  if ((p[tauflex_fmu_preview] > 0
           ? tauflex_create_with_preview(unit->job, p[tauflex_fmu_step], p[tauflex_fmu_preview],
                                         &unit->robot)
           : tauflex_create(unit->job, p[tauflex_fmu_step], &unit->robot)) != TAUFLEX_OK)
    return say(unit, fmi2Error, tauflex_message(0));
  memcpy(unit->made_with, p, sizeof unit->made_with);
  return fmi2OK;
}

static fmi2Status set_payload(Unit* unit) {
  const double mass = unit->parameter[tauflex_fmu_payload];
  if (mass == tauflex_payload(unit->robot)) return fmi2OK;
  if (tauflex_set_payload(unit->robot, mass) != TAUFLEX_OK)
    return say(unit, fmi2Error, tauflex_message(unit->robot));
  return fmi2OK;
}

static int take_memory(Unit* unit) {
  double* all;
  unit->inputs = tauflex_output_count(unit->robot);
  unit->drives = tauflex_drive_count(unit->robot);
  unit->positions = tauflex_position_count(unit->robot);
  unit->velocities = tauflex_velocity_count(unit->robot);
  all =
      calloc(unit->inputs + 3 * unit->drives + unit->positions + unit->velocities + 1, sizeof *all);
  if (!all) return 0;
  unit->input = all;
  unit->u = unit->input + unit->inputs;
  unit->motor_position = unit->u + unit->drives;
  unit->motor_velocity = unit->motor_position + unit->drives;
  unit->q = unit->motor_velocity + unit->drives;
  unit->v = unit->q + unit->positions;
  return 1;
}

const char* fmi2GetTypesPlatform(void) { return "default"; }
const char* fmi2GetVersion(void) { return "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count,
                               const fmi2String categories[]) {
  (void)count;
  (void)categories;
  if (!c) return fmi2Error;
  ((Unit*)c)->logging = on;
  return fmi2OK;
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean visible,
                              fmi2Boolean logging) {
  char folder[longest_path - 16];
  Unit* unit;
  (void)visible;
  if (!callbacks || !name || !*name) return NULL;
  unit = calloc(1, sizeof *unit);
  if (!unit) return NULL;
  unit->callbacks = *callbacks;
  unit->logging = logging;
  unit->name = malloc(strlen(name) + 1);
  if (!unit->name) {
    free(unit);
    return NULL;
  }
  strcpy(unit->name, name);
  if (type != fmi2CoSimulation)
    say(unit, fmi2Error, "this unit is for co-simulation only");
  else if (!path_of(resources, folder, sizeof folder))
    say(unit, fmi2Error, "the place of the resources must be a file URI: file:///..");
  else if (read_settings(unit, folder, guid)) {
    snprintf(unit->job, sizeof unit->job, "%s/job.yaml", folder);
    if (make_robot(unit) == fmi2OK && take_memory(unit)) {
      unit->parameter[tauflex_fmu_payload] = tauflex_payload(unit->robot);
      memcpy(unit->given, unit->parameter, sizeof unit->given);
      tauflex_outputs(unit->robot, unit->input);
      read_outputs(unit);
      return unit;
    }
  }
  fmi2FreeInstance(unit);
  return NULL;
}

void fmi2FreeInstance(fmi2Component c) {
  Unit* unit = c;
  if (!unit) return;
  if (unit->robot) tauflex_destroy(unit->robot);
  free(unit->input);
  free(unit->name);
  free(unit);
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean has_stop, fmi2Real stop) {
  Unit* unit = c;
  (void)has_tolerance;
  (void)tolerance;
  if (!unit) return fmi2Error;
  if (unit->state != instantiated)
    return say(unit, fmi2Error, "fmi2SetupExperiment comes before initialization");
  if (!isfinite(start) || (has_stop && !(stop >= start)))
    return say(unit, fmi2Error, "start and stop must be finite, and stop not before start");
  unit->start = unit->time = start;
  return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  Unit* unit = c;
  if (!unit) return fmi2Error;
  if (unit->state != instantiated)
    return say(unit, fmi2Error, "fmi2EnterInitializationMode comes once, after fmi2Instantiate");
  if (unit->parameter[tauflex_fmu_step] != unit->made_with[tauflex_fmu_step] ||
      unit->parameter[tauflex_fmu_preview] != unit->made_with[tauflex_fmu_preview])
    if (make_robot(unit) != fmi2OK) return fmi2Error;
  if (set_payload(unit) != fmi2OK) return fmi2Error;
  read_outputs(unit);
  unit->state = initializing;
  return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  Unit* unit = c;
  if (!unit) return fmi2Error;
  if (unit->state != initializing)
    return say(unit, fmi2Error, "fmi2ExitInitializationMode comes after the initialization");
  if (set_payload(unit) != fmi2OK) return fmi2Error;
  read_outputs(unit);
  unit->state = stepping;
  return fmi2OK;
}

fmi2Status fmi2Terminate(fmi2Component c) {
  Unit* unit = c;
  if (!unit) return fmi2Error;
  if (unit->state != stepping) return say(unit, fmi2Error, "there is nothing to terminate");
  unit->state = terminated;
  return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component c) {
  Unit* unit = c;
  if (!unit) return fmi2Error;
  if (tauflex_reset(unit->robot) != TAUFLEX_OK)
    return say(unit, fmi2Error, tauflex_message(unit->robot));
  memcpy(unit->parameter, unit->given, sizeof unit->parameter);
  unit->follow_inputs = fmi2False;
  read_outputs(unit);
  tauflex_outputs(unit->robot, unit->input);
  unit->start = unit->time = 0;
  unit->state = instantiated;
  return fmi2OK;
}

/* Where a Real stands; null: nowhere. */
static double* real(Unit* unit, fmi2ValueReference reference) {
  const size_t i = reference % tauflex_fmu_kind;
  switch (reference / tauflex_fmu_kind) {
    case tauflex_fmu_torque:
      return i < unit->drives ? unit->u + i : NULL;
    case tauflex_fmu_motor_position:
      return i < unit->drives ? unit->motor_position + i : NULL;
    case tauflex_fmu_motor_velocity:
      return i < unit->drives ? unit->motor_velocity + i : NULL;
    case tauflex_fmu_position:
      return i < unit->positions ? unit->q + i : NULL;
    case tauflex_fmu_velocity:
      return i < unit->velocities ? unit->v + i : NULL;
    case tauflex_fmu_input:
      return i < unit->inputs ? unit->input + i : NULL;
    case tauflex_fmu_parameter:
      return i < parameters ? unit->parameter + i : NULL;
    default:
      return NULL;
  }
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[], size_t count,
                       fmi2Real values[]) {
  size_t i;
  if (!c) return fmi2Error;
  for (i = 0; i < count; ++i) {
    const double* place = real(c, references[i]);
    if (!place) return say(c, fmi2Error, "there is no Real variable with this value reference");
    values[i] = *place;
  }
  return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], size_t count,
                       const fmi2Real values[]) {
  Unit* unit = c;
  size_t i;
  if (!unit) return fmi2Error;
  for (i = 0; i < count; ++i) {
    const unsigned kind = references[i] / tauflex_fmu_kind;
    double* place = real(unit, references[i]);
    if (!place || (kind != tauflex_fmu_input && kind != tauflex_fmu_parameter))
      return say(unit, fmi2Error, "only inputs and parameters are set");
    if (kind == tauflex_fmu_parameter && unit->state != instantiated)
      return say(unit, fmi2Error, "parameters are set before the initialization");
    if (!isfinite(values[i])) return say(unit, fmi2Error, "a value is not a finite number");
    *place = values[i];
  }
  return fmi2OK;
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference references[], size_t count,
                          fmi2Boolean values[]) {
  size_t i;
  if (!c) return fmi2Error;
  for (i = 0; i < count; ++i) {
    if (references[i] != tauflex_fmu_follow_inputs)
      return say(c, fmi2Error, "there is no Boolean variable with this value reference");
    values[i] = ((Unit*)c)->follow_inputs;
  }
  return fmi2OK;
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference references[], size_t count,
                          const fmi2Boolean values[]) {
  size_t i;
  if (!c) return fmi2Error;
  for (i = 0; i < count; ++i) {
    if (references[i] != tauflex_fmu_follow_inputs)
      return say(c, fmi2Error, "there is no Boolean variable with this value reference");
    if (((Unit*)c)->state != instantiated)
      return say(c, fmi2Error, "parameters are set before the initialization");
    ((Unit*)c)->follow_inputs = values[i] ? fmi2True : fmi2False;
  }
  return fmi2OK;
}

/* Whole steps of the robot; inputs are the place at the end of the last of them. */
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real now, fmi2Real step, fmi2Boolean no_set_state) {
  Unit* unit = c;
  double own, steps;
  (void)no_set_state;
  if (!unit) return fmi2Error;
  if (unit->state != stepping) return say(unit, fmi2Error, "fmi2DoStep comes after initialization");
  own = unit->made_with[tauflex_fmu_step];
  steps = floor(step / own + 0.5);
  if (!(steps >= 1) || fabs(step - steps * own) > 1e-6 * own)
    return say(unit, fmi2Error, "the step must be a whole number of the parameter step");
  if (unit->follow_inputs && steps != 1)
    return say(unit, fmi2Error, "with follow_inputs the step must be the parameter step");
  if (!(fabs(now - unit->time) < 1e-3 * own))
    return say(unit, fmi2Error,
               "steps follow each other: this is not the time of the last one's end");
  for (; steps > 0; steps -= 1) {
    if (tauflex_step(unit->robot, unit->follow_inputs ? unit->input : NULL, unit->u) != TAUFLEX_OK)
      return say(unit, fmi2Error, tauflex_message(unit->robot));
  }
  unit->time = now + step;
  read_outputs(unit);
  return fmi2OK;
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real* value) {
  if (!c || kind != fmi2LastSuccessfulTime) return fmi2Discard;
  *value = ((Unit*)c)->time;
  return fmi2OK;
}

/* What the model description says is not there. */
static fmi2Status absent(fmi2Component c) {
  return c ? say(c, fmi2Error, "this unit has nothing of the kind") : fmi2Error;
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n,
                          fmi2Integer x[]) {
  (void)r, (void)x;
  return n == 0 ? fmi2OK : absent(c);
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n,
                          const fmi2Integer x[]) {
  (void)r, (void)x;
  return n == 0 ? fmi2OK : absent(c);
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2String x[]) {
  (void)r, (void)x;
  return n == 0 ? fmi2OK : absent(c);
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference r[], size_t n,
                         const fmi2String x[]) {
  (void)r, (void)x;
  return n == 0 ? fmi2OK : absent(c);
}
fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* s) { return (void)s, absent(c); }
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate s) { return (void)s, absent(c); }
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* s) { return (void)s, absent(c); }
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate s, size_t* n) {
  return (void)s, (void)n, absent(c);
}
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate s, fmi2Byte b[], size_t n) {
  return (void)s, (void)b, (void)n, absent(c);
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte b[], size_t n, fmi2FMUstate* s) {
  return (void)s, (void)b, (void)n, absent(c);
}
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                        size_t unknowns, const fmi2ValueReference known[],
                                        size_t knowns, const fmi2Real by_known[],
                                        fmi2Real by_unknown[]) {
  (void)unknown, (void)unknowns, (void)known, (void)knowns, (void)by_known, (void)by_unknown;
  return absent(c);
}
fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                       const fmi2Integer order[], const fmi2Real x[]) {
  (void)r, (void)order, (void)x;
  return n == 0 ? fmi2OK : absent(c);
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                        const fmi2Integer order[], fmi2Real x[]) {
  (void)r, (void)order, (void)x;
  return n == 0 ? fmi2OK : absent(c);
}
fmi2Status fmi2CancelStep(fmi2Component c) { return absent(c); }
fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status* value) {
  return (void)c, (void)kind, (void)value, fmi2Discard;
}
fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer* value) {
  return (void)c, (void)kind, (void)value, fmi2Discard;
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean* value) {
  return (void)c, (void)kind, (void)value, fmi2Discard;
}
fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String* value) {
  return (void)c, (void)kind, (void)value, fmi2Discard;
}
