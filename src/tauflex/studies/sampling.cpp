#include "tauflex/studies/sampling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/fields.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/studies/random_numbers.hpp"
#include "tauflex/studies/sobol_sequence.hpp"

namespace tauflex {

std::vector<Field> sampling_fields(long& size) {
  using namespace describe;
  const Range many = at_least(1);
  return {integer("grid", size, many, "all combinations; ranges at so many points each"),
          integer("random", size, many, "so many independent points"),
          integer("latin_hypercube", size, many,
                  "every parameter once in each of so many equal shares of its range"),
          integer("sobol", size, many, "so many points that fill the ranges evenly"),
          integer("saltelli", size, many,
                  "so many blocks of d + 2 runs, for Sobol indices of d parameters"),
          read_elsewhere("table", "a CSV file: one run per row, columns named by keys of the job")};
}

std::string name(SamplingKind kind) {
  long size = 0;
  return sampling_fields(size)[static_cast<size_t>(kind)].key;
}

namespace {

void require_grid(const std::vector<Distribution>& distributions, long size, const Node& where) {
  for (const Distribution& distribution : distributions) {
    if (distribution.is_choice()) continue;
    if (!distribution.is_range())
      where.fail("a grid takes values, files and ranges; a normal distribution has no ends");
    if (size == 0)
      where.fail("a grid of a range needs the number of its points, as in sampling: {grid: 5}");
  }
}

void require_sobol(SamplingKind kind, int dimensions, const Node& where) {
  const int needed = kind == SamplingKind::saltelli ? 2 * dimensions : dimensions;
  const int most =
      kind == SamplingKind::saltelli ? most_sobol_dimensions / 2 : most_sobol_dimensions;
  if (needed > most_sobol_dimensions)
    where.fail(
        fmt::format("{} takes at most {} parameters, got {}; use latin_hypercube or random, or "
                    "let groups vary together",
                    name(kind), most, dimensions));
}

}  // namespace

Sampling::Sampling(SamplingKind kind, long size, std::uint64_t seed,
                   std::vector<Distribution> distributions, const Node& where)
    : kind_(kind), size_(size), seed_(seed), distributions_(std::move(distributions)) {
  if (kind == SamplingKind::grid) require_grid(distributions_, size, where);
  if (kind == SamplingKind::sobol || kind == SamplingKind::saltelli)
    require_sobol(kind, dimensions(), where);
  double count = 1;
  if (kind == SamplingKind::grid)
    for (int i = 0; i < dimensions(); ++i) count *= static_cast<double>(grid_points(i));
  else
    count = static_cast<double>(size) *
            static_cast<double>(kind == SamplingKind::saltelli ? saltelli_block(dimensions()) : 1);
  if (count > static_cast<double>(most_runs))
    where.fail(fmt::format("this study has {:.3g} runs; at most {:.0e} are made", count,
                           static_cast<double>(most_runs)));
  runs_ = static_cast<long>(count);
}

long Sampling::grid_points(int parameter) const {
  const Distribution& distribution = distributions_[parameter];
  return distribution.is_choice() ? static_cast<long>(distribution.choices.size()) : size_;
}

// The last parameter changes fastest.
DrawnValue Sampling::of_grid(long run, int parameter) const {
  for (int i = dimensions() - 1; i > parameter; --i) run /= grid_points(i);
  const long points = grid_points(parameter), at = run % points;
  const Distribution& distribution = distributions_[parameter];
  if (distribution.is_choice()) return {.choice = static_cast<int>(at)};
  const double share =
      points == 1 ? 0.5 : static_cast<double>(at) / static_cast<double>(points - 1);
  return {.number = at == points - 1 && points > 1 ? distribution.b : distribution.quantile(share)};
}

double Sampling::share(long run, int parameter) const {
  const auto index = static_cast<std::uint64_t>(run);
  const auto place = static_cast<std::uint32_t>(parameter);
  if (kind_ == SamplingKind::sobol)
    return sobol_number(seed_, static_cast<std::uint32_t>(run), parameter);
  if (kind_ == SamplingKind::saltelli) {
    const long part = run % saltelli_block(dimensions());
    const bool of_second = part == 1 || part == parameter + 2;
    return sobol_number(seed_, static_cast<std::uint32_t>(run / saltelli_block(dimensions())),
                        of_second ? dimensions() + parameter : parameter);
  }
  const double u = uniform_number(seed_, RandomUse::sample, index, place);
  if (kind_ == SamplingKind::random) return u;
  const auto cells = static_cast<std::uint64_t>(size_);
  return (static_cast<double>(shuffled(seed_, place, index, cells)) + u) /
         static_cast<double>(cells);
}

DrawnValue Sampling::value(long run, int parameter) const {
  if (kind_ == SamplingKind::grid) return of_grid(run, parameter);
  const Distribution& distribution = distributions_[parameter];
  if (kind_ == SamplingKind::table) return {.number = distribution.column[run]};
  const double u = share(run, parameter);
  if (!distribution.is_choice()) return {.number = distribution.quantile(u)};
  const auto choices = static_cast<double>(distribution.choices.size());
  return {.choice = static_cast<int>(std::min(u * choices, choices - 1))};
}

}  // namespace tauflex
