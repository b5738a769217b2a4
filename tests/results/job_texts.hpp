// Jobs that tests write down: what they give, and what is said of them.
#pragma once

#include <gtest/gtest.h>

#include "tauflex/results/free_run.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/trajectory_tables.hpp"

namespace tauflex {

inline Job job_of(const std::string& text) {
  return read_job(Node::read_text("tauflex: 1\n" + text, "job.yaml"), "job");
}

inline Vector column(const Table& table, const std::string& name) {
  const int index = table.find(name);
  EXPECT_GE(index, 0) << name;
  return index < 0 ? Vector::Zero(table.values.rows()) : Vector(table.values.col(index));
}

inline Table simulated(const std::string& text) {
  const Job job = job_of(text);
  const FreeRun run = simulate_job(job, {});
  EXPECT_EQ(run.simulation.status, Status::solved) << run.simulation.message;
  return free_run_table(job, run);
}

inline std::string message_of(const std::string& text) {
  try {
    const Job job = job_of(text);
    if (job.has_task())
      pose(job);
    else
      simulate_job(job, {});
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace tauflex
