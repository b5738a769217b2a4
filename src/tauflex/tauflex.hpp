// The way in for C++ users: everything that the program does.
//   read_job(path)   -> Job          a job file, or InputError with file, line and rule
//   analyze(job)     -> Solvability  can it be solved, how, and why not
//   run(job)         -> Record       torques (Solution) and their proof (Verification); a question
//                                    without an answer has a Status and a sentence
//   Stepper(job)                     torques one sample after the other, for a controller
// Errors are tauflex::Error with an ExitCode. Numbers are Eigen's Vector and Matrix, one column per
// time. Other headers may change from one version to the next.
#pragma once

#include "tauflex/base/errors.hpp"
#include "tauflex/jobs/job.hpp"
#include "tauflex/results/analyze.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/stepper.hpp"
