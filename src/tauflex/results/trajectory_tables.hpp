// Motions and torques as tables with named columns, to files and from them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/table.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/solvability.hpp"

namespace tauflex {

// "t", and "q.<name>", "v.<name>", "u.<link>", "lambda.<row>" of a robot.
std::vector<std::string> motion_columns(const Robot& robot);

// Multiples of 1 / rate, so that t = 0 is among them: from the last one not after `begin`, where
// the robot still stands, to the last one of the motion. Throws InputError where a table of so many
// columns would need more memory than there may be.
Vector regular_times(double begin, double end, double rate, Eigen::Index columns);

// Rows q, v, u, lambda and y at any times, one column each, to the accuracy of the method where it
// can tell; then rows `derived` from them at the solver's own times. Between those: of degree 5.
Matrix motion_at(const Solution& solution, const Matrix& derived, const Vector& t);

// Before a long computation: throws InputError where a table of this job at `rate` samples per
// second would need more memory than there may be.
void require_rate(const Job& job, double rate);

// Columns t, q.<name>, v.<name>, u.<link>, lambda.<row>, y.<output>, and, where the job asks for
// them, reactions r.<link>.fx .. mz; then yd.<output>. At `rate` samples per second where given
// (degree 5 between the solver's own times).
Table trajectory_table(const Record& record, std::optional<double> rate = std::nullopt);
// The verdict of a run is about the torques that were simulated, in the samples of the solution: a
// warning where the rows of this table are further apart.
void warn_of_coarse_table(double rate, Record& record);

// The run of the proof, as far as it came: the same columns without reactions, u being what the
// motors got, and tool_error, m or rad. At the times of the solution.
Table simulated_table(const Record& record);

// Columns t and u.<link>: what the job's controller sends, one row per sample, held from there on.
Table sent_table(const Robot& robot, const SentTorques& sent);

// Reactions of a motion, six rows per link, and their column names appended to `columns`.
Matrix reaction_rows(const Robot& robot, const Matrix& q, const Matrix& v, const Matrix& vdot,
                     const Matrix& lambda, ReactionFrame frame, std::vector<std::string>& columns);

// Times and torques from a table with columns t and u.<link>.
struct TorqueColumns {
  Vector t;
  Matrix u;
};
TorqueColumns read_torques(const std::filesystem::path& path, const Robot& robot);

// Torques, and where present the motion, from a table with these columns.
TorqueTable read_trajectory(const std::filesystem::path& path, const InverseProblem& problem);

}  // namespace tauflex
