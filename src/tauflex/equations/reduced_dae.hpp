// A Dae of lower index: some equations differentiated, some derivatives made unknowns of their own
// (dummy derivatives [Mattsson1993]), rows that only name a rate left out where nothing else needs
// them (minimal extension). (33), (34), (43), (44), (48) and (49) of [Moberg2009] are of this kind.
//                                                                                    theory (A.6)
#pragma once

#include "tauflex/equations/derivative_array.hpp"
#include "tauflex/equations/incidence.hpp"

namespace tauflex {

struct DerivedRow {
  int equation;
  // How often it is differentiated.
  int order;
};

struct VariableDerivative {
  int variable;
  int order;  // at least 1
  friend bool operator==(const VariableDerivative&, const VariableDerivative&) = default;
};

struct Reduction {
  std::vector<DerivedRow> rows;
  // Unknowns of their own.
  std::vector<VariableDerivative> dummies;
  // Unknowns too, with a row: the rate of the one below.
  std::vector<VariableDerivative> states;
};

// Unknowns z = (x, dummies, states). Where x_j has a rate row x_j' = x_k, derivatives of x_j are
// read as derivatives of x_k in every other row.
class ReducedDae : public ImplicitSystem {
 public:
  // Throws ProblemError when rows and unknowns do not match, or when a row needs a derivative that
  // is neither.
  ReducedDae(Dae& original, const Incidence& incidence, Reduction reduction);

  int size() const override { return static_cast<int>(nodes_.size()); }
  std::string variable_name(int index) const override;
  std::string equation_name(int index) const override;
  void residual(double t, const VectorRef& z, const VectorRef& zdot, VectorOut r) override;
  void jacobians(double t, const VectorRef& z, const VectorRef& zdot, MatrixOut F_z,
                 MatrixOut F_zdot) override;

  // x_j' of the original: an unknown or a rate of one.
  double rate(int variable, const VectorRef& z, const VectorRef& zdot) const;
  // Unknowns whose rate occurs nowhere.
  std::vector<bool> algebraic() const;

 private:
  struct Source {
    // -1: not available
    int unknown = -1;
    bool of_rate = false;
  };
  // A row that says: this rate is that unknown. Other rows have none.
  struct Link {
    Source rate = {};
    int named = -1;
  };
  Source find(int variable, int order) const;
  void connect();
  double value(const Source& source, const VectorRef& z, const VectorRef& zdot) const;
  void fill(const VectorRef& z, const VectorRef& zdot);
  void require_complete() const;

  Dae& original_;
  DerivativeArray array_;
  Incidence incidence_;
  Reduction reduction_;
  int n_, order_ = 0;
  // The unknowns; order 0 are variables themselves.
  std::vector<VariableDerivative> nodes_;
  // [order][variable]
  std::vector<std::vector<Source>> sources_;
  std::vector<double> factorial_;
  // Of each row, states last.
  std::vector<Link> links_;
  // That differentiated rows depend on.
  std::vector<int> variables_, rates_;
  Matrix X_, F_, F_x_, F_xdot_;
  Vector x_, xdot_;
};

}  // namespace tauflex
