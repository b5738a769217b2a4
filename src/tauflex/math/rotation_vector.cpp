#include "tauflex/math/rotation_vector.hpp"

#include <cmath>
#include <numbers>

namespace tauflex {

template <class S>
Matrix3Of<S> rotation_from_vector(const Vector3Of<S>& phi) {
  const S x = phi.squaredNorm();
  S A(0), B(0);
  constexpr int terms = 20;
  for (int k = terms; k-- > 0;) {  // A = 1 - x/3! (1 - ...), B = 1/2 - x/4! (...): Horner
    A = S(1) - A * x * (1.0 / ((2 * k + 2) * (2 * k + 3)));
    B = S(1) - B * x * (1.0 / ((2 * k + 3) * (2 * k + 4)));
  }
  const Matrix3Of<S> W = skew<S>(phi);
  return Matrix3Of<S>::Identity() + W * A + W * W * S(B * 0.5);
}

template Matrix3 rotation_from_vector<double>(const Vector3&);
template ThreeByThree<Complex> rotation_from_vector<Complex>(const Three<Complex>&);
template ThreeByThree<Dual> rotation_from_vector<Dual>(const Three<Dual>&);
template ThreeByThree<Jet> rotation_from_vector<Jet>(const Three<Jet>&);
template ThreeByThree<JetOfDual> rotation_from_vector<JetOfDual>(const Three<JetOfDual>&);
template ThreeByThree<ShortJet2> rotation_from_vector<ShortJet2>(const Three<ShortJet2>&);
template ThreeByThree<ShortJet4> rotation_from_vector<ShortJet4>(const Three<ShortJet4>&);

Vector3 rotation_vector(const Matrix3& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

// The turn by theta about a takes z to d = (a_y sin, -a_x sin, cos) (theta).
Vector3 turn_to_direction(const Vector3& d) {
  const double sine = std::hypot(d[0], d[1]);
  if (sine == 0) return d[2] < 0 ? Vector3(std::numbers::pi, 0, 0) : Vector3(0, 0, 0);
  return Vector3(-d[1], d[0], 0) * (std::atan2(sine, d[2]) / sine);
}

}  // namespace tauflex
