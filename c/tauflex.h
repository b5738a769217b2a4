/* tauflex for controllers: motor torques of an elastic robot, one sample after the other. C99; no
 * exceptions, and no memory is asked for between tauflex_create and tauflex_destroy except by
 * tauflex_reset and tauflex_set_payload.
 *
 *   int robot = 0;
 *   if (tauflex_create("arm.yaml", 0.001, &robot) != TAUFLEX_OK) puts(tauflex_message(0));
 *   for (;;) {                                      every millisecond
 *     y[0] = ..; y[1] = ..;                         where the tool shall be at the end of this one
 *     if (tauflex_step(robot, y, u) != TAUFLEX_OK) puts(tauflex_message(robot));
 *     ..                                            send u
 *   }
 *
 * SI units: s, m, rad, N, N m; u at the motors. A handle belongs to one thread at a time; several
 * handles may be used side by side. A handle that does not exist, or no longer does, is answered by
 * TAUFLEX_BAD_CALL, never by a crash. */
#ifndef TAUFLEX_H
#define TAUFLEX_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TAUFLEX_API __attribute__((visibility("default")))
#else
#define TAUFLEX_API
#endif

/* Of this header. Functions are added with a higher number; none is changed or taken away. */
#define TAUFLEX_C_VERSION 2
/* Of the library that is loaded. */
TAUFLEX_API int tauflex_c_version(void);
/* "0.9.0" */
TAUFLEX_API const char* tauflex_version(void);

/* The exit codes of the program. */
typedef enum tauflex_status {
  TAUFLEX_OK = 0,
  /* Wrong handle, null pointer, a value that is not a finite number. Nothing has happened. */
  TAUFLEX_BAD_CALL = 2,
  /* The job file holds what it must not: file, line, rule and value are in the message. */
  TAUFLEX_INVALID_INPUT = 3,
  /* The question has no answer step by step: not minimum phase, say. */
  TAUFLEX_NOT_SOLVABLE = 4,
  /* A step failed; nothing has moved, and the next call may ask for something else. */
  TAUFLEX_NOT_CONVERGED = 5,
  /* Memory is short, or the library failed in another way that it did not foresee. */
  TAUFLEX_FAILED = 7
} tauflex_status;

/* Reads a job file, finds its start at rest and prepares steps of `step` seconds. At most 64 robots
 * exist at a time. */
TAUFLEX_API tauflex_status tauflex_create(const char* job_file, double step, int* robot);
/* The same for a robot that is not minimum phase, whose path is known `preview` seconds ahead:
 * tauflex_step is told where the outputs shall be that much after the end of the step, and time
 * begins that much before the path. Since version 2. */
TAUFLEX_API tauflex_status tauflex_create_with_preview(const char* job_file, double step,
                                                       double preview, int* robot);
/* s: the preview with which what is not known beyond it costs about `share` (1e-6, say) of what it
 * would cost without any; 0: none is needed. Since version 2. */
TAUFLEX_API tauflex_status tauflex_preview_needed(const char* job_file, double share,
                                                  double* seconds);
TAUFLEX_API tauflex_status tauflex_destroy(int robot);

/* What went wrong last, in a sentence; "": nothing. 0: in tauflex_create, or for a wrong handle, in
 * this thread. Valid until the next call for this handle. */
TAUFLEX_API const char* tauflex_message(int robot);

/* How many there are; 0 for a wrong handle. Outputs are those that the job names. */
TAUFLEX_API size_t tauflex_output_count(int robot);
TAUFLEX_API size_t tauflex_drive_count(int robot);
TAUFLEX_API size_t tauflex_position_count(int robot);
TAUFLEX_API size_t tauflex_velocity_count(int robot);
/* Names as in trajectory.csv; null where there is none. Rotors are "<joint>.rotor". */
TAUFLEX_API const char* tauflex_output_name(int robot, size_t i);
TAUFLEX_API const char* tauflex_drive_name(int robot, size_t i);
TAUFLEX_API const char* tauflex_position_name(int robot, size_t i);
TAUFLEX_API const char* tauflex_velocity_name(int robot, size_t i);

/* One step. y: where the outputs shall be at its end; null: where the job's path is then. u: what
 * the motors get there, one number for each drive. */
TAUFLEX_API tauflex_status tauflex_step(int robot, const double* y, double* u);

/* s; 0 for a wrong handle */
TAUFLEX_API double tauflex_time(int robot);
/* The robot now: joints and rotors. Before the first step: at rest at the start. */
TAUFLEX_API tauflex_status tauflex_positions(int robot, double* q);
TAUFLEX_API tauflex_status tauflex_velocities(int robot, double* v);
TAUFLEX_API tauflex_status tauflex_torques(int robot, double* u);
/* Where the outputs are now. Since version 2. */
TAUFLEX_API tauflex_status tauflex_outputs(int robot, double* y);
/* What a drive's own controller follows: position and velocity of each motor, in the order of the
 * drives. Either may be null. Since version 2. */
TAUFLEX_API tauflex_status tauflex_motor_references(int robot, double* position, double* velocity);

/* s, in whole steps; 0: none, or a wrong handle. Since version 2. */
TAUFLEX_API double tauflex_preview(int robot);
/* For each drive: by how much u may be off because the path beyond the preview is not known, as
 * long as that excites the robot no more than the path of the job, or the one so far. Takes about
 * as long as a few torques; 0 without preview. TAUFLEX_BAD_CALL before the first step. Since
 * version 2. */
TAUFLEX_API tauflex_status tauflex_preview_error(int robot, double* u);

/* At rest at the start of the job again, before its path by the preview. */
TAUFLEX_API tauflex_status tauflex_reset(int robot);
/* The job's payload with another mass, kg, its inertia in proportion; from rest at the start. After
 * a mass that is refused the robot goes on with the one it had. */
TAUFLEX_API tauflex_status tauflex_set_payload(int robot, double mass);
/* kg; 0 without a payload. Since version 2. */
TAUFLEX_API double tauflex_payload(int robot);

#ifdef __cplusplus
}
#endif

#endif
