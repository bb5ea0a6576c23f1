// SPDX-License-Identifier: Apache-2.0
// A part of a collection with a few places changed is put aside, refused with a message or merged
// into a sound table.
#include "fuzz/hdf5_edits.h"
#include "fuzz/scratch_folder.h"
#include "fuzz/sound_table.h"

#include "gonogo/audit/table/table_reader.h"
#include "gonogo/base/check.h"
#include "gonogo/io/file.h"
#include "gonogo/study/collect/collect_config.h"
#include "gonogo/study/collect/collection.h"

namespace {

using namespace gonogo;

constexpr const char* kDeclaration = R"(
[protocol]
actions = ["direct", "scale-0.75"]
[collect]
controller = "vgcc"
seeds = [1, 2]
terrain = "flat"
)";

/// Two queries of a cluster, with everything a part may hold.
study::ClusterOutcomes Outcomes(std::uint64_t seed) {
  study::ClusterOutcomes outcomes;
  audit::OutcomeTable& table = outcomes.table;
  table.actions = {"direct", "scale-0.75"};
  table.clusters = {std::to_string(seed)};
  table.cluster_begin = {0, 2};
  table.queries = {std::to_string(seed) + "-0", std::to_string(seed) + "-1"};
  table.cost = {1.0, 0.5, 2.0, 3.0};
  table.time = {1.0, 1.0, 1.0, 1.0};
  table.success = {1, 1, 1, 0};
  table.features = {{.name = "obs", .columns = {"x"}, .values = audit::FeatureMatrix::Ones(2, 1)}};
  return outcomes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const audit::Protocol kProtocol = study::ParseProtocol(kDeclaration, "fuzz.toml").value();
  study::Collection collection = std::move(
      study::Collection::Open(fuzz::ScratchFolder() / "run", kProtocol, {{"robot", "r"}}).value());
  static const std::string kPart = [&] {
    GONOGO_CHECK(collection.Save(1, Outcomes(1)).ok() && collection.Save(2, Outcomes(2)).ok());
    GONOGO_CHECK(collection.Has(1).value() && collection.Merge().ok());
    return io::ReadFile(collection.PartFile(2)).value();
  }();
  fuzz::PutFile("run/parts/cluster-2.h5", kPart);
  fuzz::Bytes bytes(data, size);
  fuzz::EditHdf5(collection.PartFile(2), bytes);
  (void)collection.Has(2).ok();
  const Result<study::MergedTable> merged = collection.Merge();
  if (!merged.ok()) return 0;
  const Result<audit::TableFile> table = audit::ReadTable(merged.value().file, kProtocol);
  if (table.ok()) GONOGO_CHECK(fuzz::IsSound(table.value().table));
  return 0;
}
