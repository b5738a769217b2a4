// For registers that every processor has.
#include "tauflex/mechanics/derivative_lanes_loop.hpp"
#include "tauflex/mechanics/torque_lanes_loop.hpp"

namespace tauflex {

void torques_by_2_lanes(const TorqueLanesInput& in, double* workspace, double* tau,
                        std::ptrdiff_t stride) {
  TorqueLanesLoop<2>(in, workspace).run(tau, stride);
}

std::ptrdiff_t torque_lanes_size(int count, int lanes) {
  return std::ptrdiff_t{count} * lanes * (7 + sizeof(LinkMotion<double>) / sizeof(double));
}

void derivatives_by_2_lanes(const DerivativeLanesInput& in, double* workspace,
                            const DerivativeLanesOutput& out) {
  DerivativeLanesLoop<2>(in, workspace, out).run();
}

}  // namespace tauflex
