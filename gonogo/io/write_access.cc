// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/write_access.h"

#include <atomic>

namespace gonogo::io {
namespace {

std::atomic<bool> dropped = false;

}  // namespace

void DropWrites() { dropped = true; }
bool drops_writes() { return dropped; }

}  // namespace gonogo::io
