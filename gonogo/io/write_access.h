// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gonogo::io {

/// For processes that help another one with its computation (base/parallel/team.h): they run the
/// same program, but only one of them may leave files. From this call on, for the whole process,
/// writing succeeds without effect and record logs are empty. There is no way back.
void DropWrites();
[[nodiscard]] bool drops_writes();

}  // namespace gonogo::io
