#include "tauflex/math/solution_paths.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>

#include "tauflex/base/on_threads.hpp"

namespace tauflex {

namespace {

constexpr double same_solution = 1e-6;   // rad or lengths: two that are closer are one
constexpr double converged_step = 1e-6;  // of Newton: its square is below rounding
constexpr double contraction = 0.1;      // of the second correction by the first, at most
constexpr double largest_correction = 0.1;
constexpr double shortest_step = 1e-7;  // of a path: shorter ones end it
constexpr double beyond = 30;           // imaginary angle or length: on the way to infinity

// x := A^-1 x by elimination with partial pivoting; false when A is singular.
bool eliminate(ComplexMatrix& A, ComplexVector& x) {
  const auto n = A.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < n; ++i)
      if (std::norm(A(i, k)) > std::norm(A(pivot, k))) pivot = i;
    if (!(std::norm(A(pivot, k)) > 0)) return false;
    if (pivot != k) {
      A.row(k).swap(A.row(pivot));
      std::swap(x[k], x[pivot]);
    }
    const Complex inverse = 1.0 / A(k, k);
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const Complex factor = A(i, k) * inverse;
      if (factor == 0.0) continue;
      for (Eigen::Index j = k + 1; j < n; ++j) A(i, j) -= factor * A(k, j);
      x[i] -= factor * x[k];
    }
  }
  for (Eigen::Index k = n; k-- > 0;) {
    for (Eigen::Index j = k + 1; j < n; ++j) x[k] -= A(k, j) * x[j];
    x[k] /= A(k, k);
  }
  return true;
}

double size_of(const ComplexVector& x) { return x.cwiseAbs().maxCoeff(); }

// One solution that follows y from a to b on a straight line. Steps are predicted by the polynomial
// through the last points and corrected by Newton's method; a correction that does not shrink
// tenfold at once is too close to another solution.
class FollowedSolution {
 public:
  FollowedSolution(const ComplexEquations& equations, const ComplexVector& a,
                   const ComplexVector& b)
      : equations_(equations), a_(a), b_(b) {}

  // x at b; none when it goes to infinity. Where it cannot be followed to the very end, because it
  // meets another solution there, the last one.
  std::optional<ComplexVector> follow(const ComplexVector& x) {
    s_ = {0};
    x_ = {x};
    double step = 0.05;
    while (s_.back() < 1) {
      const double s = std::min(1.0, s_.back() + step);
      ComplexVector next = predicted(s);
      const double first = correct(next, s);
      if (first < 0) {
        step = (s - s_.back()) / 2;
        if (step < shortest_step) break;
        continue;
      }
      if (next.imag().cwiseAbs().maxCoeff() > beyond) return std::nullopt;
      keep(s, next);
      step *= first < 0.01 ? 2 : first < 0.03 ? 1.3 : 0.8;
    }
    if (s_.back() < 0.999) return std::nullopt;
    return x_.back();
  }

 private:
  ComplexVector predicted(double s) const {
    ComplexVector x = ComplexVector::Zero(x_.back().size());
    for (size_t i = 0; i < s_.size(); ++i) {
      double weight = 1;
      for (size_t j = 0; j < s_.size(); ++j)
        if (j != i) weight *= (s - s_[j]) / (s_[i] - s_[j]);
      x += weight * x_[i];
    }
    return x;
  }

  // Newton's method at s; the size of the first correction, -1 where it does not converge.
  double correct(ComplexVector& x, double s) {
    y_ = a_ + s * (b_ - a_);
    double first = 0, last = 0;
    for (int iteration = 0; iteration < 4; ++iteration) {
      equations_(x, y_, r_, J_);
      if (!r_.allFinite() || !eliminate(J_, r_)) return -1;
      x -= r_;
      const double size = size_of(r_);
      if (!(size < largest_correction)) return -1;
      if (iteration == 0)
        first = size;
      else if (size > contraction * last && size > converged_step)
        return -1;
      last = size;
      if (size < converged_step) return first;
    }
    return -1;
  }

  void keep(double s, const ComplexVector& x) {
    if (s_.size() == 4) {
      s_.erase(s_.begin());
      x_.erase(x_.begin());
    }
    s_.push_back(s);
    x_.push_back(x);
  }

