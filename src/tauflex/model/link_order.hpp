// Links sorted so that every parent stands before its children.
#pragma once

#include <vector>

#include "tauflex/model/robot_description.hpp"

namespace tauflex {

// Keeps the given order where it can. Throws InputError for names that are given twice, parents
// that do not exist and cycles of parents.
std::vector<Link> in_tree_order(std::vector<Link> links);

}  // namespace tauflex
