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
// std::stable_sort asks for memory this way. The standard library's passes the wish on to the one
// above; AddressSanitizer's does not.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace gonogo::testing_support {

std::size_t AllocationCount() { return allocation_count; }

}  // namespace gonogo::testing_support
