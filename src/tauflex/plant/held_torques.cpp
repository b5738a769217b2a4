#include "tauflex/plant/held_torques.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

#include "tauflex/base/fields.hpp"
#include "tauflex/base/sizes.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/constrained_dynamics.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

std::vector<Field> sampling_fields(double& sample, Hold& hold, HeldValue& torques) {
  using namespace describe;
  return {number("sample", sample, above(0), "s", "between two commands"),
          choice("hold", hold, {{"zero", Hold::held}, {"linear", Hold::linear}},
                 "between samples; linear for torques alone"),
          choice("torques", torques,
                 {HeldValue::start, HeldValue::middle, HeldValue::mean, HeldValue::best},
                 "of the solution, in each sample")};
}

std::vector<Field> SamplingOptions::fields() { return sampling_fields(sample, hold, torques); }

void SamplingOptions::check() const {
  check_fields("controller", SamplingOptions(*this).fields());
  if (hold == Hold::linear && torques == HeldValue::middle)
    throw FieldError("controller", "torques", "middle belongs to hold: zero");
}

namespace {

// Gauss-Legendre on [0, 1]: integrals to degree 5.
constexpr std::array<double, 3> node = {0.1127016653792583, 0.5, 0.8872983346207417};
constexpr std::array<double, 3> weight = {5.0 / 18, 8.0 / 18, 5.0 / 18};

// u at the nodes of every sample.
class NodeTorques {
 public:
  NodeTorques(const Solution& solution, const Vector& t)
      : signal_(solution.t, solution.u, Hold::smooth), t_(t) {}

  Vector at(double time) const {
    Vector u(signal_.size());
    signal_.value(time, signal_.interval(time), u);
    return u;
  }
  Vector at(Eigen::Index k, double x) const { return at(t_[k] + x * (t_[k + 1] - t_[k])); }

 private:
  TorqueSignal signal_;
  const Vector& t_;
};

// Knots of the broken line closest to u in the mean square: T/6 (w_(k-1) + 4 w_k + w_(k+1)) is the
// integral of u times the hat at t_k; by elimination.
Matrix closest_line(const NodeTorques& u, Eigen::Index samples, Eigen::Index drives) {
  Matrix right = Matrix::Zero(drives, samples + 1);
  for (Eigen::Index k = 0; k < samples; ++k)
    for (size_t i = 0; i < node.size(); ++i) {
      const Vector value = weight[i] * u.at(k, node[i]);
      right.col(k) += (1 - node[i]) * value;
      right.col(k + 1) += node[i] * value;
    }
  Vector pivot = Vector::Constant(samples + 1, 4.0 / 6);
  pivot[0] = pivot[samples] = 2.0 / 6;
  for (Eigen::Index k = 1; k <= samples; ++k) {
    const double factor = 1.0 / 6 / pivot[k - 1];
    pivot[k] -= factor / 6;
    right.col(k) -= factor * right.col(k - 1);
  }
  right.col(samples) /= pivot[samples];
  for (Eigen::Index k = samples - 1; k >= 0; --k)
    right.col(k) = (right.col(k) - right.col(k + 1) / 6) / pivot[k];
  return right;
}

Matrix simple_values(const NodeTorques& u, const Vector& t, Eigen::Index drives,
                     const SamplingOptions& options) {
  const Eigen::Index samples = t.size() - 1;
  const bool near_u = options.torques == HeldValue::mean || options.torques == HeldValue::best;
  if (near_u && options.hold == Hold::linear) return closest_line(u, samples, drives);
  Matrix values = Matrix::Zero(drives, samples + 1);
  for (Eigen::Index k = 0; k < samples; ++k) {
    if (near_u)
      for (size_t i = 0; i < node.size(); ++i) values.col(k) += weight[i] * u.at(k, node[i]);
    else
      values.col(k) = u.at(k, options.torques == HeldValue::middle ? 0.5 : 0.0);
  }
  values.col(samples) = options.hold == Hold::linear ? u.at(t[samples]) : values.col(samples - 1);
  return values;
}

// Errors of the robot during one sample, linearised on its motion. z are errors of state, with the
// last knot where the torque is straight; c is what may be chosen.
//   z(t_(k+1)) = F z + H c + r,   outputs halfway and at the end: E z + D c + g
struct Stage {
  Matrix F, H, E, D;
  Vector r, g;
};

class Stages {
 public:
  Stages(const InverseProblem& problem, const Solution& solution)
      : problem_(problem),
        robot_(problem.robot()),
        motion_(solution.t, stacked(solution), Hold::smooth),
        dynamics_(robot_),
        data_(robot_),
        nv_(robot_.nv()),
        nu_(static_cast<int>(robot_.actuation().drives.size())),
        row_(motion_.size()),
        vdot_(Vector::Zero(nv_)),
        free_(vdot_),
        lambda_(Vector::Zero(robot_.constraint_count())) {
    scale_ = std::max(1e-6, solution.u.size() > 0 ? solution.u.cwiseAbs().maxCoeff() : 0.0);
  }

