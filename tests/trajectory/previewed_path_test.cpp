// A path that is known for some time ahead: along another path exactly; from samples the
// derivatives of polynomials are exact and those of other paths fall with the step.
#include "tauflex/trajectory/previewed_path.hpp"

#include <gtest/gtest.h>

#include "tauflex/trajectory/sine.hpp"

namespace tauflex {
namespace {

// y = x^7 - x^3 and its derivatives, at x = t - 1.
class Polynomial final : public OutputPath {
 public:
  int size() const override { return 1; }
  double duration() const override { return 1; }
  void derivatives(double t, MatrixOut y) const override {
    const double x = t - 1;
    const double all[] = {std::pow(x, 7) - std::pow(x, 3), 7 * std::pow(x, 6) - 3 * x * x,
                          42 * std::pow(x, 5) - 6 * x, 210 * std::pow(x, 4) - 6,
                          840 * std::pow(x, 3)};
    for (Eigen::Index k = 0; k < y.cols(); ++k) y(0, k) = all[k];
  }
  std::vector<Corner> corners() const override { return {}; }
};

void feed(PreviewedPath& path, const OutputPath& values, int samples) {
  Matrix y(1, 1);
  for (int k = 0; k < samples; ++k) {
    values.derivatives(path.next_time(), y);
    path.advance(y.col(0));
  }
}

TEST(PreviewedPath, has_the_derivatives_of_polynomials_from_samples) {
  const auto whole = std::make_shared<Polynomial>();
  PreviewedPath path(whole, 0, 0.1, 10);
  feed(path, *whole, 1);
  Matrix found(1, 5), expected(1, 5);
  for (const double t : {0.35, 0.45, 0.55, 0.78, 1.1}) {  // 1.1 s: the last sample
    path.derivatives(t, found);
    whole->derivatives(t, expected);
    for (int k = 0; k < 5; ++k)
      // rounding of samples, divided by the step k times
      EXPECT_NEAR(found(0, k), expected(0, k), 1e-13 * std::pow(10 / 0.1, k)) << t << " " << k;
  }
}

TEST(PreviewedPath, has_derivatives_that_converge_with_the_step) {
  const auto error = [](double step) {
    const auto whole = std::make_shared<SinePath>(Vector::Constant(1, 0.5),
                                                  Vector::Constant(1, 0.2), 1.0, 0.3, 10.0);
    const int ahead = static_cast<int>(std::lround(0.5 / step));
    PreviewedPath path(whole, 1, step, ahead);
    feed(path, *whole, 1);
    Matrix found(1, 3), expected(1, 3);
    double largest = 0;
    for (const double t : {1.2, 1.23, 1.271}) {
      path.derivatives(t, found);
      whole->derivatives(t, expected);
      largest = std::max(largest, std::abs(found(0, 2) - expected(0, 2)));
    }
    return largest;
  };
  // degree 7 gives order 6 for a second derivative, and more at times that lie well
  EXPECT_GT(std::log2(error(0.02) / error(0.01)), 5.5);
}

TEST(PreviewedPath, goes_along_its_path_until_a_sample_is_given_and_takes_it_back) {
  const auto whole = std::make_shared<Polynomial>();
  PreviewedPath path(whole, 0, 0.1, 10);
  Matrix y(1, 5), expected(1, 5);
  path.advance();
  path.derivatives(0.73, y);
  whole->derivatives(0.73, expected);
  EXPECT_EQ(y, expected);
  path.advance(Vector::Constant(1, 7.0));
  path.derivatives(1.2, y);
  EXPECT_NEAR(y(0, 0), 7, 1e-12);
  path.retreat();
  EXPECT_NEAR(path.next_time(), 1.2, 1e-15);
  path.derivatives(0.73, y);
  EXPECT_EQ(y, expected);
}

}  // namespace
}  // namespace tauflex
