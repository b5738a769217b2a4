#include "tauflex/studies/random_numbers.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace tauflex {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {
        static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
        static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

namespace {

std::array<std::uint32_t, 4> random_block(std::uint64_t seed, RandomUse stream, std::uint64_t run,
                                          std::uint32_t parameter) {
  return philox({static_cast<std::uint32_t>(run), static_cast<std::uint32_t>(run >> 32), parameter,
                 static_cast<std::uint32_t>(stream)},
                {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
}

double ratio_of_polynomials(const std::array<double, 8>& above, const std::array<double, 8>& below,
                            double x) {
  double p = 0, q = 0;
  for (int i = 7; i >= 0; --i) {
    p = p * x + above[i];
    q = q * x + below[i];
  }
  return p / q;
}

}  // namespace

std::uint32_t random_bits(std::uint64_t seed, RandomUse stream, std::uint64_t run,
                          std::uint32_t parameter) {
  return random_block(seed, stream, run, parameter)[0];
}

double uniform_number(std::uint64_t seed, RandomUse stream, std::uint64_t run,
                      std::uint32_t parameter) {
  const auto bits = random_block(seed, stream, run, parameter);
  const std::uint64_t whole = (std::uint64_t{bits[0]} << 20) | (bits[1] >> 12);  // 52 bits
  return (static_cast<double>(whole) + 0.5) * 0x1p-52;
}

std::uint64_t shuffled(std::uint64_t seed, std::uint32_t parameter, std::uint64_t index,
                       std::uint64_t count) {
  int half = 1;  // bits of each half
  while (half < 32 && (std::uint64_t{1} << (2 * half)) < count) ++half;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = index >> half, right = index & mask;
    for (std::uint64_t round = 0; round < 6; ++round) {
      const std::uint64_t mixed =
          random_bits(seed, RandomUse::shuffle, (round << 32) | right, parameter) & mask;
      left = std::exchange(right, left ^ mixed);
    }
    index = (left << half) | right;
  } while (index >= count);
  return index;
}

// Algorithm AS 241, PPND16 [Wichura1988].
double normal_quantile(double probability) {
  const double q = probability - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * ratio_of_polynomials(
                   {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                    1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                    3.3430575583588128105e4, 2.5090809287301226727e3},
                   {1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
                    2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
                    5.2264952788528545610e3},
                   r);
  }
  const double tail = q < 0 ? probability : 1 - probability;
  if (tail <= 0) return std::copysign(std::numeric_limits<double>::infinity(), q);
  const double r = std::sqrt(-std::log(tail));
  const double size =
      r <= 5 ? ratio_of_polynomials(
                   {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
                    3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
                    2.27238449892691845833e-2, 7.74545014278341407640e-4},
                   {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0,
                    6.89767334985100004550e-1, 1.48103976427480074590e-1, 1.51986665636164571966e-2,
                    5.47593808499534494600e-4, 1.05075007164441684324e-9},
                   r - 1.6)
             : ratio_of_polynomials(
                   {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
                    2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                    2.71155556874348757815e-5, 2.01033439929228813265e-7},
                   {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1,
                    1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
                    1.42151175831644588870e-7, 2.04426310338993978564e-15},
                   r - 5);
  return std::copysign(size, q);
}

}  // namespace tauflex
