#include "benchmarks/simbody_robot.hpp"

#include "plant/simbody.hpp"
#include "tauflex/math/rotations.hpp"

namespace tauflex {

namespace {

SimTK::Vec3 vec(const Vector3& a) { return {a[0], a[1], a[2]}; }
SimTK::Rotation rotation(const Matrix3& R) {
  SimTK::Mat33 m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m(i, j) = R(i, j);
  return SimTK::Rotation(m);
}

}  // namespace

// Weights are forces on the bodies; everything else is its recursive Newton-Euler.
struct SimbodyRobot::System {
  explicit System(const Robot& robot)
      : matter(system), none(robot.tree_nv(), 0.0), gravity(vec(robot.gravity())) {
    SimTK::MobilizedBodyIndex parent = SimTK::GroundIndex;
    for (const Link& link : robot.description().links) {
      const LinkInertia& inertia = link.inertia;
      const Matrix3& J = inertia.about_com;
      const SimTK::Vec3 com = vec(inertia.com);
      const SimTK::Inertia about_com(J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2));
      const SimTK::MassProperties mass(inertia.mass, com,
                                       about_com.shiftFromMassCenter(com, inertia.mass));
      const Matrix3 turned = rotation_with_z_along(link.joint.axis.normalized());
      SimTK::MobilizedBody::Pin joint(
          matter.updMobilizedBody(parent),
          SimTK::Transform(rotation(link.joint.X_PJ.R * turned), vec(link.joint.X_PJ.p)),
          SimTK::Body::Rigid(mass), SimTK::Transform(rotation(turned)));
      parent = joint.getMobilizedBodyIndex();
    }
    state = system.realizeTopology();
    tau.resize(robot.tree_nv());
  }

  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter;
  SimTK::State state;
  SimTK::Vector none, vdot, residual;
  SimTK::Vector_<SimTK::SpatialVec> weights;
  SimTK::Vec3 gravity;
  Vector tau;
};

SimbodyRobot::SimbodyRobot(const Robot& robot) : system_(std::make_unique<System>(robot)) {}
SimbodyRobot::~SimbodyRobot() = default;

const Vector& SimbodyRobot::inverse_dynamics(const Vector& q, const Vector& v, const Vector& vdot) {
  System& s = *system_;
  s.state.updQ() = SimTK::Vector(static_cast<int>(q.size()), q.data());
  s.state.updU() = SimTK::Vector(static_cast<int>(v.size()), v.data());
  s.vdot = SimTK::Vector(static_cast<int>(vdot.size()), vdot.data());
  s.system.realize(s.state, SimTK::Stage::Velocity);
  s.weights.resize(s.matter.getNumBodies());
  s.weights.setToZero();
  for (SimTK::MobilizedBodyIndex i(1); i < s.matter.getNumBodies(); ++i) {
    const SimTK::MobilizedBody& body = s.matter.getMobilizedBody(i);
    s.matter.addInStationForce(s.state, i, body.getBodyMassCenterStation(s.state),
                               body.getBodyMass(s.state) * s.gravity, s.weights);
  }
  s.matter.calcResidualForceIgnoringConstraints(s.state, s.none, s.weights, s.vdot, s.residual);
  for (Eigen::Index k = 0; k < s.tau.size(); ++k) s.tau[k] = s.residual[static_cast<int>(k)];
  return s.tau;
}

}  // namespace tauflex
