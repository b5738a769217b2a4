// One job, run again and again with other values of some of its keys. Where only the plant differs
// the question is solved once, and each run is a forward simulation of the same torques.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/results/run.hpp"
#include "tauflex/studies/parameters.hpp"
#include "tauflex/studies/study_table.hpp"

namespace tauflex {

class VariedJob {
 public:
  // The job as it stands is run first. `keys` of record.json are what is kept of each run; none:
  // tool errors, and unless only the plant varies peaks of the torques and the least margin of
  // limits. `more` keys come in any case. The comparison with rigid torques is left out unless a
  // key asks for it. Throws InputError for keys that no record has, with the place where they are
  // asked for, ProblemError where a plant is to be varied and the job has no answer.
  VariedJob(Node job, std::string name, std::vector<Parameter> parameters,
            std::vector<std::string> keys, const std::vector<std::string>& more = {},
            Until until = Until::verified, const StageProgress& progress = {},
            const std::map<std::string, std::string>& asked_at = {});
  ~VariedJob();

  const std::vector<Parameter>& parameters() const { return parameters_; }
  const std::vector<std::string>& keys() const { return keys_; }
  // Of the job as it stands.
  const Record& nominal() const { return *nominal_; }
  // Whether one solution serves all runs.
  bool solves_once() const { return posed_.has_value(); }

  // The job with these values, one per parameter.
  Node job_node(const std::vector<DrawnValue>& values) const;
  Job job(const std::vector<DrawnValue>& values) const;
  // A run that fails is a row with its status and its sentence. By any thread.
  StudyRow row(const std::vector<DrawnValue>& values, const Progress& progress = {}) const;

 private:
  bool is_of_plant() const;
  void require_keys(const std::map<std::string, std::string>& asked_at) const;
  std::vector<std::string> usual_keys() const;
  bool wants(const std::string& section) const;
  void run_all(const std::vector<DrawnValue>& values, const Progress& progress,
               StudyRow& row) const;
  void run_on_plant(const std::vector<DrawnValue>& values, const Progress& progress,
                    StudyRow& row) const;
  void take(const Record& record, StudyRow& row) const;
  std::unique_ptr<Record> borrow() const;

  Node node_;
  std::string name_;
  std::vector<Parameter> parameters_;
  std::vector<std::string> keys_;
  Until until_;
  Job job_;
  std::optional<Record> nominal_;
  // Of plants: the question, with the time before and after the path that its answer needs.
  std::optional<Posed> posed_;
  std::optional<InverseProblem> problem_;
  // What the job says about its plant.
  std::optional<Node> plant_changes_;
  // Records that runs write their proofs into, one per thread that runs at the same time.
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Record>> spare_;
};

}  // namespace tauflex
