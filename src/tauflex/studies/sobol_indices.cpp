#include "tauflex/studies/sobol_indices.hpp"

#include <algorithm>

#include "tauflex/studies/random_numbers.hpp"
#include "tauflex/studies/sampling.hpp"

namespace tauflex {

namespace {

constexpr int replicates = 200;

// Whole blocks, their mean taken off: estimates are then free of its size.
std::vector<std::vector<double>> whole_blocks(const std::vector<std::optional<double>>& f,
                                              size_t length) {
  std::vector<std::vector<double>> blocks;
  for (size_t begin = 0; begin + length <= f.size(); begin += length) {
    std::vector<double> block;
    for (size_t i = begin; i < begin + length && f[i]; ++i) block.push_back(*f[i]);
    if (block.size() == length) blocks.push_back(std::move(block));
  }
  double sum = 0;
  for (const auto& block : blocks) sum += block[0] + block[1];
  const double mean = blocks.empty() ? 0 : sum / (2 * static_cast<double>(blocks.size()));
  for (auto& block : blocks)
    for (double& x : block) x -= mean;
  return blocks;
}

struct IndexEstimate {
  double variance = 0;
  std::vector<double> first, total;
};

// From the blocks that `choose` names, as many as there are.
template <class Choose>
IndexEstimate estimate(const std::vector<std::vector<double>>& blocks, size_t parameters,
                       const Choose& choose) {
  IndexEstimate result{0, std::vector<double>(parameters), std::vector<double>(parameters)};
  RunningMoments moments;
  for (size_t k = 0; k < blocks.size(); ++k) {
    const std::vector<double>& block = blocks[choose(k)];
    moments.add(block[0]);
    moments.add(block[1]);
    for (size_t i = 0; i < parameters; ++i) {
      result.first[i] += block[1] * (block[2 + i] - block[0]);
      result.total[i] += 0.5 * (block[0] - block[2 + i]) * (block[0] - block[2 + i]);
    }
  }
  result.variance = moments.variance();
  const double scale = 1 / (static_cast<double>(blocks.size()) * result.variance);
  for (size_t i = 0; i < parameters; ++i) {
    result.first[i] *= scale;
    result.total[i] *= scale;
  }
  return result;
}

Interval middle_95(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile_of(values, 0.025), quantile_of(values, 0.975)};
}

}  // namespace

std::optional<SobolIndices> sobol_indices(const std::vector<std::optional<double>>& f,
                                          int parameters, std::uint64_t seed) {
  const auto blocks = whole_blocks(f, saltelli_block(parameters));
  if (blocks.size() < 2) return std::nullopt;
  const auto d = static_cast<size_t>(parameters);
  const IndexEstimate all = estimate(blocks, d, [](size_t k) { return k; });
  if (!(all.variance > 0)) return std::nullopt;
  std::vector<std::vector<double>> first(d), total(d);
  for (std::uint32_t r = 0; r < replicates; ++r) {
    const IndexEstimate drawn = estimate(blocks, d, [&](size_t k) {
      return static_cast<size_t>(uniform_number(seed, RandomUse::bootstrap, k, r) *
                                 static_cast<double>(blocks.size()));
    });
    for (size_t i = 0; i < d; ++i) {
      first[i].push_back(drawn.first[i]);
      total[i].push_back(drawn.total[i]);
    }
  }
  SobolIndices result{.blocks = static_cast<long>(blocks.size()), .variance = all.variance};
  for (size_t i = 0; i < d; ++i)
    result.of_parameter.push_back(
        {all.first[i], all.total[i], middle_95(first[i]), middle_95(total[i])});
  return result;
}

}  // namespace tauflex
