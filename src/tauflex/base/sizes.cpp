#include "tauflex/base/sizes.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"

namespace tauflex {

namespace {

constexpr double most_bytes = 4e9;
// As doubles in solution, simulation, proof, rigid comparison and one table at a time; 29 bytes
// were measured.
constexpr double bytes_per_number = 5 * 8;
constexpr double most_steps = 1e8;

}  // namespace

void require_room(const std::string& what, double rows, double numbers_per_row) {
  require_end(what, rows);
  const double bytes = rows * numbers_per_row * bytes_per_number;
  if (!(bytes <= most_bytes))
    throw InputError(
        fmt::format("{} are {:.3g} samples, which need {:.2g} GB of memory; the most is {:.2g} GB",
                    what, rows, bytes / 1e9, most_bytes / 1e9));
}

void require_end(const std::string& what, double steps) {
  if (!(steps <= most_steps))
    throw InputError(
        fmt::format("{} are {:.3g} samples; the most is {:.2g}", what, steps, most_steps));
}

}  // namespace tauflex
