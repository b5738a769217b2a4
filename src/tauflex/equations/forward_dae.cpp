#include "tauflex/equations/forward_dae.hpp"

#include <tuple>

#include "tauflex/equations/make_dae.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/motion.hpp"

namespace tauflex {

namespace {

class ForwardEquations {
 public:
  ForwardEquations(const Robot& plant, const Vector& u)
      : plant_(&plant),
        drive_(input_matrix(plant) * u),
        work_(Workspace<double>(plant), Workspace<Dual>(plant), Workspace<Jet>(plant),
              Workspace<JetOfDual>(plant)) {}

  template <class S>
  void operator()(const S& t, const VectorRefOf<S>& x, const VectorRefOf<S>& xdot,
                  VectorOutOf<S> r) {
    const Robot& robot = *plant_;
    const int nq = robot.nq(), nv = robot.nv(), ng = robot.constraint_count();
    Workspace<S>& w = std::get<Workspace<S>>(work_);
    const auto q = x.head(nq), v = x.segment(nq, nv), lambda = x.tail(ng);
    velocity_of_rate<S>(robot, q, xdot.head(nq), w.rate);
    r.head(nv) = w.rate - v;
    coordinate_equations<S>(robot, q, r.segment(nv, nq - nv));
    int row = nq;
    motion_forces<S>(robot, w.mechanics, q, v, xdot.segment(nq, nv), w.forces);
    add_constraint_forces<S>(robot, w.mechanics, lambda, -1, w.forces);
    for (int i = 0; i < nv; ++i) r[row++] = w.forces[i] - S(drive_[i]);
    constraint_values<S>(robot, w.mechanics, q, t, w.g);
    r.tail(ng) = w.g;
  }

 private:
  template <class S>
  struct Workspace {
    explicit Workspace(const Robot& robot)
        : mechanics(robot), rate(robot.nv()), forces(robot.nv()), g(robot.constraint_count()) {}
    MotionData<S> mechanics;
    VectorOf<S> rate, forces, g;
  };
  const Robot* plant_;
  Vector drive_;
  std::tuple<Workspace<double>, Workspace<Dual>, Workspace<Jet>, Workspace<JetOfDual>> work_;
};

std::vector<std::string> prefixed(const char* prefix, const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) result.push_back(prefix + name);
  return result;
}

}  // namespace

std::unique_ptr<Dae> forward_dae(const Robot& plant, const Vector& u) {
  std::vector<std::string> variables = prefixed("q.", plant.coordinates().names), equations;
  const auto append = [](std::vector<std::string>& to, const std::vector<std::string>& names) {
    to.insert(to.end(), names.begin(), names.end());
  };
  std::vector<std::string> rows;
  for (const ConstraintRow& row : plant.constraints()) rows.push_back(row.name);
  append(variables, prefixed("v.", plant.coordinates().velocity_names));
  append(variables, prefixed("lambda.", rows));
  append(equations, prefixed("rate of ", plant.coordinates().velocity_names));
  append(equations, coordinate_equation_names(plant));
  append(equations, prefixed("motion of ", plant.coordinates().velocity_names));
  append(equations, prefixed("constraint ", rows));
  return make_dae(variables, ForwardEquations(plant, u), equations);
}

}  // namespace tauflex
