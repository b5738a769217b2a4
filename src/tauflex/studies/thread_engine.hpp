// Threads of this machine.
#pragma once

#include "tauflex/studies/engine.hpp"

namespace tauflex {

class ThreadEngine : public Engine {
 public:
  // 0: as many as there are cores.
  explicit ThreadEngine(int threads = 0);
  void make(const Runs& runs) override;
  int threads() const { return threads_; }

 private:
  int threads_;
};

}  // namespace tauflex
