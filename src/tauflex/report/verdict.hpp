// How a run ended, in the words that every report shares.
#pragma once

#include <string>

#include "tauflex/results/limits.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {

// Otherwise the tool error is an angle.
bool has_length_output(const Record& record);

// "tool error", or "force error" where there are forces only.
std::string error_name(const Record& record);
// "N m", "N" for a motor that moves in a line
std::string drive_unit(const Record& record, int drive);

// Largest |u| of a drive over the computed times.
struct Peak {
  // s; N m or N, with its sign
  double t = 0, value = 0;
};
Peak peak(const Vector& t, const Matrix& u, int drive);
// Of what the motors get: with the feedback where there is one, else as computed.
Peak motor_peak(const Record& record, int drive);

// "torque of upper" and "54200 of 60000 N m at 0.21 s, 9.7 % left"
std::string limit_name(const LimitMargin& margin);
std::string limit_value(const LimitMargin& margin);

// What still moves when the path has ended: "hand 0.32 rad at 7.96 Hz, decays to 1/e in 1.6 s";
// what holding the tool takes then, "upper ±101000 N m, fore ±49500 N m"; what the tool does with
// motors locked, "12 mm at 1.3 Hz, decays to 1/e in 2 s". Empty where there is nothing to say.
std::string internal_ringing_text(const Record& record);
std::string holding_text(const Record& record);
std::string locked_ringing_text(const Record& record);

// "torque linear between samples", "torque held for 1 ms (mean)"
std::string hold_text(const Record& record);
// "open-loop forward simulation", "forward simulation in 7 segments"
std::string mode_text(const Verification& proof);
// How errors grow: "2.2 times", "more than 1e12 times".
std::string times_text(double growth, int digits = 2);
// "no internal dynamics", "minimum phase", "not minimum phase"
std::string phase_text(const Diagnosis& diagnosis);

// Largest errors of the proof and what was asked: "0.012 mm", "0.012 mm and 0.3 mrad".
std::string errors_text(const Record& record);
std::string tolerance_text(const Record& record);
// What a robot would have scored that stays at its start: "1.2 m", "0.9 mm and 0 mrad".
std::string standing_still_text(const Record& record);
// What torques of the rigid robot would have scored: "6.3 mm"; empty where nobody asked or it is
// left out.
std::string rigid_errors_text(const Record& record);
// What they do on a finer mesh of the beams: "6.3 um"; empty where there is none.
std::string finer_errors_text(const Record& record);
// "another plant: links.hand.mass 200 -> 220"; empty where the plant is the robot.
std::string plant_text(const Record& record);
// The second verdict: "limits kept", "limits: torque of upper exceeded by 113 %"; empty where the
// robot states none.
std::string limits_verdict(const Record& record);

enum class Outcome { proved, missed, partial, failed, not_verified };
// As pages and scene.json have it: "proved", "not_verified".
const char* outcome_name(Outcome outcome);

// How accurate the run is, as every report leads with it.
struct Verdict {
  Outcome outcome;
  // "proved", "missed", "not proved", "not converged", "not verified"
  std::string word;
  // "Tool error 0.012 mm"
  std::string headline;
  // "Tolerance 1 mm: proved by an open-loop forward simulation ..."
  std::string sentence;
};
Verdict verdict(const Record& record);

}  // namespace tauflex
