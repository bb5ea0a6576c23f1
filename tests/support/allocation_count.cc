// SPDX-License-Identifier: Apache-2.0
#include "tests/support/allocation_count.h"

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t allocation_count = 0;

void* Allocate(std::size_t size, std::size_t alignment) {
  ++allocation_count;
  const std::size_t rounded = (size / alignment + 1) * alignment;  // aligned_alloc wants a multiple
  if (void* memory = std::aligned_alloc(alignment, rounded)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace gonogo::testing_support {

std::size_t AllocationCount() { return allocation_count; }

}  // namespace gonogo::testing_support
