#include "tauflex/model/link_frame_layout.hpp"

namespace tauflex {

namespace {

// Where a body is fixed: on a link, -1 for the world.
struct Seat {
  int link;
  Pose X_LB;
};

void add_mass(const Body& body, const Pose& X_LB, LinkFrame& link) {
  const Vector3 c = X_LB.p + X_LB.R * body.com;
  const Matrix3 J = X_LB.R * body.inertia * X_LB.R.transpose();
  // J = trace(sigma) 1 - sigma, about the centre of mass
  const Matrix3 sigma = J.trace() / 2 * Matrix3::Identity() - J + body.mass * c * c.transpose();
  link.mass += body.mass;
  for (int i = 0, at = 0; i < 3; ++i) {
    link.moment[i] += body.mass * c[i];
    for (int j = i; j < 3; ++j) link.sigma[at++] += sigma(i, j);
  }
}

}  // namespace

std::vector<LinkFrame> lay_out_link_frames(const std::vector<Body>& bodies) {
  std::vector<LinkFrame> links;
  std::vector<Seat> seats;
  for (const Body& body : bodies) {
    if (body.v_count > 1 || body.beam >= 0) return {};
    const Seat parent = body.parent < 0 ? Seat{-1, Pose{}} : seats[body.parent];
    const Pose X = parent.X_LB * Pose{body.R_PB, body.p_PB};
    if (body.v_count == 0) {
      seats.push_back({parent.link, X});
    } else {
      LinkFrame link{};
      link.parent = parent.link;
      link.turns = body.type == JointType::revolute;
      link.zero = body.zero;
      Eigen::Map<Matrix3>(link.R) = X.R;
      Eigen::Map<Vector3>(link.p) = X.p;
      seats.push_back({static_cast<int>(links.size()), Pose{}});
      links.push_back(link);
    }
    if (const Seat& seat = seats.back(); seat.link >= 0)
      add_mass(body, seat.X_LB, links[seat.link]);
  }
  return links;
}

}  // namespace tauflex
