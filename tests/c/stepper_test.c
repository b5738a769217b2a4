/* A controller in C99: a job step by step, along its own path and fed from outside, and every wrong
 * call that a program can make. Prints the torques of a run for a comparison with the program's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tauflex.h"

#define EXPECT(condition)                                                     \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

static void wrong_calls(const char* job, int robot, double* u) {
  int other = 0;
  double y[2];
  EXPECT(tauflex_create(NULL, 0.001, &other) == TAUFLEX_BAD_CALL);
  EXPECT(tauflex_create(job, 0.001, NULL) == TAUFLEX_BAD_CALL);
  EXPECT(tauflex_create("none.yaml", 0.001, &other) == TAUFLEX_INVALID_INPUT);
  EXPECT(strstr(tauflex_message(0), "none.yaml") != NULL);
  EXPECT(tauflex_create(job, -1, &other) == TAUFLEX_INVALID_INPUT);
  EXPECT(strstr(tauflex_message(0), "must be greater than 0") != NULL);
  EXPECT(tauflex_step(0, NULL, u) == TAUFLEX_BAD_CALL);
  EXPECT(tauflex_step(robot + 1, NULL, u) == TAUFLEX_BAD_CALL);
  EXPECT(tauflex_step(-robot, NULL, u) == TAUFLEX_BAD_CALL);
  EXPECT(tauflex_step(robot, NULL, NULL) == TAUFLEX_BAD_CALL);
  EXPECT(tauflex_drive_name(robot, 99) == NULL && tauflex_drive_name(12345, 0) == NULL);
  EXPECT(tauflex_positions(robot, NULL) == TAUFLEX_BAD_CALL);
  y[0] = NAN;
  y[1] = 0;
  EXPECT(tauflex_step(robot, y, u) == TAUFLEX_BAD_CALL);
  EXPECT(strstr(tauflex_message(robot), "finite") != NULL);
  y[0] = 100; /* out of reach */
  EXPECT(tauflex_step(robot, y, u) == TAUFLEX_NOT_CONVERGED);
  EXPECT(strstr(tauflex_message(robot), "Newton failed in equation") != NULL);
  EXPECT(tauflex_time(robot) == 0);
  EXPECT(tauflex_set_payload(robot, 5) == TAUFLEX_BAD_CALL); /* the job has none */
}

/* A robot that is not minimum phase, with a preview of its path. */
static void preview(const char* job, const char* minimum_phase) {
  int robot = 0, k;
  double seconds = 0, u[2], error[2], y[2];
  EXPECT(tauflex_create(job, 0.001, &robot) == TAUFLEX_NOT_SOLVABLE);
  EXPECT(strstr(tauflex_message(0), "past only") != NULL);
  EXPECT(strstr(tauflex_message(0), "s ahead can answer (preview)") != NULL);
  EXPECT(tauflex_preview_needed(minimum_phase, 1e-6, &seconds) == TAUFLEX_OK && seconds == 0);
  EXPECT(tauflex_preview_needed(job, 1e-6, &seconds) == TAUFLEX_OK);
  EXPECT(seconds > 0.02 && seconds < 0.06);
  EXPECT(tauflex_preview_needed(job, 3, &seconds) == TAUFLEX_INVALID_INPUT);
  EXPECT(tauflex_preview_needed(job, 1e-6, NULL) == TAUFLEX_BAD_CALL);
  EXPECT(tauflex_create_with_preview(minimum_phase, 0.001, 0.03, &robot) == TAUFLEX_NOT_SOLVABLE);
  EXPECT(tauflex_create_with_preview(job, 0.001, NAN, &robot) == TAUFLEX_INVALID_INPUT);
  EXPECT(tauflex_create_with_preview(job, 0.001, 0.0301, &robot) == TAUFLEX_OK);
  EXPECT(fabs(tauflex_preview(robot) - 0.03) < 1e-12 && fabs(tauflex_time(robot) + 0.03) < 1e-12);
  EXPECT(tauflex_preview_error(robot, error) == TAUFLEX_BAD_CALL); /* out of order */
  EXPECT(strstr(tauflex_message(robot), "no step") != NULL);
  EXPECT(tauflex_outputs(robot, y) == TAUFLEX_OK && fabs(y[0] - 2.146) < 1e-9);
  for (k = 0; k < 180; ++k) EXPECT(tauflex_step(robot, NULL, u) == TAUFLEX_OK);
  EXPECT(tauflex_preview_error(robot, error) == TAUFLEX_OK && error[0] > 0);
  EXPECT(error[0] < 1e-2 * fabs(u[0]));
  y[0] = INFINITY;
  EXPECT(tauflex_step(robot, y, u) == TAUFLEX_BAD_CALL);
  EXPECT(tauflex_preview_error(robot, NULL) == TAUFLEX_BAD_CALL);
  EXPECT(tauflex_destroy(robot) == TAUFLEX_OK && tauflex_preview(robot) == 0);
  EXPECT(tauflex_preview_error(robot, error) == TAUFLEX_BAD_CALL);
}

