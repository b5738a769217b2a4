#include "tauflex/jobs/start_point.hpp"

#include "tauflex/base/text.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/find_outputs.hpp"

namespace tauflex {

void fill_in_start_point(Node& job, const RobotDescription& description) {
  const auto task_node = job.find("task");
  const auto path = task_node ? task_node->find("path") : std::nullopt;
  if (!path) return;
  const bool is_list = path->is_list() && path->size() > 0;
  const Node first = is_list ? (*path)[0] : *path;
  for (const char* kind : {"line", "circle"}) {
    const auto segment = first.find(kind);
    const auto from = segment ? segment->find("from") : std::nullopt;
    if (!from || !from->is_text() || from->text() != "start") continue;
    const Task task = read_outputs_and_near(*task_node);
    if (task.near.empty())
      from->fail("'start' is where the joints are at start.near; give their positions there");
    const Robot robot(description);
    Vector q = robot.coordinates().neutral;
    for (const auto& [name, value] : task.near) {
      const int at = robot.coordinates().find(name);
      if (at < 0)
        throw InputError(task.near_where.at(name) + ": '" + shown(name) + "' is not a joint" +
                         did_you_mean(name, robot.coordinates().names));
      q[at] = value;
    }
    q = assemble(robot, 0, q);
    MechanicsData data(robot);
    kinematics<double>(robot, data, q);
    const Outputs outputs = find_outputs(robot, task);
    if (!outputs.forces.empty()) from->fail("'start' does not say forces; give numbers");
    Vector y(outputs.count());
    output_values(robot, data, q, Vector::Zero(robot.constraint_count()), outputs, y);
    std::vector<std::string> numbers;
    for (const double value : y) numbers.push_back(shortest(value));
    job.set(from->path(), Node::read_text("[" + join(numbers) + "]", from->where()));
  }
}

}  // namespace tauflex
