/* What the module mujoco.py beside this file needs of MuJoCo's structs; functions it calls itself. */
#include <mujoco/mujoco.h>

int shim_nu(const mjModel *model) { return model->nu; }
double *shim_ctrl(mjData *data) { return data->ctrl; }
double *shim_site_xpos(mjData *data, int site) { return data->site_xpos + 3 * site; }
