// What a run leaves on disk: record.json, trajectory.csv and any further texts, all or nothing.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "tauflex/base/table.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/solvability.hpp"

namespace tauflex {

// Keys that scripts rely on: docs/files.md.
std::string record_json(const Record& record);

// The diagnosis alone, as `check --json` prints it.
std::string solvability_json(const Job& job, const Solvability& result);
std::string diagnosis_json(const Job& job, const Diagnosis& diagnosis);

// The plant of a job without a task, as `check --json` prints it.
std::string plant_json(const Job& job, const PosedPlant& posed);

// Columns t, q.<name>, v.<name>, u.<link>, lambda.<row>, y.<output>, and, where the job asks for
// them, reactions r.<link>.fx .. mz; then yd.<output>. At `rate` samples per second where given
// (degree 5 between the solver's own times).
Table trajectory_table(const Record& record, std::optional<double> rate = std::nullopt);

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

// Writes all files (name -> content) or none; an earlier result stays when something goes wrong.
// Throws InputError when the folder cannot be written.
void write_files(const std::filesystem::path& folder,
                 const std::map<std::string, std::string>& files);

std::string version();

}  // namespace tauflex
