#include "tauflex/report/solvability_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/text.hpp"
#include "tauflex/report/plain_text.hpp"

namespace tauflex {

namespace {

constexpr size_t most_names = 12, most_blocks = 10, most_zeros = 6;

std::string entry(const char* what, const std::string& text) {
  return fmt::format("  {:<14}{}\n", what, printable(text));
}

std::string some(const std::vector<std::string>& names) {
  if (names.empty()) return "none";
  const size_t shown = std::min(names.size(), most_names);
  std::string text = join(std::span(names).first(shown));
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string zeros_text(const Diagnosis& diagnosis) {
  std::string text;
  size_t shown = 0, total = 0;
  for (const auto& zero : diagnosis.zeros) {
    if (zero.imag() < -1e-8 * std::abs(zero)) continue;  // one of a pair
    ++total;
    if (shown == most_zeros) continue;
    text += fmt::format("{}{:.4g}", shown++ ? ", " : "", zero.real());
    if (zero.imag() > 1e-8 * std::abs(zero)) text += fmt::format(" +/- {:.4g}j", zero.imag());
  }
  if (total > shown) text += fmt::format(", {} more", total - shown);
  return text + " per second, at the start";
}

std::string ranks_text(const Solvability& result) {
  const IndexReport& index = result.diagnosis->index;
  std::string text = fmt::format(
      "clear by a factor of {:.0e} (threshold {:.0e}); looked at {} at rest on the path",
      index.gap(), index.threshold, counted(index.points.size(), "point"));
  if (!result.on_solution.empty())
    text += fmt::format(" and {} of the solution", result.on_solution.size());
  return text + (index.changes.empty() ? ", the same everywhere" : ", they change");
}

std::string blocks_text(const IndexReport& index) {
  std::string text = counted(index.blocks.size(), "block") + " to solve one after the other\n";
  size_t shown = 0;
  for (const NamedBlock& block : index.blocks) {
    if (shown++ == most_blocks) {
      text += fmt::format("  {:<14}  and {} more\n", "", index.blocks.size() - most_blocks);
      break;
    }
    text += fmt::format("  {:<14}  {:>3}  {}\n", "", block.variables.size(),
                        printable(some(block.variables)));
  }
  return text;
}

std::string initial_value_text(const Solvability& result) {
  const auto& [log_growth, inertia] = *result.initial_value;
  std::string text = fmt::format(
      "with torques that begin with the path an error would grow by a factor of 1e{:.0f}",
      std::max(log_growth, 0.0));
  if (inertia && inertia->negative > 0)
    text += fmt::format(
        "; {} of {} eigenvalues of the mass matrix of the internal motions are negative: the "
        "initial value problem is ill-posed",
        inertia->negative, inertia->count);
  return text;
}

}  // namespace

std::string solvability_text(const std::string& job, const Solvability& result) {
  std::string text = fmt::format("{}: {}\n", printable(job), printable(result.verdict));
  if (result.diagnosis && result.diagnosis->status == Status::solved) {
    const Diagnosis& diagnosis = *result.diagnosis;
    const IndexReport& index = diagnosis.index;
    text += entry("index", fmt::format("{} with the torques among the unknowns",
                                       diagnosis.differential_index));
    if (index.available) {
      const IndexAtPoint& first = index.points.front();
      text +=
          entry("", fmt::format("{} with motor rows set aside; strangeness index {}; {} by "
                                "structure",
                                first.differential_index, first.strangeness_index,
                                index.structurally_regular ? std::to_string(index.structural_index)
                                                           : "not solvable"));
      text +=
          entry("algebraic", fmt::format("{}: {}", first.algebraic_count, some(index.algebraic)));
      text += entry("differential",
                    fmt::format("{}: {}", first.differential_count, some(index.differential)));
      text += entry("ranks", ranks_text(result));
      if (!index.blocks.empty()) text += fmt::format("  {:<14}{}", "structure", blocks_text(index));
    }
    if (!diagnosis.zeros.empty()) text += entry("zeros", zeros_text(diagnosis));
    if (result.initial_value) text += entry("initial value", initial_value_text(result));
  }
  for (const std::string& note : result.notes) text += "note: " + printable(note) + "\n";
  for (const std::string& change : result.changes) text += "change: " + printable(change) + "\n";
  return text;
}

}  // namespace tauflex
