// Random URDF files for the oracles: the same seed is the same file on every machine.
#pragma once

#include <string>

namespace tauflex {

// A tree of links with revolute, continuous, prismatic and fixed joints about skew axes, origins
// and inertial frames at any rpy, full inertia tensors; some fixed links have no mass.
std::string random_urdf(unsigned seed);

// Whether the inertial frames of that file are principal axes: every other file.
bool has_principal_axes(unsigned seed);

// The same robot with what files in the world have besides: unknown words, missing meshes, remnants
// of xacro, links without joints. Joint 3 is then called "my joint.3".
std::string made_nasty(std::string text, unsigned seed);

}  // namespace tauflex
