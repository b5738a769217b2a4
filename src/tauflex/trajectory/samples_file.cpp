#include "tauflex/trajectory/samples_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/named_file.hpp"
#include "tauflex/base/table.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/trajectory/output_name.hpp"
#include "tauflex/trajectory/smoothing.hpp"
#include "tauflex/trajectory/spline.hpp"

namespace tauflex {

namespace {

constexpr int samples_smoothness = 4;  // C^4
struct TimeUnit {
  const char* name;
  double seconds;
};
constexpr TimeUnit time_units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};

// "mm"; of "rad|m", where the robot decides, "mrad or mm".
std::string thousandths(const std::string& units) {
  const auto bar = units.find('|');
  if (bar == units.npos) return "m" + units;
  return "m" + units.substr(0, bar) + " or m" + units.substr(bar + 1);
}

// A name without case and unit: "Time [ms]" is time in ms.
struct TimeName {
  std::string word;
  const TimeUnit* unit = nullptr;
};

TimeName time_name(const std::string& column) {
  std::string word;
  for (const char c : column)
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::erase_if(word, [](char c) { return std::string("%[]() ").find(c) != std::string::npos; });
  for (const char* name : {"timestamp", "time", "stamp", "t"}) {
    if (!word.starts_with(name)) continue;
    std::string rest = word.substr(std::string(name).size());
    std::erase(rest, '_');
    if (rest.empty()) return {name, word == "t" ? &time_units[0] : nullptr};
    for (const TimeUnit& unit : time_units)
      if (rest == unit.name) return {name, &unit};
  }
  return {};
}

// The unit in which rows are 10 us to half a second apart.
const TimeUnit& likely_unit(const Vector& times) {
  std::vector<double> gaps;
  for (Eigen::Index i = 1; i < times.size(); ++i) gaps.push_back(times[i] - times[i - 1]);
  if (gaps.empty()) return time_units[0];
  std::nth_element(gaps.begin(), gaps.begin() + std::ssize(gaps) / 2, gaps.end());
  const double gap = gaps[gaps.size() / 2];
  for (const TimeUnit& unit : time_units)
    if (gap * unit.seconds <= 0.5) return unit;
  return time_units[3];
}

// {joint_names: [a, b], points: [{time_from_start: 0.1 or {secs, nsecs}, positions: [..]}]}
Table read_joint_trajectory(const Node& file) {
  const auto inner = file.find("joint_trajectory");
  const Node& trajectory = inner ? *inner : file;
  Table table{{"t"}, {}};
  const Node names = trajectory.at("joint_names"), points = trajectory.at("points");
  for (int i = 0; i < names.size(); ++i) table.columns.push_back(names[i].text());
  table.values.resize(points.size(), std::ssize(table.columns));
  for (int i = 0; i < points.size(); ++i) {
    const Node time = points[i].at("time_from_start");
    const char* parts[][2] = {{"secs", "nsecs"}, {"sec", "nanosec"}};
    table.values(i, 0) = time.is_text() ? time.number() : 0;
    for (const auto& [seconds, nanoseconds] : parts)
      if (!time.is_text())
        table.values(i, 0) += time.number_or(seconds, 0) + 1e-9 * time.number_or(nanoseconds, 0);
    table.values.row(i).tail(names.size()) =
        points[i].at("positions").numbers(names.size()).transpose();
  }
  return table;
}

class SamplesReader {
 public:
  SamplesReader(const Node& samples, std::vector<std::string>& notes)
      : samples_(samples), notes_(notes), file_(named_file(samples.at("file"))) {
    const std::string ending = file_.extension().string();
    table_ = ending == ".yaml" || ending == ".yml" ? read_joint_trajectory(Node::read_file(file_))
                                                   : read_table(file_);
  }

  // s, from 0.
  Vector times() {
    int found = -1;
    TimeName name;
    for (size_t i = 0; i < table_.columns.size() && name.word.empty(); ++i) {
      name = time_name(table_.columns[i]);
      found = static_cast<int>(i);
    }
    if (name.word.empty()) no_column("t");
    const std::string& column = table_.columns[found];
    Vector t = table_.values.col(found);
    for (Eigen::Index i = 1; i < t.size(); ++i)
      if (t[i] <= t[i - 1])
        throw InputError(fmt::format("{}:{}: column '{}': must increase, but {} follows {}",
                                     file_.string(), line(i), column, t[i], t[i - 1]));
    if (t.size() == 0) return t;
    const double first = t[0];
    t.array() -= first;
    if (!name.unit) {
      name.unit = &likely_unit(t);
      if (name.unit != &time_units[0])
        notes_.push_back(
            fmt::format("{}: column '{}' is taken as {}", file_.string(), column, name.unit->name));
    }
    return t * name.unit->seconds;
  }

  Vector column(const std::string& output) const {
    for (const char* prefix : {"", "yd.", "y.", "q."})
      if (const int found = table_.find(prefix + output); found >= 0)
        return table_.values.col(found);
    no_column(output);
  }

  // Row i, of a table or of a list of points.
  int line(Eigen::Index i) const {
    return table_.lines.empty() ? static_cast<int>(i) + 1 : table_.lines[i];
  }
  const std::filesystem::path& file() const { return file_; }

 private:
  [[noreturn]] void no_column(const std::string& name) const {
    samples_.at("file").fail(
        fmt::format("{} has no column '{}', but {}", file_.string(), name, join(table_.columns)));
  }