  // offset: sent minus wanted torque at the nodes of the sample, one column each.
  Stage at(double begin, double T, const Matrix& offset, bool straight) {
    const int n = 2 * nv_;
    // X(s) = a + b (s - T/2), from the two points of Gauss; each half by Magnus of order 4:
    // exp(h a - h^3/12 [a, b])
    const double gauss = T * std::sqrt(3.0) / 6;
    const Matrix left = linear_plant(begin + T / 2 - gauss, T);
    const Matrix right = linear_plant(begin + T / 2 + gauss, T);
    const Matrix middle = 0.5 * (left + right), slope = (right - left) / (2 * gauss);
    const auto half_step = [&](double offset_of_middle) {
      const double h = T / 2;
      const Matrix here = middle + offset_of_middle * slope;
      return exponential(h * here - h * h * h / 12 * (here * slope - slope * here));
    };
    const Matrix half = half_step(-T / 4), whole = half_step(T / 4) * half;
    // offset = e_0 + e_1 s + e_2 s^2/2 through its values at the nodes, s = 0..1
    Eigen::Matrix3d powers;
    for (int i = 0; i < 3; ++i) {
      const double x = node[i];
      powers.row(i) << 1, x, x * x / 2;
    }
    const Vector e = solve_linear(powers, offset.transpose()).transpose().reshaped();

    const Matrix C_half = output_rows(begin + T / 2), C_whole = output_rows(begin + T);
    Stage s;
    const auto constant = [&](const Matrix& M) { return M.block(0, n, n, nu_); };
    const auto ramp = [&](const Matrix& M) { return M.block(0, n + nu_, n, nu_); };
    const auto outputs = [&](const Matrix& on_half, const Matrix& on_whole) {
      Matrix rows(2 * C_half.rows(), on_half.cols());
      rows << C_half * on_half.topRows(nv_), C_whole * on_whole.topRows(nv_);
      return rows;
    };
    s.r = whole.topRightCorner(n, 3 * nu_) * e;
    s.g = outputs(half.topRightCorner(n, 3 * nu_) * e, s.r);
    if (!straight) {
      s.F = whole.topLeftCorner(n, n);
      s.H = constant(whole);
      s.E = outputs(half.topLeftCorner(n, n), s.F);
      s.D = outputs(constant(half), s.H);
      return s;
    }
    // z = (x, w_k), c = w_(k+1): e_0 = w_k, e_1 = w_(k+1) - w_k
    const auto begins = [&](const Matrix& M) {
      Matrix rows(n, n + nu_);
      rows << M.topLeftCorner(n, n), constant(M) - ramp(M);
      return rows;
    };
    s.F = Matrix::Zero(n + nu_, n + nu_);
    s.F.topRows(n) = begins(whole);
    s.H.resize(n + nu_, nu_);
    s.H << ramp(whole), Matrix::Identity(nu_, nu_);
    s.E = outputs(begins(half), begins(whole));
    s.D = outputs(ramp(half), ramp(whole));
    s.r = (Vector(n + nu_) << s.r, Vector::Zero(nu_)).finished();
    return s;
  }

