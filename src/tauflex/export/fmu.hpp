// A stepper as an FMU 2.0 for co-simulation: a zip file with its description, the shared object of
// c/tauflex_fmu.c and the job.
#pragma once

#include <map>
#include <string>

#include "tauflex/export/export_options.hpp"
#include "tauflex/export/exported_motion.hpp"
#include "tauflex/results/stepper.hpp"

namespace tauflex {

// File name -> content: <name>.fmu. Throws InputError where the shared object is not found beside
// the program or where it is installed, and what Stepper throws.
std::map<std::string, std::string> fmu_files(const ExportedMotion& motion,
                                             const ExportOptions& options);

// modelDescription.xml
std::string model_description(const Stepper& stepper, const Job& job, const std::string& identifier,
                              const std::string& guid);

}  // namespace tauflex
