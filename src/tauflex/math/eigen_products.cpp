#include "tauflex/math/eigen_products.hpp"

TAUFLEX_PRODUCTS()
