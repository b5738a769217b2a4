#include "benchmarks/kdl_robot.hpp"

#include <kdl/chain.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <stdexcept>

namespace tauflex {

namespace {

KDL::Vector vector_of(const Vector3& a) { return {a[0], a[1], a[2]}; }

KDL::Chain chain_of(const Robot& robot) {
  KDL::Chain chain;
  for (const Link& link : robot.description().links) {
    const Matrix3& R = link.joint.X_PJ.R;
    const KDL::Frame frame(KDL::Rotation(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2),
                                         R(2, 0), R(2, 1), R(2, 2)),
                           vector_of(link.joint.X_PJ.p));
    const KDL::Joint joint(link.name, frame.p, vector_of(R * link.joint.axis.normalized()),
                           KDL::Joint::RotAxis);
    const Matrix3& J = link.inertia.about_com;
    const KDL::RotationalInertia about_com(J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2));
    const KDL::RigidBodyInertia inertia(link.inertia.mass, vector_of(link.inertia.com), about_com);
    chain.addSegment(KDL::Segment(link.name, joint, frame, inertia));
  }
  return chain;
}

}  // namespace

struct KdlRobot::Chain {
  explicit Chain(const Robot& robot)
      : chain(chain_of(robot)),
        solver(chain, vector_of(robot.gravity())),
        q(chain.getNrOfJoints()),
        v(q),
        vdot(q),
        tau(q),
        forces(chain.getNrOfSegments(), KDL::Wrench::Zero()) {}

  KDL::Chain chain;
  KDL::ChainIdSolver_RNE solver;
  KDL::JntArray q, v, vdot, tau;
  KDL::Wrenches forces;
};

KdlRobot::KdlRobot(const Robot& robot) : chain_(std::make_unique<Chain>(robot)) {}
KdlRobot::~KdlRobot() = default;

const Vector& KdlRobot::inverse_dynamics(const Vector& q, const Vector& v, const Vector& vdot) {
  Chain& c = *chain_;
  c.q.data = q;
  c.v.data = v;
  c.vdot.data = vdot;
  if (c.solver.CartToJnt(c.q, c.v, c.vdot, c.forces, c.tau) != 0)
    throw std::runtime_error("KDL refused the state");
  return c.tau.data;
}

}  // namespace tauflex
