// Text that goes to a reader: made safe, with units a reader can picture, and the verdict of a run.
#pragma once

#include <string>
#include <string_view>

#include "tauflex/results/run.hpp"

namespace tauflex {

// Valid UTF-8 in one line: control characters, direction marks and broken bytes become U+FFFD, so
// that a name in a job file cannot drive a terminal.
std::string printable(std::string_view text);

// printable(), and safe inside any HTML or SVG text or quoted attribute.
std::string escape(std::string_view text);

// "0.012 mm", "3.4 µm", "2.1 mrad": a length in m or an angle in rad.
enum class Quantity { length, angle };
std::string size_text(double value, Quantity quantity, int digits = 3);

// The same with as many digits as it takes to stay on its side of the tolerance.
std::string error_text(double value, double tolerance, Quantity quantity);

// "2.1e-9", "0.0005": without locale, without padding zeros.
std::string number(double value, int digits = 4);

bool has_length_output(const Record& record);             // else the tool error is an angle
std::string drive_unit(const Record& record, int drive);  // "N m", "N" for a prismatic joint

// Largest |u| of a drive over the computed times.
struct Peak {
  double t = 0, value = 0;  // s; N m or N, with its sign
};
Peak peak(const Solution& solution, int drive);

// "torque linear between samples"
std::string hold_text(Hold hold);
// "open-loop forward simulation", "forward simulation in 7 segments"
std::string mode_text(const Verification& proof);
// "no internal dynamics", "minimum phase", "not minimum phase"
std::string phase_text(const Diagnosis& diagnosis);

// Largest errors of the proof and what was asked: "0.012 mm", "0.012 mm and 0.3 mrad".
std::string errors_text(const Record& record);
std::string tolerance_text(const Record& record);

enum class Outcome { proved, missed, failed, not_verified };

// How the run ended, as every report leads with it.
struct Verdict {
  Outcome outcome;
  std::string word;      // "proved", "missed", "not converged", "not verified"
  std::string headline;  // "Tool error 0.012 mm"
  std::string sentence;  // "Tolerance 1 mm: proved by an open-loop forward simulation ..."
};
Verdict verdict(const Record& record);

}  // namespace tauflex
