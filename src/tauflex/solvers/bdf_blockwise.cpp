#include <Eigen/LU>

#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/solvers/bdf.hpp"

namespace tauflex {

namespace {

size_t at(int index) { return static_cast<size_t>(index); }

// Everything one step writes, allocated once. With v and vdot replaced by their BDF formulas the
// first block is as many equations as there are joints:                               theory (P.2)
//   c(q) - y_d(t) = 0,   tau_p(q, v, vdot) = 0 for the joints p without a drive
class Blocks {
 public:
  Blocks(const InverseProblem& problem, const BdfFormula& formula, double h)
      : problem_(problem),
        robot_(problem.robot()),
        n_(robot_.tree_nv()),
        ny_(problem.output_count()),
        formula_(formula),
        h_(h),
        mechanics_(robot_),
        r_(n_),
        dq_(n_),
        y_(ny_),
        c_(ny_),
        v_past_(n_),
        vdot_past_(n_),
        J_(Matrix::Zero(n_, n_)),
        J_out_(Matrix::Zero(ny_, robot_.nq())),
        lu_(n_),
        stretch_(robot_.rotors()),
        load_(robot_.rotors()),
        drive_lu_(robot_.rotors()) {
    Matrix S = Matrix::Zero(robot_.rotors(), robot_.rotors());  // K + (a_0/h) D
    for (const SpringEntry& e : robot_.drive_springs())
      S(e.row, e.column) = e.stiffness + formula.a[0] / h * e.damping;
    if (robot_.rotors() > 0) drive_lu_.compute(S);
  }

  // The known part of the BDF formula, (1/h) sum_{l>=1} a_l x(t_i - l h).
  template <class Out>
  void past(const Matrix& x, int i, Out&& out) const {
    out.setZero();
    for (int l = 1; l <= formula_.order; ++l)
      out += (formula_.a[at(l)] / h_) * x.col(std::max(i - l, 0)).head(out.size());
  }

  // Block 1: joint positions, velocities and accelerations at step i.
  std::optional<StepFailure> joints(int i, double t, const NewtonOptions& newton, Solution& s) {
    auto q = s.q.col(i).head(n_);
    q.setZero();
    for (int l = 1; l <= formula_.order + 1; ++l)
      q += formula_.b[at(l)] * s.q.col(std::max(i - l, 0)).head(n_);
    past(s.q, i, v_past_);
    past(s.v, i, vdot_past_);
    path_values<double>(problem_.path(), t, y_);

    double last = 0;
    bool have_jacobian = false;
    for (int iteration = 0; iteration < newton.max_iterations; ++iteration) {
      differentiate(i, s);
      if (!have_jacobian) {
        joint_torque_derivatives<double>(robot_, mechanics_, q, s.v.col(i), s.vdot.col(i));
        factorize();
        have_jacobian = true;
      } else {
        joint_torques<double>(robot_, mechanics_, q, s.v.col(i), s.vdot.col(i));
      }
      residual(s.q.col(i));
      dq_.noalias() = lu_.solve(r_);
      q -= dq_;
      ++s.newton_iterations;
      const double size = dq_.cwiseAbs().maxCoeff();
      if (!std::isfinite(size)) break;
      // The Jacobian is kept within a step: the error that is left shrinks by `rate` each time,
      // until rounding stops it.
      const double rate = iteration == 0 ? 1 : std::min(1.0, size / last);
      const double scale = 1 + q.cwiseAbs().maxCoeff();
      if (rate * size <= newton.tolerance * scale ||
          (rate > 0.5 && iteration > 1 && size < 1e-9 * scale)) {
        differentiate(i, s);
        joint_torques<double>(robot_, mechanics_, q, s.v.col(i), s.vdot.col(i));
        residual(s.q.col(i));
        return std::nullopt;
      }
      have_jacobian = iteration == 0 || rate < 0.1;
      last = size;
    }
    return failure(i);
  }

