// Fig. 4 of the parallel solution scheme: joints and tip of the two-joint chain without revision of its trajectory, as a table.
// The program has no column for links that lengthen. Usage: unrevised_chain examples/isobe_two_joint.yaml
#include <cstdio>
#include <vector>

#include "tauflex/jobs/pose.hpp"
#include "tauflex/solvers/revised_chain.hpp"

int main(int, char** arguments) {
  using namespace tauflex;
  const Posed posed = pose(read_job(arguments[1]));
  const ParallelOptions options{.step = 0.01, .revision = RevisionStep::unrevised};
  RevisedChain chain(posed.problem, posed.start.q, options);
  const Vector still = Vector::Zero(posed.problem.robot().nv());
  Instant now{posed.start.q, still, still, Vector(), posed.start.u, Vector::Zero(1)};
  std::puts("t,x1,y1,x2,y2");
  for (int i = 0; i <= 200; ++i) {
    chain.take(i, 0.01 * i, now);
    const Matrix& x = chain.nodes();
    std::printf("%.2f,%.9g,%.9g,%.9g,%.9g\n", 0.01 * i, x(0, 1), x(1, 1), x(0, 2), x(1, 2));
  }
}
