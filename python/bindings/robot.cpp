#include <fmt/format.h>

#include <memory>

#include "bindings.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/energy.hpp"
#include "tauflex/mechanics/forward_dynamics.hpp"
#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/mechanics/torques_of_states.hpp"
#include "tauflex/model/robot_file.hpp"
#include "tauflex/report/modes_text.hpp"

namespace tauflex::python {

namespace {

// The states that a call is about, as many of each.
Eigen::Index common_count(std::initializer_list<const States*> all) {
  Eigen::Index count = 1;
  for (const States* states : all)
    count = std::max(count, states->is_single() ? 1 : states->count());
  for (const States* states : all)
    if (!states->is_single() && states->count() != count)
      throw InputError(
          fmt::format("expected {} states everywhere, got {}", count, states->count()));
  return count;
}

bool all_single(std::initializer_list<const States*> all) {
  for (const States* states : all)
    if (!states->is_single()) return false;
  return true;
}

// `rows` numbers for every state, or a matrix of them.
Array result_for(std::initializer_list<const States*> of, std::vector<py::ssize_t> shape) {
  if (!all_single(of)) shape.insert(shape.begin(), common_count(of));
  return Array(shape);
}

States positions(const Robot& robot, const Array& q) {
  return States(q, robot.tree_nq(), robot.nq(), "q");
}
States velocities(const Robot& robot, const Array& v, const char* name) {
  return States(v, robot.tree_nv(), robot.nv(), name);
}

// A column per state, without a copy but where one state stands for all.
MatrixRef columns(const States& states, Eigen::Index count) {
  const auto first = states[0];
  if (states.is_single()) return first.replicate(1, count);
  return Eigen::Map<const Matrix>(first.data(), first.size(), count);
}

Array rnea(const Robot& robot, const Array& q, const Array& v, const Array& a) {
  const States Q = positions(robot, q), V = velocities(robot, v, "v"),
               A = velocities(robot, a, "a");
  Array tau = result_for({&Q, &V, &A}, {robot.tree_nv()});
  const Eigen::Index count = common_count({&Q, &V, &A});
  double* out = tau.mutable_data();
  const py::gil_scoped_release unlocked;
  StatesData data(robot);
  torques_of_states(robot, data, columns(Q, count), columns(V, count), columns(A, count),
                    Eigen::Map<Matrix>(out, robot.tree_nv(), count));
  return tau;
}

py::tuple rnea_derivatives(const Robot& robot, const Array& q, const Array& v, const Array& a) {
  const States Q = positions(robot, q), V = velocities(robot, v, "v"),
               A = velocities(robot, a, "a");
  if (!all_single({&Q, &V, &A})) throw InputError("rnea_derivatives: expected one state");
  MechanicsData data(robot);
  joint_torque_derivatives(robot, data, Q[0], V[0], A[0]);
  return py::make_tuple(copied(data.dtau_dq), copied(data.dtau_dv), copied(data.M));
}

Array masses(const Robot& robot, const Array& q) {
  const States Q = positions(robot, q);
  const int n = robot.tree_nv();
  Array M = result_for({&Q}, {n, n});
  double* out = M.mutable_data();
  const py::gil_scoped_release unlocked;
  MechanicsData data(robot);
  for (Eigen::Index i = 0; i < Q.count(); ++i) {
    mass_matrix(robot, data, Q[i]);
    Eigen::Map<Matrix>(out + i * n * n, n, n) = data.M;  // symmetric
  }
  return M;
}

Array aba(const Robot& robot, const Array& q, const Array& v, const Array& tau) {
  const States Q = positions(robot, q), V = velocities(robot, v, "v"),
               T(tau, robot.tree_nv(), robot.tree_nv(), "tau");
  Array a = result_for({&Q, &V, &T}, {robot.tree_nv()});
  const Eigen::Index count = common_count({&Q, &V, &T});
  double* out = a.mutable_data();
  const py::gil_scoped_release unlocked;
  MechanicsData data(robot);
  const Vector still = Vector::Zero(robot.nv());
  Vector others(robot.tree_nv());
  for (Eigen::Index i = 0; i < count; ++i) {
    // Springs between links and at passive joints act as well: joint_torques() has them, and
    // what the tree alone would need is taken out again.
    joint_torques<double>(robot, data, Q[i], V[i], still);
    others = data.tau;
    inverse_dynamics<double>(robot, data, Q[i], V[i], still);
    others -= data.tau;
    tree_accelerations(robot, data, Q[i], V[i], T[i] - others,
                       Eigen::Map<Vector>(out + i * robot.tree_nv(), robot.tree_nv()));
  }
  return a;
}

Array accelerations(const Robot& robot, const Array& q, const Array& v, const Array& u) {
  const auto drives = std::ssize(robot.actuation().drives);
  const States Q(q, robot.nq(), robot.nq(), "q"), V(v, robot.nv(), robot.nv(), "v"),
      U(u, drives, drives, "u");
  Array a = result_for({&Q, &V, &U}, {robot.nv()});
  const Eigen::Index count = common_count({&Q, &V, &U});
  double* out = a.mutable_data();
  const py::gil_scoped_release unlocked;
  MechanicsData data(robot);
  for (Eigen::Index i = 0; i < count; ++i)
    forward_dynamics(robot, data, Q[i], V[i], U[i],
                     Eigen::Map<Vector>(out + i * robot.nv(), robot.nv()));
  return a;
}

const Frame& named_frame(const Robot& robot, const std::string& name) {
  const int index = robot.find_frame(name);
  if (index >= 0) return robot.frames()[index];
  std::vector<std::string> names;
  for (const Frame& frame : robot.frames()) names.push_back(frame.name);
  throw InputError(fmt::format("frame '{}' does not exist{}", name, did_you_mean(name, names)));
}

py::tuple frame_pose(const Robot& robot, const std::string& name, const Array& q) {
  const Frame& frame = named_frame(robot, name);
  const States Q = positions(robot, q);
  if (!Q.is_single()) throw InputError("frame: expected one state");
  MechanicsData data(robot);
  kinematics<double>(robot, data, Q[0]);
  const Vector p = frame_position<double>(data, frame);
  const Matrix R = frame_rotation<double>(data, frame);
  return py::make_tuple(copied(p), copied(R));
}

// Velocity of the frame's origin over its angular velocity, in world axes.
Array frame_jacobian_of(const Robot& robot, const std::string& name, const Array& q) {
  const Frame& frame = named_frame(robot, name);
  const States Q = positions(robot, q);
  if (!Q.is_single()) throw InputError("jacobian: expected one state");
  MechanicsData data(robot);
  kinematics<double>(robot, data, Q[0]);
  const Vector3 p = frame_position<double>(data, frame);
  Matrix J = Matrix::Zero(6, robot.tree_nv());
  for_each_motion(robot, data, frame,
                  [&](int k, const Motion<double>& X) { J.col(k) << X.v + X.w.cross(p), X.w; });
  return copied(J);
}

py::tuple energies(const Robot& robot, const Array& q, const Array& v) {
  const States Q(q, robot.nq(), robot.nq(), "q"), V(v, robot.nv(), robot.nv(), "v");
  if (!all_single({&Q, &V})) throw InputError("energy: expected one state");
  MechanicsData data(robot);
  const Energy e = energy(robot, data, Q[0], V[0]);
  return py::make_tuple(e.kinetic, e.potential);
}

// As `tauflex modes --json` prints them.
std::string modes(const Robot& robot, const std::optional<Array>& at, bool free) {
  Vector q = robot.coordinates().neutral;
  if (at) {
    const States Q = positions(robot, *at);
    if (!Q.is_single()) throw InputError("modes: expected one state");
    q.head(Q[0].size()) = Q[0];
  }
  const py::gil_scoped_release unlocked;
  normalize(robot, q);
  q = settled(robot, assemble(robot, 0, q));
  return modes_json("robot", {robot, q, free, natural_modes(robot, q, {}, !free)}, {});
}

std::vector<std::string> frame_names(const Robot& robot) {
  std::vector<std::string> names;
  for (const Frame& frame : robot.frames()) names.push_back(frame.name);
  return names;
}

}  // namespace

void bind_robot(py::module_& module) {
  py::class_<Robot, std::shared_ptr<Robot>>(
      module, "Robot", R"(A robot: a tree of links, drives, springs and constraints.

Coordinates q are the joints in link order, then the rotors of elastic drives; units are SI
(m, rad, kg, N, N m). Functions of a state take one state, or an array with a row per state.)")
      .def_property_readonly("nq", &Robot::nq, "Coordinates, rotors included.")
      .def_property_readonly("nv", &Robot::nv, "Velocities, rotors included.")
      .def_property_readonly("joint_nq", &Robot::tree_nq, "Coordinates without rotors.")
      .def_property_readonly("joint_nv", &Robot::tree_nv, "Velocities without rotors.")
      .def_property_readonly(
          "coordinates", [](const Robot& robot) { return robot.coordinates().names; },
          "Names of q.")
      .def_property_readonly(
          "velocities", [](const Robot& robot) { return robot.coordinates().velocity_names; },
          "Names of v.")
      .def_property_readonly(
          "drives", [](const Robot& robot) { return robot.actuation().names; },
          "Names of the drives, the order of u.")
      .def_property_readonly(
          "links", [](const Robot& robot) { return robot.tree().link_names; }, "Names of links.")
      .def_property_readonly("frames", &frame_names, "Names of frames; every link has one.")
      .def_property_readonly(
          "notes", [](const Robot& robot) { return robot.description().notes; },
          "What the reader of its file left out or changed.")
      .def("rnea", &rnea, py::arg("q"), py::arg("v"), py::arg("a"),
           R"(Torques that drives and constraints must give at the joints, N m or N.

Recursive Newton-Euler, with springs at joints and between links. One state, or a row per state.)")
      .def("rnea_derivatives", &rnea_derivatives, py::arg("q"), py::arg("v"), py::arg("a"),
           "Derivatives of rnea by q, by v and by a, three matrices.")
      .def("mass_matrix", &masses, py::arg("q"), "Mass matrix of the joints, kg m^2 or kg.")
      .def("aba", &aba, py::arg("q"), py::arg("v"), py::arg("tau"),
           "Accelerations of the joints under torques tau at the joints; constraints are not held.")
      .def("forward_dynamics", &accelerations, py::arg("q"), py::arg("v"), py::arg("u"),
           "Accelerations of joints and rotors under motor torques u; constraints are not held.")
      .def("frame", &frame_pose, py::arg("name"), py::arg("q"),
           "Position (m) and rotation matrix of a frame in the world.")
      .def("jacobian", &frame_jacobian_of, py::arg("name"), py::arg("q"),
           "6 x joint_nv: velocity of a frame's origin, then its angular velocity, by v.")
      .def("modes_json", &modes, py::arg("q") = py::none(), py::arg("free") = false,
           "What modes() returns, as text.")
      .def("energy", &energies, py::arg("q"), py::arg("v"),
           "Kinetic and potential energy of the whole robot, J.")
      .def("__repr__", [](const Robot& robot) {
        return fmt::format("<tauflex.Robot: {}, {}, {} coordinates>",
                           counted(robot.tree().link_names.size(), "link"),
                           counted(robot.actuation().drives.size(), "drive"), robot.nq());
      });

  module.def("robot_from_text", [](const std::string& text, const std::string& name) {
    return std::make_shared<Robot>(read_robot(Node::read_text(text, name)));
  });
  // A robot file, or the robot of a job file.
  module.def("robot_from_file", [](const std::string& path) {
    const Node node = Node::read_file(path);
    return std::make_shared<Robot>(read_robot(node.find("robot").value_or(node)));
  });
}

}  // namespace tauflex::python