/* Between motions: another payload, and back. */
static void payload(const char* job) {
  int robot = 0, k;
  double u[16], heavier[16], mass;
  EXPECT(tauflex_create(job, 0.001, &robot) == TAUFLEX_OK && tauflex_drive_count(robot) <= 16);
  mass = tauflex_payload(robot);
  EXPECT(mass > 0);
  for (k = 0; k < 100; ++k) EXPECT(tauflex_step(robot, NULL, u) == TAUFLEX_OK);
  EXPECT(tauflex_set_payload(robot, 2 * mass) == TAUFLEX_OK && tauflex_payload(robot) == 2 * mass);
  for (k = 0; k < 100; ++k) EXPECT(tauflex_step(robot, NULL, heavier) == TAUFLEX_OK);
  EXPECT(fabs(heavier[0] - u[0]) > 1e-3 * fabs(u[0]));
  EXPECT(tauflex_set_payload(robot, -1) == TAUFLEX_BAD_CALL);
  EXPECT(tauflex_set_payload(robot, NAN) == TAUFLEX_BAD_CALL);
  EXPECT(tauflex_payload(robot) == 2 * mass); /* goes on */
  EXPECT(tauflex_set_payload(robot, mass) == TAUFLEX_OK);
  for (k = 0; k < 100; ++k) EXPECT(tauflex_step(robot, NULL, heavier) == TAUFLEX_OK);
  EXPECT(heavier[0] == u[0]);
  EXPECT(tauflex_destroy(robot) == TAUFLEX_OK && tauflex_payload(robot) == 0);
}

int main(int count, char** arguments) {
  int robot = 0, second = 0, k;
  double u[2], again[2], q[5], v[5], motor[2], speed[2];
  const char* job;
  EXPECT(count == 4);
  job = arguments[1];
  EXPECT(tauflex_c_version() >= TAUFLEX_C_VERSION && strlen(tauflex_version()) > 0);
  EXPECT(tauflex_create(job, 0.001, &robot) == TAUFLEX_OK);
  EXPECT(tauflex_output_count(robot) == 2 && tauflex_drive_count(robot) == 2);
  EXPECT(tauflex_position_count(robot) == 5 && tauflex_velocity_count(robot) == 5);
  EXPECT(strcmp(tauflex_output_name(robot, 1), "tool.z") == 0);
  EXPECT(strcmp(tauflex_position_name(robot, 3), "upper.rotor") == 0);
  wrong_calls(job, robot, u);
  preview(arguments[2], job);
  payload(arguments[3]);
  for (k = 1; k <= 300; ++k) {
    EXPECT(tauflex_step(robot, NULL, u) == TAUFLEX_OK);
    printf("%.17g %.17g %.17g\n", tauflex_time(robot), u[0], u[1]);
  }
  EXPECT(tauflex_positions(robot, q) == TAUFLEX_OK && fabs(q[2]) > 0.1); /* the hand has bent */
  EXPECT(tauflex_velocities(robot, v) == TAUFLEX_OK);
  EXPECT(tauflex_motor_references(robot, motor, speed) == TAUFLEX_OK);
  EXPECT(motor[0] == q[3] && motor[1] == q[4] && speed[0] == v[3] && speed[1] == v[4]);
  EXPECT(tauflex_motor_references(robot, NULL, NULL) == TAUFLEX_BAD_CALL);
  EXPECT(tauflex_torques(robot, again) == TAUFLEX_OK && again[0] == u[0] && again[1] == u[1]);
  EXPECT(tauflex_reset(robot) == TAUFLEX_OK && tauflex_time(robot) == 0);
  for (k = 1; k <= 300; ++k) EXPECT(tauflex_step(robot, NULL, again) == TAUFLEX_OK);
  EXPECT(again[0] == u[0] && again[1] == u[1]);
  EXPECT(tauflex_create(job, 0.001, &second) == TAUFLEX_OK && second != robot);
  EXPECT(tauflex_destroy(robot) == TAUFLEX_OK);
  EXPECT(tauflex_destroy(robot) == TAUFLEX_BAD_CALL);
  EXPECT(tauflex_step(robot, NULL, u) == TAUFLEX_BAD_CALL);
  EXPECT(tauflex_step(second, NULL, u) == TAUFLEX_OK);
  EXPECT(tauflex_destroy(second) == TAUFLEX_OK);
  return 0;
}
