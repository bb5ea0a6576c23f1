// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/processor.h"

#include <unistd.h>

namespace gonogo {
#if defined(__x86_64__)
namespace {

// Nothing in here may itself need what is looked for. The preprocessor still says what the rest of
// the library is compiled for.
#define GONOGO_ANY_PROCESSOR __attribute__((target("arch=x86-64"), noinline))

/// The first extension in use that the processor lacks; nullptr when it has them all.
GONOGO_ANY_PROCESSOR const char* MissingExtension() {
  __builtin_cpu_init();
#if defined(__SSE4_2__)
  if (!__builtin_cpu_supports("sse4.2")) return "SSE4.2";
#endif
#if defined(__POPCNT__)
  if (!__builtin_cpu_supports("popcnt")) return "POPCNT";
#endif
#if defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2")) return "AVX2";
#endif
#if defined(__FMA__)
  if (!__builtin_cpu_supports("fma")) return "FMA";
#endif
#if defined(__BMI2__)
  if (!__builtin_cpu_supports("bmi2")) return "BMI2";
#endif
#if defined(__AVX512F__)
  if (!__builtin_cpu_supports("avx512f")) return "AVX-512";
#endif
#if defined(__AVX512VL__)
  if (!__builtin_cpu_supports("avx512vl")) return "AVX-512VL";
#endif
  return nullptr;
}

GONOGO_ANY_PROCESSOR void Say(const char* text) {
  unsigned long length = 0;
  while (text[length] != '\0') ++length;
  if (write(STDERR_FILENO, text, length) < 0) _exit(2);
}

}  // namespace

GONOGO_ANY_PROCESSOR void RequireProcessor() {
  const char* missing = MissingExtension();
  if (missing == nullptr) return;
  Say("gonogo: this build is for processors with ");
  Say(missing);
  Say(", which this one lacks: build it with -DGONOGO_ARCH=x86-64-v2, or with -DGONOGO_ARCH= for "
      "any x86-64\n");
  _exit(2);
}

namespace {
// The lowest number that is free to use: before any other object of the program. A function of its
// own, because GCC forgets the number of one that was declared before.
__attribute__((constructor(101))) GONOGO_ANY_PROCESSOR void AtStart() { RequireProcessor(); }
}  // namespace
#else
void RequireProcessor() {}
#endif

}  // namespace gonogo
