// A robot as a frame of finite elements in absolute coordinates: nodes with a position and a
// rotation each, rigid bodies and beams on them, joints between them. Independent of the joint
// coordinates and recursions of mechanics; only the start pose is taken from there.
//
// All vectors are in axes of the frame, which are those of the world turned so that a robot that
// moves in a plane moves in x and y. The axes of every node are those of the frame at the start
// pose, with beams straight, so a pose has R = 1 everywhere at the start. robot_frame.hpp makes it.
//                                                                                    theory (E.1)
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tauflex/model/robot.hpp"

namespace tauflex {

// A place that moves with a node; node -1: the world.
struct FramePoint {
  int node = -1;
  Vector3 p = Vector3::Zero();  // in axes of the node
};

// A frame of the robot on a node: its place and its axes, both in axes of the node.
struct PlacedFrame {
  FramePoint point;
  Matrix3 axes;
};

struct ElementFrame {
  struct Body {
    int link, node;
    double mass;      // kg
    Vector3 com;      // m, from the node
    Matrix3 inertia;  // kg m^2, about com
  };
  struct Beam {
    int link;
    // Nodes.
    int a, b;
    double length;  // m
    // Of (x_a, L t_a, x_b, L t_b), t the tangents; kg
    Eigen::Matrix4d mass;
    // x along the beam, y, z
    Matrix3 axes;
    // As in model/beam.hpp; 0: a row keeps it from giving way.
    double EA, EI_y, EI_z, GJ;
    // 12 EI / (GA L^2), of shear along y and z
    double Phi_y, Phi_z;
    // kg m^2, of sections that turn, about x y z of the beam; turns are linear between the ends
    Matrix3 spin;
  };
  // One coordinate between two nodes: a turn about, or a way along, `axis`, which is the same in
  // the axes of both.
  struct Joint {
    int link;
    // Nodes; -1 for the world.
    int parent, child;
    bool turns;
    Vector3 axis;
    // Child's origin in axes of the parent at the start, from the parent's node.
    Vector3 offset;
    // Coordinate and velocity of the robot, and the coordinate at the start.
    int q, v;
    double start;
    // Where springs on it have no force.
    double rest = 0;
    // Of the robot; -1 for none.
    int drive = -1;
  };
  // A motor without a spring between it and a joint.
  struct Motor {
    int joint;
    DriveLayout drive;
  };
  // One number that shall be zero.                                                    theory (E.6)
  struct Row {
    enum class Kind {
      // n . R_a^T (x_b + R_b p_b - x_a) - offset - s(t)
      point,
      // sum of c (R_a A u) . (R_b w); A turns with the path of an orientation, else it is 1
      axes,
      // |x_b - x_a| - offset
      distance,
    };
    Kind kind;
    FramePoint a, b;
    Vector3 n = Vector3::Zero();
    double offset = 0;
    struct Term {
      double c;
      Vector3 u, w;
    };
    std::vector<Term> terms = {};
    bool turns_with_path = false;
    // Row of the robot's constraints, or of joints; -1 for none.
    int constraint = -1;
    // The path that s(t) is: that of a joint, or beyond the joints that of an output; -1 for none.
    int driven = -1;
  };

  // R_WF
  Matrix3 basis = Matrix3::Identity();
  // In axes of the frame.
  Vector3 gravity = Vector3::Zero();
  bool planar = false;
  // Of the nodes, at the start.
  std::vector<Vector3> start;
  std::vector<Body> bodies;
  std::vector<Beam> beams;
  std::vector<Joint> joints;
  // Springs and dampers on joints; rows and columns are joints.
  std::vector<SpringEntry> springs;
  std::vector<HardeningEntry> hardening;
  std::vector<Motor> motors;
  std::vector<Row> rows;
  // Outputs that are not driven joints. Then rows that drive joints have forces, and the values of
  // their coordinates follow from these outputs.                                     theory (E.11)
  std::vector<Row> outputs;
  // Per body of the robot's tree: where its frame is.
  std::vector<PlacedFrame> of_body;
  // Coordinates of the robot that are deflections of beams: at which node, from which one.
  struct Deflection {
    int q, v;
    int from, node;
    // 0 1 2 for a displacement along x y z, 3 4 5 for a rotation
    int direction;
    Matrix3 axes;
    // m, along x, without deflection
    double distance;
  };
  std::vector<Deflection> deflections;
  // Of one segment of a beam: forces D r on its deflections, r their rates; q and v are not
  // used.                                                                            theory (E.12)
  struct Damping {
    std::vector<Deflection> deflections;
    Matrix D;
  };
  std::vector<Damping> dampings;

  int nodes() const { return static_cast<int>(start.size()); }
  // Per node: three displacements, three rotations in axes of the node; -1: it is not free.
  std::vector<std::array<int, 6>> dof;
  int size = 0;

  // Adds a row that makes the coordinate of a joint follow a path; its number.
  int drive_joint(int joint);
  // The row of a joint's coordinate since the start, less its path.
  Row joint_row(int joint) const;
  PlacedFrame placed(const Frame& frame) const;
};

// Where its nodes are and how they move.
struct FrameState {
  explicit FrameState(const ElementFrame& frame);

  std::vector<Vector3> x;
  std::vector<Matrix3> R;
  // Velocities and accelerations; those of rotation in axes of the node.
  std::vector<Vector3> v, w, a, alpha;
};

// v and a of a state, from vectors of frame.size; what is not free does not move.
void spread(const ElementFrame& frame, const VectorRef& v, const VectorRef& a, FrameState& state);

}  // namespace tauflex
