// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gonogo {

/// Ends the process with one sentence on stderr and exit code 2 when this library was compiled for
/// instructions that the processor does not have, instead of an illegal instruction somewhere
/// later. Called before other static objects of the program are made; nobody else has to.
void RequireProcessor();

}  // namespace gonogo