  // Block 2: K d + D d' = tau for the stretch d = q_m/n - q of the drive springs.
  void rotors(int i, Solution& s) {
    const int nr = robot_.rotors();
    for (int k = 0; k < nr; ++k) load_[k] = mechanics_.tau[drive(k).joint_v];
    for (const SpringEntry& e : robot_.drive_springs()) {
      if (e.damping == 0) continue;
      const DriveLayout& other = drive(e.column);
      double rate = 0;
      for (int l = 1; l <= formula_.order; ++l) {
        const auto before = s.q.col(std::max(i - l, 0));
        rate += formula_.a[at(l)] / h_ *
                (before[other.rotor_q] / other.gear_ratio - before[other.joint_q]);
      }
      load_[e.row] -= e.damping * rate;
    }
    if (nr > 0) stretch_.noalias() = drive_lu_.solve(load_);
    for (int k = 0; k < nr; ++k)
      s.q(drive(k).rotor_q, i) = drive(k).gear_ratio * (stretch_[k] + s.q(drive(k).joint_q, i));
    auto v = s.v.col(i).tail(nr);
    auto vdot = s.vdot.col(i).tail(nr);
    for (int k = 0; k < nr; ++k) {
      v[k] = formula_.a[0] / h_ * s.q(drive(k).rotor_q, i);
      for (int l = 1; l <= formula_.order; ++l)
        v[k] += formula_.a[at(l)] / h_ * s.q(drive(k).rotor_q, std::max(i - l, 0));
      vdot[k] = formula_.a[0] / h_ * v[k];
      for (int l = 1; l <= formula_.order; ++l)
        vdot[k] += formula_.a[at(l)] / h_ * s.v(drive(k).rotor_v, std::max(i - l, 0));
    }
  }

  // Block 3: torques and outputs.
  void torques(int i, Solution& s) {
    drive_spring_torques<double>(robot_, mechanics_, s.q.col(i), s.v.col(i));
    motor_torques<double>(robot_, mechanics_, s.v.col(i), s.vdot.col(i), s.u.col(i));
    s.y.col(i) = c_;
    s.max_constraint_residual =
        std::max(s.max_constraint_residual, (c_ - y_).cwiseAbs().maxCoeff());
  }

 private:
  const DriveLayout& drive(int rotor) const { return robot_.elastic_drive(rotor); }

  void differentiate(int i, Solution& s) const {
    s.v.col(i).head(n_) = (formula_.a[0] / h_) * s.q.col(i).head(n_) + v_past_;
    s.vdot.col(i).head(n_) = (formula_.a[0] / h_) * s.v.col(i).head(n_) + vdot_past_;
  }

  void residual(const VectorRef& q) {
    output_values<double>(robot_, mechanics_, q, problem_.outputs(), c_);
    r_.head(ny_) = c_ - y_;
    int row = ny_;
    for (const int p : problem_.passive_rows()) r_[row++] = mechanics_.tau[p];
  }

  void factorize() {
    output_jacobian<double>(robot_, mechanics_, problem_.outputs(), J_out_);
    J_.topRows(ny_) = J_out_.leftCols(n_);
    const double s = formula_.a[0] / h_;
    int row = ny_;
    for (const int p : problem_.passive_rows())
      J_.row(row++) =
          mechanics_.dtau_dq.row(p) + s * mechanics_.dtau_dv.row(p) + s * s * mechanics_.M.row(p);
    lu_.compute(J_);
  }

  StepFailure failure(int i) const {
    Eigen::Index worst = 0;
    // Rows in different units: compare each with what its own Jacobian row makes of a unit step.
    (r_.cwiseAbs().array() / J_.rowwise().norm().array().max(1e-300)).maxCoeff(&worst);
    const int row = static_cast<int>(worst);
    return {i,
            row < ny_ ? problem_.output_row_name(row)
                      : problem_.row_name(problem_.passive_rows()[at(row - ny_)]),
            r_[worst]};
  }

  const InverseProblem& problem_;
  const Robot& robot_;
  int n_, ny_;
  BdfFormula formula_;
  double h_;
  MechanicsData<double> mechanics_;
  Vector r_, dq_, y_, c_, v_past_, vdot_past_;
  Matrix J_, J_out_;
  Eigen::PartialPivLU<Matrix> lu_;
  Vector stretch_, load_;
  Eigen::PartialPivLU<Matrix> drive_lu_;
};

}  // namespace

std::optional<StepFailure> solve_blockwise(const InverseProblem& problem, const BdfOptions& options,
                                           const TimeGrid& grid, const Progress& progress,
                                           Solution& solution) {
  Blocks blocks(problem, BdfFormula(options.order), grid.step);
  for (int i = 1; i <= grid.steps; ++i) {
    if (auto failure = blocks.joints(i, grid.time(i), options.newton, solution)) return failure;
    blocks.rotors(i, solution);
    blocks.torques(i, solution);
    solution.steps = i;
    if (progress && i % 256 == 0 && !progress(static_cast<double>(i) / grid.steps)) {
      solution.status = Status::interrupted;
      break;
    }
  }
  return std::nullopt;
}

}  // namespace tauflex
