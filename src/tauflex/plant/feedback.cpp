#include "tauflex/plant/feedback.hpp"

#include <algorithm>

namespace tauflex {

Feedback::Feedback(const Robot& plant, FeedbackReference reference, Measured measured)
    : reference_(std::move(reference)), angle_(Vector::Zero(reference_.kp.size())), rate_(angle_) {
  for (const DriveLayout& drive : plant.actuation().drives)
    encoders_.push_back(measured == Measured::motor ? motor_encoder(drive) : joint_encoder(drive));
}

void Feedback::interpolate(double t) {
  const FeedbackReference& f = reference_;
  const auto n = f.t.size();
  const auto after = std::upper_bound(f.t.begin(), f.t.end(), t) - f.t.begin();
  const auto i = std::clamp<Eigen::Index>(after - 1, 0, n - 2);
  const double h = f.t[i + 1] - f.t[i], s = std::clamp((t - f.t[i]) / h, 0.0, 1.0);
  const double h00 = (1 + 2 * s) * (1 - s) * (1 - s), h10 = s * (1 - s) * (1 - s);
  const double h01 = s * s * (3 - 2 * s), h11 = s * s * (s - 1);
  const double d = 6 * s * (s - 1) / h;
  angle_ = h00 * f.angle.col(i) + h01 * f.angle.col(i + 1) +
           h * (h10 * f.rate.col(i) + h11 * f.rate.col(i + 1));
  rate_ = d * (f.angle.col(i) - f.angle.col(i + 1)) + (1 - s) * (1 - 3 * s) * f.rate.col(i) +
          s * (3 * s - 2) * f.rate.col(i + 1);
}

void Feedback::add_torques(double t, const VectorRef& q, const VectorRef& v, VectorOut u) {
  interpolate(t);
  for (size_t d = 0; d < encoders_.size(); ++d) {
    const Encoder& e = encoders_[d];
    const auto k = static_cast<Eigen::Index>(d);
    u[k] += reference_.kp[k] * (angle_[k] - e.ratio * q[e.q]) +
            reference_.kd[k] * (rate_[k] - e.ratio * v[e.v]);
  }
}

void Feedback::add_gains(double, const VectorRef&, const VectorRef&, MatrixOut by_q,
                         MatrixOut by_v) {
  for (size_t d = 0; d < encoders_.size(); ++d) {
    const Encoder& e = encoders_[d];
    const auto k = static_cast<Eigen::Index>(d);
    by_q(k, e.v) -= reference_.kp[k] * e.ratio;
    by_v(k, e.v) -= reference_.kd[k] * e.ratio;
  }
}

}  // namespace tauflex