  const Node& samples_;
  std::vector<std::string>& notes_;
  std::filesystem::path file_;
  Table table_;
};

// How much the highest derivative that matters is above that of a smooth curve near the samples.
constexpr double much_rougher = 3;
constexpr int least_samples = 30;  // to tell noise from a motion

double peak_derivative(const OutputPath& path, int order) {
  Matrix y(path.size(), order + 1);
  double peak = 0;
  constexpr int places = 1000;
  for (int i = 0; i < places; ++i) {
    path.derivatives(path.duration() * (i + 0.5) / places, y);
    peak = std::max(peak, y.col(order).cwiseAbs().maxCoeff());
  }
  return peak;
}

using Spline = std::shared_ptr<const InterpolatingSpline>;

class SamplesPath {
 public:
  SamplesPath(const Node& samples, const std::vector<std::string>& outputs,
              const std::function<Vector(Vector)>& chart, std::vector<std::string>& notes)
      : samples_(samples), outputs_(outputs), notes_(notes), reader_(samples, notes) {
    times_ = reader_.times();
    values_.resize(times_.size(), std::ssize(outputs));
    for (size_t i = 0; i < outputs.size(); ++i) values_.col(i) = reader_.column(outputs[i]);
    for (Eigen::Index i = 0; chart && i < values_.rows(); ++i)
      values_.row(i) = chart(values_.row(i).transpose()).transpose();
    if (const auto given = samples.find("smoothness")) {
      m_ = given->integer();
      if (m_ < 0 || m_ > InterpolatingSpline::largest_smoothness)
        given->fail(
            fmt::format("must be 0 to {}, got {}", InterpolatingSpline::largest_smoothness, m_));
    }
  }

  // The spline through every sample.
  Spline exact() const { return through(times_, values_); }

  // What the samples scatter by, where a path through all of them would be far rougher than they
  // suggest.
  void warn_about_noise(const OutputPath& path) const {
    if (times_.size() < least_samples) return;
    const auto near = smoothed(times_, values_, m_, std::nullopt);
    const int order = std::min(4, 2 * m_ + 1);
    if (near && peak_derivative(path, order) >
                    much_rougher * peak_derivative(*through(near->times, near->values), order))
      notes_.push_back(fmt::format(
          "{}: the samples scatter about a smooth curve by {} (root of the mean square); "
          "torques along a path through every sample come from that: give samples.tolerance, or "
          "smoothing: auto",
          reader_.file().string(), miss_text(*near)));
  }

  // asked: the node that asks for it; by the samples when there is no tolerance.
  Spline smooth(const Node& asked, const std::optional<double>& tolerance) const {
    if (times_.size() < least_samples)
      asked.fail(fmt::format("smoothing needs at least {} samples, {} has {}", least_samples,
                             reader_.file().string(), times_.size()));
    const auto near = smoothed(times_, values_, m_, tolerance);
    if (!near)
      asked.fail(
          "no curve with half as many breakpoints as samples is that near to all of them; the "
          "motion may begin or end while it moves, or the tolerance is below the noise");
    notes_.push_back(
        fmt::format("{}: smoothed, {} breakpoints for {} samples; it moves {} (root of the mean "
                    "square)",
                    reader_.file().string(), near->times.size(), times_.size(), miss_text(*near)));
    return through(near->times, near->values);
  }

 private:
  Spline through(const Vector& times, const Matrix& points) const {
    try {
      return std::make_shared<InterpolatingSpline>(times, points, m_);
    } catch (const InputError& error) {
      samples_.fail(error.what());
    }
  }

  std::string miss_text(const SmoothedSamples& near) const {
    std::vector<std::string> parts;
    for (size_t i = 0; i < outputs_.size(); ++i)
      parts.push_back(fmt::format("{} {:.2g} {} (largest {:.2g})", outputs_[i], 1e3 * near.rms[i],
                                  thousandths(units_of_output(outputs_[i])),
                                  1e3 * near.largest[i]));
    return join(parts);
  }

  const Node& samples_;
  const std::vector<std::string>& outputs_;
  std::vector<std::string>& notes_;
  SamplesReader reader_;
  int m_ = samples_smoothness;
  Vector times_;
  Matrix values_;
};

}  // namespace

std::shared_ptr<const OutputPath> read_samples_path(const Node& samples,
                                                    const std::vector<std::string>& outputs,
                                                    const std::function<Vector(Vector)>& chart,
                                                    std::vector<std::string>& notes) {
  samples.allow({"file", "smoothness", "tolerance", "smoothing"});
  const SamplesPath path(samples, outputs, chart, notes);
  const auto tolerance = samples.find("tolerance"), smoothing = samples.find("smoothing");
  if (tolerance && smoothing) smoothing->fail("cannot be given together with 'tolerance'");
  if (smoothing && smoothing->text() != "auto" && smoothing->text() != "none")
    smoothing->fail(fmt::format("expected auto or none, got '{}'", shown(smoothing->text())));
  if (tolerance) return path.smooth(*tolerance, tolerance->positive());
  if (smoothing && smoothing->text() == "auto") return path.smooth(*smoothing, std::nullopt);
  const Spline exact = path.exact();
  if (!smoothing) path.warn_about_noise(*exact);
  return exact;
}

}  // namespace tauflex
