// The same work many times, on as many threads as there are cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tauflex {

inline size_t cores() { return std::max(1U, std::thread::hardware_concurrency()); }

// Calls f(0) .. f(count - 1), begun in this order, with f = make() on each of at most so many
// threads: f has a workspace of its own, and what it writes depends on its argument only. Throws
// what one of them throws.
template <class Make>
void on_threads(size_t count, size_t threads, const Make& make) {
  std::atomic<size_t> next = 0;
  std::exception_ptr thrown;
  std::mutex throwing;
  const auto work = [&] {
    try {
      auto f = make();
      for (size_t i = next++; i < count; i = next++) f(i);
    } catch (...) {
      const std::lock_guard lock(throwing);
      thrown = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> others;
  for (size_t k = 1; k < std::min(threads, count); ++k) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace tauflex
