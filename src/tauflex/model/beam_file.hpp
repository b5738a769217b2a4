// Beams as robot files write them: stiffnesses and mass per length, or a section and a material.
#pragma once

#include "tauflex/base/node.hpp"
#include "tauflex/model/beam.hpp"

namespace tauflex {

Beam read_beam(const Node& node);

}  // namespace tauflex
