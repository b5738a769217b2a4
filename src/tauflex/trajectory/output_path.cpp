#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

std::vector<double> OutputPath::pieces(double from, double to) const {
  std::vector<double> times = {from};
  for (const Corner& corner : corners())
    if (corner.time > times.back() && corner.time < to) times.push_back(corner.time);
  if (to > times.back()) times.push_back(to);
  return times;
}

}  // namespace tauflex
