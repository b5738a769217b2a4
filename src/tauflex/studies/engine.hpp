// Where the runs of a study are made: threads of one machine, or ranks on many. Rows are the same
// whoever makes them; an engine only says when.
#pragma once

#include <functional>
#include <string>

namespace tauflex {

struct Runs {
  // The next run, -1 when there are none left. Only where the table is kept, one call at a time.
  std::function<long()> next;
  // The row of a run, by any thread; empty: it was stopped.
  std::function<std::string(long run)> work;
  // Takes a row, one call at a time; only where the table is kept.
  std::function<void(const std::string& row)> take;
};

class Engine {
 public:
  virtual ~Engine() = default;
  // False on a rank that only works: it writes and says nothing.
  virtual bool keeps_table() const { return true; }
  // Until no run is left. Exceptions of next, work and take stop all and are thrown here.
  virtual void make(const Runs& runs) = 0;
};

}  // namespace tauflex
