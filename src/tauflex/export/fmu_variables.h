/* Value references of an FMU's variables: a kind, then the number of the drive, coordinate or
 * output. The file modelDescription.xml and the shared object agree by this. */
#ifndef TAUFLEX_FMU_VARIABLES_H
#define TAUFLEX_FMU_VARIABLES_H

enum {
  tauflex_fmu_torque = 1,
  tauflex_fmu_motor_position = 2,
  tauflex_fmu_motor_velocity = 3,
  tauflex_fmu_position = 4,
  tauflex_fmu_velocity = 5,
  tauflex_fmu_input = 6,
  /* the parameters below */
  tauflex_fmu_parameter = 7,
  tauflex_fmu_kind = 65536
};

/* Number of a parameter. */
enum {
  tauflex_fmu_step = 0,
  tauflex_fmu_preview = 1,
  tauflex_fmu_payload = 2,
  /* Boolean; its value references are apart */
  tauflex_fmu_follow_inputs = 0
};

#endif
