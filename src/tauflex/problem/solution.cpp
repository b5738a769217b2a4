#include "tauflex/problem/solution.hpp"

namespace tauflex {

Solution::Solution() = default;
Solution::Solution(const Solution&) = default;
Solution::Solution(Solution&&) noexcept = default;
Solution& Solution::operator=(const Solution&) = default;
Solution& Solution::operator=(Solution&&) noexcept = default;
Solution::~Solution() = default;

double Solution::largest_torque_error() const {
  return torque_errors.size() > 0 ? torque_errors.maxCoeff() : 0;
}

}  // namespace tauflex
