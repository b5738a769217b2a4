// For processors with AVX-512: CMakeLists.txt says so to the compiler.
#include "tauflex/mechanics/derivative_lanes_loop.hpp"
#include "tauflex/mechanics/torque_lanes_loop.hpp"

namespace tauflex {

void torques_by_8_lanes(const TorqueLanesInput& in, double* workspace, double* tau,
                        std::ptrdiff_t stride) {
  TorqueLanesLoop<8>(in, workspace).run(tau, stride);
}

void derivatives_by_8_lanes(const DerivativeLanesInput& in, double* workspace,
                            const DerivativeLanesOutput& out) {
  DerivativeLanesLoop<8>(in, workspace, out).run();
}

}  // namespace tauflex
