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

int main(int count, char** arguments) {
  int robot = 0, second = 0, k;
  double u[2], again[2], q[5];
  const char* job;
  EXPECT(count == 3);
  job = arguments[1];
  EXPECT(tauflex_c_version() >= TAUFLEX_C_VERSION && strlen(tauflex_version()) > 0);
  EXPECT(tauflex_create(job, 0.001, &robot) == TAUFLEX_OK);
  EXPECT(tauflex_output_count(robot) == 2 && tauflex_drive_count(robot) == 2);
  EXPECT(tauflex_position_count(robot) == 5 && tauflex_velocity_count(robot) == 5);
  EXPECT(strcmp(tauflex_output_name(robot, 1), "tool.z") == 0);
  EXPECT(strcmp(tauflex_position_name(robot, 3), "upper.rotor") == 0);
  wrong_calls(job, robot, u);
  EXPECT(tauflex_create(arguments[2], 0.001, &second) == TAUFLEX_NOT_SOLVABLE);
  EXPECT(strstr(tauflex_message(0), "past only") != NULL);
  for (k = 1; k <= 300; ++k) {
    EXPECT(tauflex_step(robot, NULL, u) == TAUFLEX_OK);
    printf("%.17g %.17g %.17g\n", tauflex_time(robot), u[0], u[1]);
  }
  EXPECT(tauflex_positions(robot, q) == TAUFLEX_OK && fabs(q[2]) > 0.1); /* the hand has bent */
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
