#include "tauflex/math/jet.hpp"

namespace tauflex {

template <class T>
void SeriesArithmetic<T>::copy(const T* a, int order, T* c) {
  for (int k = 0; k <= order; ++k) c[k] = a[k];
}

template <class T>
void SeriesArithmetic<T>::add(const T* b, int order, T* a) {
  for (int k = 0; k <= order; ++k) a[k] += b[k];
}

template <class T>
void SeriesArithmetic<T>::subtract(const T* b, int order, T* a) {
  for (int k = 0; k <= order; ++k) a[k] -= b[k];
}

template <class T>
void SeriesArithmetic<T>::scale(const T* a, const T& factor, int order, T* c) {
  for (int k = 0; k <= order; ++k) c[k] = a[k] * factor;
}

template <class T>
void SeriesArithmetic<T>::multiply(const T* a, const T* b, int order, T* c) {
  for (int k = 0; k <= order; ++k) {
    T sum = a[0] * b[k];
    for (int j = 1; j <= k; ++j) sum += a[j] * b[k - j];
    c[k] = sum;
  }
}

// a = c b
template <class T>
void SeriesArithmetic<T>::divide(const T* a, int a_order, const T* b, int b_order, T* c) {
  const int order = std::max(a_order, b_order);
  for (int k = 0; k <= order; ++k) {
    T sum = k <= a_order ? a[k] : T(0);
    for (int j = std::max(0, k - b_order); j < k; ++j) sum -= c[j] * b[k - j];
    c[k] = sum / b[0];
  }
}

template <class T>
void SeriesArithmetic<T>::sin_cos(const T* a, int order, T* s, T* c) {
  tauflex::sin_cos(a[0], s[0], c[0]);
  for (int k = 1; k <= order; ++k) {
    T ds(0), dc(0);
    for (int j = 1; j <= k; ++j) {
      ds += T(j) * a[j] * c[k - j];
      dc -= T(j) * a[j] * s[k - j];
    }
    s[k] = ds / T(k);
    c[k] = dc / T(k);
  }
}

template struct SeriesArithmetic<double>;
template struct SeriesArithmetic<Dual>;

}  // namespace tauflex
