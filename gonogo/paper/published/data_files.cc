// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/published/data_files.h"

#include <array>

namespace gonogo::paper {

std::span<const DataFile> PublishedFiles() {
  static const std::array<DataFile, 9> kFiles{{{"ablation.toml", AblationToml()},
                                               {"archived_audit.toml", ArchivedAuditToml()},
                                               {"compensation.toml", CompensationToml()},
                                               {"confirmatory_audit.toml", ConfirmatoryAuditToml()},
                                               {"coverage.toml", CoverageToml()},
                                               {"frontier.toml", FrontierToml()},
                                               {"response_model.toml", ResponseModelToml()},
                                               {"retrieval.toml", RetrievalToml()},
                                               {"terrain.toml", TerrainToml()}}};
  return kFiles;
}

DataFile RemarksFile() { return {"remarks.toml", RemarksToml()}; }

DataFile FindingsFile() { return {"findings.toml", FindingsToml()}; }

}  // namespace gonogo::paper