  const ComplexEquations& equations_;
  const ComplexVector &a_, &b_;
  // The last points.
  std::vector<double> s_;
  std::vector<ComplexVector> x_;
  ComplexVector y_, r_;
  ComplexMatrix J_;
};

// Random complex points around y, the same for the same question.
class Detours {
 public:
  Detours(const ComplexVector& y, const Vector& reach) : y_(y), reach_(reach) {}
  ComplexVector next() {
    ComplexVector y = y_;
    for (Eigen::Index i = 0; i < y.size(); ++i)
      y[i] += reach_[i] * Complex(offset_(random_), offset_(random_));
    return y;
  }

 private:
  const ComplexVector& y_;
  const Vector& reach_;
  std::mt19937 random_{1};
  std::uniform_real_distribution<double> offset_{-1, 1};
};

std::optional<ComplexVector> follow_through(const ComplexEquations& equations,
                                            const std::vector<ComplexVector>& points,
                                            const ComplexVector& start) {
  std::optional<ComplexVector> x = start;
  for (size_t k = 1; k < points.size() && x; ++k)
    x = FollowedSolution(equations, points[k - 1], points[k]).follow(*x);
  return x;
}

// Where the solutions from `first` on end, in their order.
std::vector<std::optional<ComplexVector>> follow_all(const MakeComplexEquations& equations,
                                                     const std::vector<ComplexVector>& points,
                                                     const std::vector<ComplexVector>& starts,
                                                     size_t first) {
  std::vector<std::optional<ComplexVector>> ends(starts.size() - first);
  on_threads(ends.size(), cores(), [&] {
    return
        [&, f = equations()](size_t i) { ends[i] = follow_through(f, points, starts[first + i]); };
  });
  return ends;
}

bool is_known(const std::vector<ComplexVector>& known, const ComplexVector& x,
              const std::vector<bool>& is_angle) {
  return std::any_of(known.begin(), known.end(), [&](const ComplexVector& other) {
    return distance_modulo_turns(x, other, is_angle) < same_solution;
  });
}

}  // namespace

double distance_modulo_turns(const ComplexVector& a, const ComplexVector& b,
                             const std::vector<bool>& is_angle) {
  double largest = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    Complex d = a[i] - b[i];
    if (is_angle[i]) d.real(std::remainder(d.real(), 2 * std::numbers::pi));
    largest = std::max(largest, std::abs(d));
  }
  return largest;
}

SolutionSet all_solutions(const MakeComplexEquations& equations, const std::vector<bool>& is_angle,
                          const ComplexVector& y, const ComplexVector& x, const Vector& reach,
                          const SolutionPathOptions& options) {
  SolutionSet found{y, {x}};
  Detours detours(y, reach);
  const auto enough = [&] {
    return std::max(10, options.idle_paths / static_cast<int>(found.x.size()));
  };
  for (int idle = 0; idle < enough(); ++idle) {
    const std::vector<ComplexVector> loop = {y, detours.next(), detours.next(), y};
    for (size_t first = 0; first < found.x.size();) {  // new ones go round the same loop
      const auto ends = follow_all(equations, loop, found.x, first);
      first = found.x.size();
      for (const auto& end : ends) {
        if (!end || is_known(found.x, *end, is_angle)) continue;
        found.x.push_back(*end);
        idle = -1;
        if (static_cast<int>(found.x.size()) >= options.most_solutions) return found;
      }
    }
  }
  return found;
}

std::vector<ComplexVector> solutions_at(const MakeComplexEquations& equations,
                                        const std::vector<bool>& is_angle, const SolutionSet& known,
                                        const ComplexVector& y, const Vector& reach) {
  Detours detours(known.y, reach);
  std::vector<ComplexVector> found;
  // Paths that come too close to a meeting of two solutions are replaced by others.
  for (int attempt = 0; attempt < 3; ++attempt) {
    const std::vector<ComplexVector> path = {known.y, detours.next(), y};
    bool all = true;
    for (const auto& end : follow_all(equations, path, known.x, 0)) {
      if (end && !is_known(found, *end, is_angle)) found.push_back(*end);
      all = all && end;
    }
    if (all && found.size() == known.x.size()) break;
  }
  return found;
}

}  // namespace tauflex
