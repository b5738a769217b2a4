#include "tauflex/report/braille_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/verdict.hpp"

namespace tauflex {

namespace {

constexpr int plot_columns = 34, plot_rows = 4;  // characters

// Dot of column 0 or 1 and row 0 .. 3 from the top, as Unicode counts them.
unsigned dot_bit(int column, int row) {
  constexpr unsigned bits[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
  return bits[column][row];
}

std::string utf8(unsigned dots) {
  const unsigned code = 0x2800 + dots;
  return {static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
          static_cast<char>(0x80 | (code & 0x3F))};
}

// Lowest and highest value in each column of dots; empty ones are NaN.
struct Bounds {
  std::vector<double> low, high;
};
Bounds bounds_in(const Vector& t, const Vector& y, int columns) {
  Bounds b{std::vector<double>(columns, NAN), std::vector<double>(columns, NAN)};
  const double begin = t[0], span = t[t.size() - 1] - begin;
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    if (!std::isfinite(y[i])) continue;
    const int k = std::clamp(static_cast<int>((t[i] - begin) / span * columns), 0, columns - 1);
    b.low[k] = std::fmin(b.low[k], y[i]);
    b.high[k] = std::fmax(b.high[k], y[i]);
  }
  return b;
}

// Worked hardest: closest to its limit, else with the largest torque.
int hardest_drive(const Record& record) {
  const auto& drives = record.robot.actuation().drives;
  int hardest = 0;
  const auto load = [&](int d) {
    const double limit = drives[d].limits.torque;
    return std::abs(motor_peak(record, d).value) / (std::isfinite(limit) ? limit : 1);
  };
  const bool limited = std::any_of(drives.begin(), drives.end(), [](const DriveLayout& d) {
    return std::isfinite(d.limits.torque);
  });
  for (int d = 0; d < std::ssize(drives); ++d)
    if ((!limited || std::isfinite(drives[d].limits.torque)) && load(d) > load(hardest))
      hardest = d;
  return hardest;
}

std::string beside(const std::string& title, const std::vector<std::string>& left,
                   const std::string& other, const std::vector<std::string>& right) {
  const auto width = static_cast<size_t>(plot_columns) + 2;
  std::string text = fmt::format("  {:<{}}{}\n", shortened(title, width - 1), width, other);
  for (size_t i = 0; i < std::max(left.size(), right.size()); ++i)
    text +=
        fmt::format("  {}  {}\n", i < left.size() ? left[i] : "", i < right.size() ? right[i] : "");
  return text;
}

}  // namespace

std::vector<std::string> braille_curve(const Vector& t, const Vector& y, int columns, int rows) {
  if (t.size() < 2 || y.size() != t.size() || !(t[t.size() - 1] > t[0])) return {};
  double low = INFINITY, high = -INFINITY;
  for (const double value : y)
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (!(low <= high)) return {};
  const int across = 2 * columns, down = 4 * rows;
  const Bounds b = bounds_in(t, y, across);
  const auto dot = [&](double value) {
    if (high == low) return down / 2;
    return std::clamp(static_cast<int>((high - value) / (high - low) * (down - 1) + 0.5), 0,
                      down - 1);
  };
  std::vector<std::vector<unsigned>> cells(rows, std::vector<unsigned>(columns, 0));
  for (int x = 0; x < across; ++x) {
    if (!std::isfinite(b.low[x])) continue;
    for (int k = dot(b.high[x]); k <= dot(b.low[x]); ++k)
      cells[k / 4][x / 2] |= dot_bit(x % 2, k % 4);
  }
  std::vector<std::string> lines;
  for (const auto& row : cells) {
    std::string text;
    for (const unsigned dots : row) text += utf8(dots);
    lines.push_back(text);
  }
  return lines;
}

std::string braille_plots(const Record& record) {
  if (record.solution.t.size() < 2 || record.robot.actuation().drives.empty()) return "";
  const int d = hardest_drive(record);
  const bool fed = record.verification && record.verification->commanded;
  const Vector& t = fed ? record.verification->commanded->t : record.solution.t;
  const Matrix& u = fed ? record.verification->commanded->u : record.solution.u;
  if (d >= u.rows()) return "";
  const std::string torque =
      fmt::format("u of {}, to {} {}", printable(record.robot.actuation().names[d]),
                  number(std::abs(peak(t, u, d).value), 3), drive_unit(record, d));
  const auto left = braille_curve(t, u.row(d), plot_columns, plot_rows);
  std::string error_title;
  std::vector<std::string> right;
  if (record.verification && record.verification->tool_error.size() > 1) {
    const Vector& error = record.verification->tool_error;
    const double top = error.maxCoeff();
    // four decades below the top; a run begins with no error at all
    const Vector shown = error.array().max(1e-4 * top).log10();
    right = braille_curve(record.verification->t, shown, plot_columns, plot_rows);
    if (top > 0)
      error_title = fmt::format(
          "tool error (log), to {}",
          size_text(top, has_length_output(record) ? Quantity::length : Quantity::angle));
  }
  return beside(torque, left, error_title, right);
}

}  // namespace tauflex
