// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace gonogo {

/// Prints the failed condition with its place and aborts. For our own bugs only; what the world
/// gets wrong is a `Result`.
[[noreturn]] void CheckFailed(std::string_view condition, std::string_view file, int line);

/// Told the sentence about a failed check ("gonogo bug: check failed: … at file:line"). It may
/// throw; when it returns, the process is aborted all the same, as nothing after a failed check can
/// be trusted to run.
using CheckHandler = void (*)(const std::string& message);

/// Replaces what a failed GONOGO_CHECK does and returns what it did before; null stands for the
/// default, which prints the sentence to stderr and aborts. For whoever hosts the library in a
/// process that is not ours to end, such as an interpreter. Call it before other threads use the
/// library.
CheckHandler SetCheckHandler(CheckHandler handler);

/// A failed check as an exception, for handlers that throw.
class CheckFailure : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// A handler that throws `CheckFailure`.
void ThrowCheckFailure(const std::string& message);

}  // namespace gonogo

/// Always armed, in every build type.
#define GONOGO_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::gonogo::CheckFailed(#condition, __FILE__, __LINE__))
