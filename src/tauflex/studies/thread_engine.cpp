#include "tauflex/studies/thread_engine.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tauflex {

ThreadEngine::ThreadEngine(int threads)
    : threads_(threads > 0 ? threads
                           : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))) {}

void ThreadEngine::make(const Runs& runs) {
  std::mutex mutex;
  std::exception_ptr fault;
  bool stopped = false;
  const auto worker = [&] {
    std::unique_lock lock(mutex);
    while (!stopped) {
      try {
        const long run = runs.next();
        if (run < 0) return;
        lock.unlock();
        const std::string row = runs.work(run);
        lock.lock();
        if (!row.empty()) runs.take(row);
      } catch (...) {
        if (!lock.owns_lock()) lock.lock();
        if (!fault) fault = std::current_exception();
        stopped = true;
      }
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads_; ++i) others.emplace_back(worker);
  worker();
  for (std::thread& other : others) other.join();
  if (fault) std::rethrow_exception(fault);
}

}  // namespace tauflex
