#include "tauflex/math/three.hpp"

namespace tauflex {

template struct Three<Jet>;
template struct Three<JetOfDual>;
template struct Three<ShortJet2>;
template struct Three<ShortJet4>;
template struct ThreeByThree<Jet>;
template struct ThreeByThree<JetOfDual>;
template struct ThreeByThree<ShortJet2>;
template struct ThreeByThree<ShortJet4>;

}  // namespace tauflex
