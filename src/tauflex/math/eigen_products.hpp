// Products of matrices of doubles are compiled once, in the .cpp file, and not in every file that
// multiplies. Only for files that are compiled with the options of the library: the precompiled
// headers include it, and no header of the library does.
#pragma once

#include <Eigen/Core>

namespace tauflex {

using ProductTraits = Eigen::internal::gebp_traits<double, double>;
using ProductResult =
    Eigen::internal::blas_data_mapper<double, Eigen::Index, Eigen::ColMajor, Eigen::Unaligned, 1>;
template <int order>
using ProductFactor = Eigen::internal::const_blas_data_mapper<double, Eigen::Index, order>;

}  // namespace tauflex

// `storage` is extern, or nothing.
#define TAUFLEX_PRODUCTS(storage)                                                       \
  storage template struct Eigen::internal::gebp_kernel<                                 \
      double, double, Eigen::Index, tauflex::ProductResult, tauflex::ProductTraits::mr, \
      tauflex::ProductTraits::nr, false, false>;                                        \
  TAUFLEX_PRODUCTS_BY_ORDER(storage, Eigen::ColMajor)                                   \
  TAUFLEX_PRODUCTS_BY_ORDER(storage, Eigen::RowMajor)

#define TAUFLEX_PRODUCTS_BY_ORDER(storage, order)                                              \
  storage template struct Eigen::internal::gemm_pack_lhs<                                      \
      double, Eigen::Index, tauflex::ProductFactor<order>, tauflex::ProductTraits::mr,         \
      tauflex::ProductTraits::LhsProgress, tauflex::ProductTraits::LhsPacket4Packing, order>;  \
  storage template struct Eigen::internal::gemm_pack_rhs<                                      \
      double, Eigen::Index, tauflex::ProductFactor<order>, tauflex::ProductTraits::nr, order>; \
  storage template struct Eigen::internal::general_matrix_vector_product<                      \
      Eigen::Index, double, tauflex::ProductFactor<order>, order, false, double,               \
      tauflex::ProductFactor<Eigen::ColMajor>, false>;                                         \
  storage template struct Eigen::internal::general_matrix_vector_product<                      \
      Eigen::Index, double, tauflex::ProductFactor<order>, order, false, double,               \
      tauflex::ProductFactor<Eigen::RowMajor>, false>;

TAUFLEX_PRODUCTS(extern)