 private:
  static Matrix stacked(const Solution& s) {
    Matrix all(s.q.rows() + 2 * s.v.rows() + s.lambda.rows() + s.y.rows(), s.t.size());
    all << s.q, s.v, s.vdot, s.lambda, s.y;
    return all;
  }
  void look(double t) { motion_.value(t, motion_.interval(t), row_); }
  auto q() const { return row_.head(robot_.nq()); }
  auto v() const { return row_.segment(robot_.nq(), nv_); }
  auto vdot() const { return row_.segment(robot_.nq() + nv_, nv_); }
  auto lambda() const { return row_.segment(robot_.nq() + 2 * nv_, lambda_.size()); }
  auto y() const { return row_.tail(problem_.output_count()); }

  // x' = A x + B e_0, e_0' = e_1 / T, e_1' = e_2 / T: errors (q, v) under torques that are
  // quadratic in time.
  Matrix linear_plant(double t, double T) {
    look(t);
    const int n = 2 * nv_;
    Matrix X = Matrix::Zero(n + 3 * nu_, n + 3 * nu_), by_q = Matrix::Zero(nv_, nv_), by_v = by_q;
    const Matrix none = by_q;
    // accelerations are linear in u
    Vector u = Vector::Zero(nu_);
    dynamics_.accelerations(q(), v(), u, t, free_, lambda_);
    for (int d = 0; d < nu_; ++d) {
      u.setZero();
      u[d] = scale_;
      dynamics_.accelerations(q(), v(), u, t, vdot_, lambda_);
      X.block(nv_, n + d, nv_, 1) = (vdot_ - free_) / scale_;
    }
    dynamics_.acceleration_derivatives(q(), v(), vdot(), lambda(), none, none, by_q, by_v);
    X.block(0, nv_, nv_, nv_).setIdentity();
    X.block(nv_, 0, nv_, nv_) = by_q;
    X.block(nv_, nv_, nv_, nv_) = by_v;
    X.block(n, n + nu_, 2 * nu_, 2 * nu_).diagonal().setConstant(1 / T);
    return X;
  }

  // Motion outputs by directions of v.
  Matrix output_rows(double t) {
    look(t);
    kinematics<double>(robot_, data_, q());
    Matrix J = Matrix::Zero(problem_.output_count(), nv_);
    output_jacobian(robot_, data_, problem_.outputs(), y(), J);
    return J;
  }

