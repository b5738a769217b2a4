// The C++ loop that batches from Python are measured against: rnea_loop FILE COUNT prints the least
// CPU seconds that COUNT states took.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>

#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/model/robot_file.hpp"

using namespace tauflex;

namespace {

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

int main(int, char** arguments) {
  const Robot robot(read_robot(Node::read_file(arguments[1]).at("robot")));
  const int count = std::atoi(arguments[2]), n = robot.tree_nv();
  const Matrix q = Matrix::Random(n, count), v = Matrix::Random(n, count),
               a = Matrix::Random(n, count);
  Matrix tau(n, count);
  double best = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 30; ++repeat) {
    const double begin = cpu_seconds();
    MechanicsData data(robot);
    for (int i = 0; i < count; ++i) {
      joint_torques<double>(robot, data, q.col(i), v.col(i), a.col(i));
      tau.col(i) = data.tau;
    }
    best = std::min(best, cpu_seconds() - begin);
  }
  std::printf("%.9g %.9g\n", best, tau.norm());
}
