// What the method of jets has to show on every robot that it is for: a proof that shares no solver,
// backward differences that converge to it with their order, and errors that are as stated.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "example_jobs.hpp"
#include "tauflex/problem/internal_series.hpp"
#include "tauflex/results/verification.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {

inline Job case_job(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return read_job(TAUFLEX_SOURCE_DIR "/tests/cases/" + name + ".yaml", overrides);
}

inline Solution solved_by_jets(const Posed& posed, double tolerance, double step) {
  const Solution s =
      solve(posed.problem, posed.start, JetOptions{.tolerance = tolerance, .step = step});
  EXPECT_EQ(s.status, Status::solved) << s.message;
  return s;
}

inline void expect_proof(const Job& job) {
  const Posed posed = pose(job);
  EXPECT_TRUE(jets_apply(posed.problem, posed.start.q));
  VerificationOptions options = job.verification;
  options.torque = Hold::exact;
  const Solution s = solved_by_jets(posed, 1e-8, 1e-3);
  if (testing::Test::HasFailure()) return;
  const Verification proof = verify(posed.plant, posed.problem, s, options);
  EXPECT_EQ(proof.status, Status::solved) << proof.message;
  EXPECT_TRUE(proof.max_tool_error_m || proof.max_orientation_error_rad);
  EXPECT_LT(proof.max_tool_error_m.value_or(0), 1e-7);           // m; torques to 1e-8
  EXPECT_LT(proof.max_orientation_error_rad.value_or(0), 1e-7);  // rad
  EXPECT_LT(s.max_constraint_residual, 1e-14);                   // m: rounding
}

inline void expect_differences_to_converge(const Posed& posed) {
  const double step = posed.problem.end() / 500;
  const Solution jets = solved_by_jets(posed, 1e-9, step);
  if (testing::Test::HasFailure()) return;
  const Vector peaks = jets.u.cwiseAbs().rowwise().maxCoeff();
  const auto miss = [&](int halves) {
    const Solution bdf =
        solve(posed.problem, posed.start, BdfOptions{.order = 2, .step = step / halves});
    EXPECT_EQ(bdf.status, Status::solved) << bdf.message;
    double worst = 0;
    if (bdf.status != Status::solved) return worst;
    for (Eigen::Index i = 30; i < jets.t.size(); ++i)  // past the corner where the path begins
      worst = std::max(
          worst,
          (jets.u.col(i) - bdf.u.col(halves * i)).cwiseAbs().cwiseQuotient(peaks).maxCoeff());
    return worst;
  };
  const double coarse = miss(1), fine = miss(2);
  EXPECT_LT(fine, 2e-3);  // of the peak: order 2 with 1000 steps
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.25) << coarse << " " << fine;
}

inline void expect_stated_errors(const Posed& posed) {
  const Solution truth = solved_by_jets(posed, 1e-12, 1e-3);
  for (const double tolerance : {1e-5, 1e-8}) {
    const Solution s = solved_by_jets(posed, tolerance, 1e-3);
    if (testing::Test::HasFailure()) return;
    for (Eigen::Index i = 0; i < s.u.rows(); ++i) {
      // what more steps know is known to their own error
      const double error =
          (s.u.row(i) - truth.u.row(i)).cwiseAbs().maxCoeff() - truth.torque_errors[i];
      const double peak = truth.u.row(i).cwiseAbs().maxCoeff();
      constexpr double rounding = 3e-13;  // poses closer than 1e-13 share their matrices
      EXPECT_LT(error, 5 * s.torque_errors[i] + rounding * peak) << tolerance << " drive " << i;
      EXPECT_LT(error, 3 * tolerance * peak) << " drive " << i;  // asked for: 1
    }
  }
}

}  // namespace tauflex
