// Ranks on many machines. The program itself never loads MPI: started by mpirun or srun it hands
// over to tauflex_mpi beside it, which is the same program with this engine.
#pragma once

#include <string>
#include <vector>

#include "tauflex/studies/engine.hpp"

namespace tauflex {

// The engine of all ranks; none in a program that runs by itself. It lives as long as the program:
// ranks leave together, after the first one has said what there is to say, because mpirun ends all
// of them when one ends with an error. Where this program was started as one of several ranks and
// has no MPI, it becomes tauflex_mpi, or throws UsageError where that was not built.
Engine* cluster_engine();

}  // namespace tauflex
