// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/check.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "gonogo/base/processor.h"

namespace gonogo {
namespace {

// Whoever links anything of ours links this file; so the test of the processor is linked, too.
[[gnu::used]] void (*const linked)() = &RequireProcessor;

std::atomic<CheckHandler> check_handler = nullptr;

}  // namespace

CheckHandler SetCheckHandler(CheckHandler handler) { return check_handler.exchange(handler); }

void ThrowCheckFailure(const std::string& message) { throw CheckFailure(message); }

void CheckFailed(std::string_view condition, std::string_view file, int line) {
  const std::string message = "gonogo bug: check failed: " + std::string(condition) + " at " +
                              std::string(file) + ":" + std::to_string(line);
  if (const CheckHandler handler = check_handler.load()) handler(message);
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
}

}  // namespace gonogo
