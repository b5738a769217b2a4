#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/cli/cluster.hpp"

namespace tauflex {

namespace {

// How many ranks were started, by what mpirun and srun leave in the environment.
long started_ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* text = std::getenv(name))
      if (const auto size = parse_number(text)) return static_cast<long>(*size);
  if (std::getenv("PMIX_RANK"))  // srun --mpi=pmix
    if (const char* text = std::getenv("SLURM_NTASKS"))
      if (const auto size = parse_number(text)) return static_cast<long>(*size);
  return 1;
}

}  // namespace

Engine* cluster_engine() {
  if (started_ranks() < 2) return nullptr;
  std::error_code error;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto sibling = own.parent_path() / "tauflex_mpi";
  if (std::filesystem::exists(sibling, error)) {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::vector<std::string> words;
    for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(sibling.c_str(), arguments.data());
  }
  throw UsageError(
      "this tauflex was built without MPI, so that ranks cannot share a study; build it where "
      "OpenMPI is installed, or start it once with --jobs");
}

}  // namespace tauflex
