/* Loads the shared object of an FMU 2.0 and runs a whole co-simulation, as FMI's rules have it:
 *   fmu_loader OBJECT RESOURCES_URI GUID STEP STEPS FIRST_REFERENCE COUNT [INPUT_REFERENCE INPUTS]
 * Prints time and COUNT Reals from FIRST_REFERENCE on at the beginning and after every step. With
 * inputs it reads their values from standard input, a line for every step. Every call that the
 * rules forbid is made once and must be refused. */
#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2.h"

#define EXPECT(condition)                                                     \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

/* All functions that FMI 2.0 asks of a unit for co-simulation. */
static const char* const names[] = {"fmi2GetTypesPlatform",
                                    "fmi2GetVersion",
                                    "fmi2SetDebugLogging",
                                    "fmi2Instantiate",
                                    "fmi2FreeInstance",
                                    "fmi2SetupExperiment",
                                    "fmi2EnterInitializationMode",
                                    "fmi2ExitInitializationMode",
                                    "fmi2Terminate",
                                    "fmi2Reset",
                                    "fmi2GetReal",
                                    "fmi2GetInteger",
                                    "fmi2GetBoolean",
                                    "fmi2GetString",
                                    "fmi2SetReal",
                                    "fmi2SetInteger",
                                    "fmi2SetBoolean",
                                    "fmi2SetString",
                                    "fmi2GetFMUstate",
                                    "fmi2SetFMUstate",
                                    "fmi2FreeFMUstate",
                                    "fmi2SerializedFMUstateSize",
                                    "fmi2SerializeFMUstate",
                                    "fmi2DeSerializeFMUstate",
                                    "fmi2GetDirectionalDerivative",
                                    "fmi2SetRealInputDerivatives",
                                    "fmi2GetRealOutputDerivatives",
                                    "fmi2DoStep",
                                    "fmi2CancelStep",
                                    "fmi2GetStatus",
                                    "fmi2GetRealStatus",
                                    "fmi2GetIntegerStatus",
                                    "fmi2GetBooleanStatus",
                                    "fmi2GetStringStatus"};

static char last_message[512];

static void log_message(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                        fmi2String category, fmi2String message, ...) {
  va_list arguments;
  (void)environment, (void)name, (void)status, (void)category;
  va_start(arguments, message);
  vsnprintf(last_message, sizeof last_message, message, arguments);
  va_end(arguments);
}

static void* object;
static void load(const char* name, void* function) {
  void* symbol = dlsym(object, name);
  EXPECT(symbol != NULL);
  memcpy(function, &symbol, sizeof symbol);
}

static fmi2Component (*instantiate)(fmi2String, fmi2Type, fmi2String, fmi2String,
                                    const fmi2CallbackFunctions*, fmi2Boolean, fmi2Boolean);
static void (*free_instance)(fmi2Component);
static fmi2Status (*setup)(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real);
static fmi2Status (*enter)(fmi2Component), (*leave)(fmi2Component), (*terminate)(fmi2Component),
    (*reset)(fmi2Component);
static fmi2Status (*get_real)(fmi2Component, const fmi2ValueReference[], size_t, fmi2Real[]);
static fmi2Status (*set_real)(fmi2Component, const fmi2ValueReference[], size_t, const fmi2Real[]);
static fmi2Status (*set_boolean)(fmi2Component, const fmi2ValueReference[], size_t,
                                 const fmi2Boolean[]);
static fmi2Status (*do_step)(fmi2Component, fmi2Real, fmi2Real, fmi2Boolean);
static const char* (*get_version)(void);

static void load_functions(void) {
  size_t i;
  for (i = 0; i < sizeof names / sizeof *names; ++i) EXPECT(dlsym(object, names[i]) != NULL);
  load("fmi2Instantiate", &instantiate);
  load("fmi2FreeInstance", &free_instance);
  load("fmi2SetupExperiment", &setup);
  load("fmi2EnterInitializationMode", &enter);
  load("fmi2ExitInitializationMode", &leave);
  load("fmi2Terminate", &terminate);
  load("fmi2Reset", &reset);
  load("fmi2GetReal", &get_real);
  load("fmi2SetReal", &set_real);
  load("fmi2SetBoolean", &set_boolean);
  load("fmi2DoStep", &do_step);
  load("fmi2GetVersion", &get_version);
}

