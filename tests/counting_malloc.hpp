// How often memory was allocated: link counting_malloc.cpp.
#pragma once

namespace tauflex {

int allocation_count();

template <class F>
int count_allocations(const F& f) {
  const int before = allocation_count();
  f();
  return allocation_count() - before;
}

}  // namespace tauflex
