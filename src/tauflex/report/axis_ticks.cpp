#include "tauflex/report/axis_ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tauflex/report/plain_text.hpp"

namespace tauflex {

std::vector<double> nice_ticks(double low, double high, int count) {
  if (!(high > low) || count < 1) return {low};
  const double raw = (high - low) / count;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double part = raw / power;
  const double step = power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
  if (last - first > 2 * count + 2) return {low, high};  // too close for rounding to tell apart
  for (double k = first; k <= last; ++k) ticks.push_back(k * step);
  return ticks;
}

namespace {

std::string with_minus_sign(std::string text) {
  if (!text.empty() && text[0] == '-') text.replace(0, 1, "−");
  return text;
}

// As many decimals as the step between ticks has.
std::string tick_text(double value, double step) {
  if (std::abs(value) < 1e-9 * step) return "0";
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  const bool long_text = decimals > 5 || std::abs(value) >= 1e6;
  return with_minus_sign(long_text ? number(value, 6) : fmt::format("{:.{}f}", value, decimals));
}

// 10^decade with its unit: "100 nm", "1 mm", "10 m".
std::string decade_text(int decade, const std::string& unit) {
  constexpr std::array prefixes = {"p", "n", "µ", "m", "", "k"};
  const int group = decade >= 0 ? decade / 3 : -((2 - decade) / 3);
  if (group < -4 || group > 1) return fmt::format("1e{} {}", decade, unit);
  const int value = static_cast<int>(std::lround(std::pow(10.0, decade - 3 * group)));
  return fmt::format("{} {}{}", value, prefixes[group + 4], unit);
}

}  // namespace

std::vector<Tick> linear_ticks(double low, double high, int count) {
  const std::vector<double> values = nice_ticks(low, high, count);
  const double step = values.size() > 1 ? values[1] - values[0] : 1;
  std::vector<Tick> ticks;
  for (const double value : values)
    ticks.push_back({value, values.size() > 1 ? tick_text(value, step) : number(value)});
  return ticks;
}

std::vector<Tick> decade_ticks(int low, int high, const std::string& unit, int count) {
  const int stride = 1 + (high - low) / (count + 1);
  std::vector<Tick> ticks;
  for (int decade = high; decade >= low; decade -= stride)
    ticks.insert(ticks.begin(), {static_cast<double>(decade), decade_text(decade, unit)});
  return ticks;
}

}  // namespace tauflex