static void wrong_calls(fmi2Component unit, fmi2ValueReference output, double step) {
  const fmi2ValueReference nowhere = 12345;
  const double value = 1, nothing = NAN;
  double got;
  EXPECT(do_step(unit, 0, step, fmi2True) == fmi2Error);
  EXPECT(strstr(last_message, "after initialization") != NULL);
  EXPECT(leave(unit) == fmi2Error && terminate(unit) == fmi2Error);
  EXPECT(get_real(unit, &nowhere, 1, &got) == fmi2Error);
  EXPECT(set_real(unit, &output, 1, &value) == fmi2Error);
  EXPECT(strstr(last_message, "only inputs and parameters") != NULL);
  (void)nothing;
}

static void print_outputs(fmi2Component unit, double time, fmi2ValueReference first, size_t count) {
  fmi2ValueReference references[64] = {0};
  double values[64] = {0};
  size_t i;
  EXPECT(count <= 64);
  for (i = 0; i < count; ++i) references[i] = first + (fmi2ValueReference)i;
  EXPECT(get_real(unit, references, count, values) == fmi2OK);
  printf("%.17g", time);
  for (i = 0; i < count; ++i) printf(" %.17g", values[i]);
  printf("\n");
}

static void set_inputs(fmi2Component unit, fmi2ValueReference first, size_t count) {
  size_t i;
  for (i = 0; i < count; ++i) {
    const fmi2ValueReference reference = first + (fmi2ValueReference)i;
    double value;
    EXPECT(scanf("%lf", &value) == 1);
    EXPECT(set_real(unit, &reference, 1, &value) == fmi2OK);
  }
}

int main(int count, char** arguments) {
  const fmi2CallbackFunctions callbacks = {log_message, calloc, free, NULL, NULL};
  const fmi2Boolean yes = fmi2True;
  const fmi2ValueReference follow = 0;
  fmi2Component unit;
  fmi2ValueReference first, input = 0;
  double step;
  long steps, k;
  size_t outputs, inputs = 0;
  int round;
  EXPECT(count == 8 || count == 10);
  object = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (!object) fprintf(stderr, "%s\n", dlerror());
  EXPECT(object != NULL);
  load_functions();
  step = atof(arguments[4]);
  steps = atol(arguments[5]);
  first = (fmi2ValueReference)strtoul(arguments[6], NULL, 10);
  outputs = (size_t)atol(arguments[7]);
  if (count == 10) {
    input = (fmi2ValueReference)strtoul(arguments[8], NULL, 10);
    inputs = (size_t)atol(arguments[9]);
  }
  EXPECT(strcmp(get_version(), "2.0") == 0);
  EXPECT(instantiate("arm", fmi2CoSimulation, "{another}", arguments[2], &callbacks, 0, 0) == NULL);
  EXPECT(strstr(last_message, "guid") != NULL);
  EXPECT(instantiate("arm", fmi2ModelExchange, arguments[3], arguments[2], &callbacks, 0, 0) ==
         NULL);
  EXPECT(instantiate("arm", fmi2CoSimulation, arguments[3], "/no/uri", &callbacks, 0, 0) == NULL);
  unit = instantiate("arm", fmi2CoSimulation, arguments[3], arguments[2], &callbacks, fmi2False,
                     fmi2True);
  if (!unit) fprintf(stderr, "%s\n", last_message);
  EXPECT(unit != NULL);
  wrong_calls(unit, first, step);
  for (round = inputs ? 1 : 0; round < 2; ++round) { /* the first is for the reset */
    if (inputs) EXPECT(set_boolean(unit, &follow, 1, &yes) == fmi2OK);
    EXPECT(setup(unit, fmi2False, 0, 0, fmi2True, step * (double)steps) == fmi2OK);
    EXPECT(enter(unit) == fmi2OK && leave(unit) == fmi2OK);
    EXPECT(do_step(unit, 5, step, fmi2True) == fmi2Error);
    EXPECT(do_step(unit, 0, 0.37 * step, fmi2True) == fmi2Error);
    if (round == 1) print_outputs(unit, 0, first, outputs);
    for (k = 0; k < (round ? steps : 10); ++k) {
      set_inputs(unit, input, inputs);
      if (do_step(unit, (double)k * step, step, fmi2True) != fmi2OK) {
        fprintf(stderr, "%s\n", last_message);
        return 1;
      }
      if (round == 1) print_outputs(unit, (double)(k + 1) * step, first, outputs);
    }
    EXPECT(terminate(unit) == fmi2OK && do_step(unit, step, step, fmi2True) == fmi2Error);
    EXPECT(reset(unit) == fmi2OK);
  }
  free_instance(unit);
  return 0;
}
