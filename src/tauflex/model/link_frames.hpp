// A tree whose joints all have one axis, as torques are computed in link frames: one link per
// velocity, with all bodies that are fixed to it. Plain numbers, because they are also read by code
// that is compiled for processors with wide registers.
#pragma once

namespace tauflex {

struct LinkFrame {
  // Index of the parent, smaller than its own; -1 for the world.
  int parent;
  // It turns about its z axis, else it slides along it.
  bool turns;
  // Added to the coordinate.
  double zero;
  // Its frame in the parent's frame at coordinate 0: rotation by columns, origin.
  double R[9];
  double p[3];
  double mass;
  // Mass times centre of mass, kg m.
  double moment[3];
  // Sum of m r r^T about its origin, kg m^2: xx, xy, xz, yy, yz, zz.
  double sigma[6];
};

}  // namespace tauflex