  const InverseProblem& problem_;
  const Robot& robot_;
  TorqueSignal motion_;  // q, v, vdot, lambda, y
  ConstrainedDynamics dynamics_;
  MechanicsData data_;
  int nv_, nu_;
  double scale_;
  Vector row_, vdot_, free_, lambda_;
};

// The corrections c_k that make the sum of |outputs|^2 + |c_k / size|^2 least, by the recursion of
// [Anderson1990]: the cost from t_k on is z^T P z + 2 p^T z + ..
Matrix least_squares_corrections(const std::vector<Stage>& stages, const Vector& size) {
  const auto samples = static_cast<Eigen::Index>(stages.size());
  const auto n = stages.front().F.rows(), nu = stages.front().H.cols();
  Matrix P = Matrix::Zero(n, n);
  Vector p = Vector::Zero(n);
  std::vector<Matrix> gain(stages.size());
  Matrix constant(nu, samples);
  for (Eigen::Index k = samples - 1; k >= 0; --k) {
    const Stage& s = stages[k];
    Matrix cc = s.D.transpose() * s.D + s.H.transpose() * P * s.H;
    cc.diagonal() += size.cwiseAbs2().cwiseInverse();
    const Matrix cz = s.D.transpose() * s.E + s.H.transpose() * P * s.F;
    const Vector behind = P * s.r + p;
    const Vector c0 = s.D.transpose() * s.g + s.H.transpose() * behind;
    const Matrix& K = gain[k] = -solve_linear(cc, cz);
    constant.col(k) = -solve_linear(cc, c0);
    p = s.E.transpose() * s.g + s.F.transpose() * behind + K.transpose() * c0;
    const Matrix next = s.E.transpose() * s.E + s.F.transpose() * P * s.F + cz.transpose() * K;
    P = 0.5 * (next + next.transpose());
  }
  Matrix c(nu, samples);
  Vector z = Vector::Zero(n);
  for (Eigen::Index k = 0; k < samples; ++k) {
    const Stage& s = stages[k];
    c.col(k) = gain[k] * z + constant.col(k);
    z = s.F * z + s.H * c.col(k) + s.r;
  }
  return c;
}

// Without corrections.
double largest_output(const std::vector<Stage>& stages) {
  Vector z = Vector::Zero(stages.front().F.rows());
  double largest = 0;
  for (const Stage& s : stages) {
    largest = std::max(largest, (s.E * z + s.g).cwiseAbs().maxCoeff());
    z = s.F * z + s.r;
  }
  return largest;
}

void improve(const InverseProblem& problem, const Solution& solution, const NodeTorques& u,
             const Vector& t, bool straight, Matrix& values) {
  Stages linear(problem, solution);
  const Eigen::Index samples = t.size() - 1;
  std::vector<Stage> stages;
  Vector ripple = Vector::Zero(values.rows());
  Matrix offset(values.rows(), 3);
  for (Eigen::Index k = 0; k < samples; ++k) {
    for (int i = 0; i < 3; ++i) {
      const double x = node[i];
      offset.col(i) = values.col(k) - u.at(k, x);
      if (straight) offset.col(i) += x * (values.col(k + 1) - values.col(k));
    }
    ripple = ripple.cwiseMax(offset.cwiseAbs().rowwise().maxCoeff());
    stages.push_back(linear.at(t[k], t[k + 1] - t[k], offset, straight));
  }
  const double error = largest_output(stages);
  if (ripple.isZero(0) || error == 0) return;
  // A correction as large as the ripple of the hold costs as much as a ten-thousandth of the error
  // without corrections. Larger ones are no answer: they cost more until they stay below.
  Vector size = ripple.cwiseMax(1e-12 * ripple.maxCoeff()) / (1e-4 * error);
  Matrix c = least_squares_corrections(stages, size);
  const auto too_large = [&] {
    return (c.cwiseAbs().rowwise().maxCoeff().array() > ripple.array()).any();
  };
  for (int attempt = 0; attempt < 8 && too_large(); ++attempt) {
    size /= 10;
    c = least_squares_corrections(stages, size);
  }
  values.middleCols(straight ? 1 : 0, samples) += c;
  if (!straight) values.col(samples) = values.col(samples - 1);
}

}  // namespace

HeldTorques held_torques(const InverseProblem& problem, const Solution& solution,
                         const SamplingOptions& options) {
  options.check();
  const double begin = solution.t[0], span = solution.t[solution.t.size() - 1] - begin;
  const double count = std::ceil(span / options.sample - 1e-9);
  require_room(
      fmt::format("controller.sample: samples of {:.3g} s over {:.6g} s", options.sample, span),
      count, 1 + static_cast<double>(solution.u.rows()));
  const auto samples = std::max<Eigen::Index>(1, static_cast<Eigen::Index>(count));
  HeldTorques held;
  held.t = begin +
           options.sample * Vector::LinSpaced(samples + 1, 0, static_cast<double>(samples)).array();
  const NodeTorques u(solution, held.t);
  held.u = simple_values(u, held.t, solution.u.rows(), options);
  if (options.torques == HeldValue::best && solution.u.rows() > 0 && problem.output_count() > 0)
    improve(problem, solution, u, held.t, options.hold == Hold::linear, held.u);
  return held;
}

}  // namespace tauflex
