// A Dae from one generic function: write the residual once, get its series and exact Jacobians.
//
//   auto pendulum = make_dae({"x", "y", "vx", "vy", "lambda"},
//                            [](const auto& t, const auto& x, const auto& xdot, auto& r) { ... });
//
// The function is instantiated for double, Dual, Jet and JetOfDual: write `using std::sin;` before
// `sin(x[0])`, and numbers as they are. docs/own_equations.md shows a whole program.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "tauflex/equations/dae.hpp"

namespace tauflex {

template <class Function>
class FunctionDae : public Dae {
 public:
  FunctionDae(std::vector<std::string> variables, std::vector<std::string> equations,
              Function function)
      : variables_(std::move(variables)),
        equations_(std::move(equations)),
        function_(std::move(function)) {}

  int size() const override { return static_cast<int>(variables_.size()); }
  std::string variable_name(int index) const override { return variables_[index]; }
  std::string equation_name(int index) const override { return equations_[index]; }
  void residual(double t, const VectorRef& x, const VectorRef& xdot, VectorOut r) override {
    function_(t, x, xdot, r);
  }
  void residual(const Jet& t, const VectorRefOf<Jet>& x, const VectorRefOf<Jet>& xdot,
                VectorOutOf<Jet> r) override {
    function_(t, x, xdot, r);
  }
  void residual(const JetOfDual& t, const VectorRefOf<JetOfDual>& x,
                const VectorRefOf<JetOfDual>& xdot, VectorOutOf<JetOfDual> r) override {
    function_(t, x, xdot, r);
  }
  void jacobians(double t, const VectorRef& x, const VectorRef& xdot, MatrixOut F_x,
                 MatrixOut F_xdot) override {
    VectorOf<Dual> X = x.template cast<Dual>(), Xdot = xdot.template cast<Dual>(), R(size());
    const auto differentiate = [&](VectorOf<Dual>& direction, MatrixOut& F) {
      for (int j = 0; j < size(); ++j) {
        direction[j].slope = 1;
        VectorOutOf<Dual> out(R);
        function_(Dual(t), VectorRefOf<Dual>(X), VectorRefOf<Dual>(Xdot), out);
        direction[j].slope = 0;
        for (int i = 0; i < size(); ++i) F(i, j) = R[i].slope;
      }
    };
    differentiate(X, F_x);
    differentiate(Xdot, F_xdot);
  }

 private:
  std::vector<std::string> variables_, equations_;
  Function function_;
};

// Equations are called "equation 1", ... when they have no names.
template <class Function>
std::unique_ptr<Dae> make_dae(std::vector<std::string> variables, Function function,
                              std::vector<std::string> equations = {}) {
  for (size_t i = equations.size(); i < variables.size(); ++i)
    equations.push_back("equation " + std::to_string(i + 1));
  return std::make_unique<FunctionDae<Function>>(std::move(variables), std::move(equations),
                                                 std::move(function));
}

}  // namespace tauflex
