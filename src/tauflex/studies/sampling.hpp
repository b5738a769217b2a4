// Which points of the parameters a study looks at: a list that is fixed before the first run.
//   sampling: grid               all combinations of values; {grid: 5}: ranges at 5 points each
//   {random: n}                  independent points
//   {latin_hypercube: n}         every parameter once in each of n equal shares of its range
//   {sobol: n}                   evenly filled, the first choice for means and yields
//   {saltelli: n}                n (d + 2) runs for Sobol indices of d parameters
//   {table: points.csv}          one run per row
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tauflex/studies/distribution.hpp"

namespace tauflex {

enum class SamplingKind { grid, random, latin_hypercube, sobol, saltelli, table };
std::string name(SamplingKind kind);

// Keys of `sampling`, in the order of the kinds; `size` is the n above.
std::vector<Field> sampling_fields(long& size);

constexpr long most_runs = 100'000'000;

// A value of one parameter: one of its choices, or a number.
struct DrawnValue {
  int choice = -1;
  double number = 0;
};

class Sampling {
 public:
  // `size`: the n above; of a grid the points per range, 0: there are only choices; of a table its
  // rows. Throws InputError with `where` in front.
  Sampling(SamplingKind kind, long size, std::uint64_t seed,
           std::vector<Distribution> distributions, const Node& where);

  SamplingKind kind() const { return kind_; }
  std::uint64_t seed() const { return seed_; }
  long runs() const { return runs_; }
  int dimensions() const { return static_cast<int>(distributions_.size()); }
  DrawnValue value(long run, int parameter) const;

 private:
  // Points of a parameter in a grid.
  long grid_points(int parameter) const;
  DrawnValue of_grid(long run, int parameter) const;
  // Where in its distribution a parameter is, in (0, 1).
  double share(long run, int parameter) const;

  SamplingKind kind_;
  long size_;
  std::uint64_t seed_;
  std::vector<Distribution> distributions_;
  long runs_ = 0;
};

// Runs of one block of a Saltelli design with d parameters: first A, then B, then A with one
// parameter of B each.
constexpr long saltelli_block(int dimensions) { return dimensions + 2; }

}  // namespace tauflex
