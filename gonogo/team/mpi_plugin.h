// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/team/transport.h"

/// The one function of gonogo_mpi.so. Program and plugin are of one build: the plugin says of which
/// before anything else is called.
namespace gonogo::team {

struct MpiPlugin {
  const char* interface_version;  ///< kMpiInterface of the plugin's build
  Transport* (*connect)();        ///< starts MPI; the transport lives as long as the process
};

/// Changes with every change of `Transport` or `MpiPlugin`.
inline constexpr const char* kMpiInterface = "gonogo-mpi/1";
inline constexpr const char* kMpiEntry = "gonogo_mpi_plugin";

}  // namespace gonogo::team
