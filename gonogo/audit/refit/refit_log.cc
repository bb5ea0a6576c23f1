// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/refit/refit_log.h"

#include <nlohmann/json.hpp>

#include "gonogo/io/record_log.h"
#include "gonogo/io/shard_log.h"

namespace gonogo::audit {

using nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChoiceTotals, cluster, count, cost, direct_cost, violations,
                                   successes, oracle_agreements, covariance, work_error)

std::string EncodeRefit(const Refit& refit) {
  json value = {{"multiplicity", refit.split.multiplicity}, {"held_out", refit.held_out}};
  if (!refit.departures.empty()) value["departures"] = refit.departures;
  std::string bytes;
  json::to_cbor(value, bytes);
  return bytes;
}

std::optional<Refit> DecodeRefit(std::string_view bytes) {
  try {
    const json value = json::from_cbor(bytes);
    return Refit{.split = {value.at("multiplicity").get<std::vector<std::uint32_t>>()},
                 .held_out = value.at("held_out").get<std::vector<ChoiceTotals>>(),
                 .departures = value.value("departures", std::vector<std::uint32_t>())};
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

namespace {

RefitStore StoreIn(io::RecordLog opened) {
  const auto log = std::make_shared<io::RecordLog>(std::move(opened));
  RefitStore store;
  store.load = [log](std::size_t task) -> std::optional<Refit> {
    const std::optional<std::string_view> bytes = log->Find(task);
    return bytes.has_value() ? DecodeRefit(*bytes) : std::nullopt;
  };
  store.save = [log](std::size_t task, const Refit& refit) {
    return log->Append(task, EncodeRefit(refit));
  };
  return store;
}

}  // namespace

Result<RefitStore> OpenRefitLog(const std::filesystem::path& path, std::string_view fingerprint) {
  return StoreIn(GONOGO_TRY(io::RecordLog::Open(path, fingerprint)));
}

Result<RefitStore> OpenRefitShard(const std::filesystem::path& path, std::string_view fingerprint,
                                  const Shard& shard, std::size_t tasks) {
  return StoreIn(GONOGO_TRY(io::OpenShardLog(path, fingerprint, shard, tasks)));
}

}  // namespace gonogo::audit
