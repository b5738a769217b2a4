// A joint or a rotor, q; and the force of a constraint, lambda.
#pragma once

#include "tauflex/problem/output_rule.hpp"

namespace tauflex::output_rules {

template <class S>
void values(const CoordinateOutput& output, const Place<S>& at, const Rows& rows,
            VectorOutOf<S>& c) {
  c[rows[0]] = at.q[output.q];
}

template <class S>
void add_jacobian(const CoordinateOutput& output, const Robot&, const MotionData<S>&,
                  const VectorRefOf<S>&, const Rows& rows, MatrixOutOf<S>& J) {
  J(rows[0], output.v) += S(1);
}

template <class S>
void values(const ForceOutput& output, const Place<S>& at, const Rows& rows, VectorOutOf<S>& c) {
  c[rows[0]] = at.lambda[output.constraint];
}

template <class S>
void add_jacobian(const ForceOutput&, const Robot&, const MotionData<S>&, const VectorRefOf<S>&,
                  const Rows&, MatrixOutOf<S>&) {}

}  // namespace tauflex::output_rules
