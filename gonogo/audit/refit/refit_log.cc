// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/refit/refit_log.h"

#include <nlohmann/json.hpp>

#include "gonogo/io/json/json.h"
#include "gonogo/io/record_log.h"

namespace gonogo::audit {

using nlohmann::json;

// What only logs have stands where it is something: other refits keep their bytes.
void to_json(json& value, const ChoiceTotals& totals) {
  value = {{"cluster", totals.cluster},
           {"count", totals.count},
           {"cost", totals.cost},
           {"direct_cost", totals.direct_cost},
           {"violations", totals.violations},
           {"successes", totals.successes},
           {"oracle_agreements", totals.oracle_agreements},
           {"covariance", totals.covariance},
           {"work_error", totals.work_error}};
  if (totals.predicted_cost != 0.0 || totals.weight != 0.0) {
    value["log"] = {totals.predicted_cost, totals.weight, totals.weighted_cost};
  }
}

void from_json(const json& value, ChoiceTotals& totals) {
  io::TakeWhole(value.at("cluster"), totals.cluster);
  io::TakeWhole(value.at("count"), totals.count);
  value.at("cost").get_to(totals.cost);
  value.at("direct_cost").get_to(totals.direct_cost);
  value.at("violations").get_to(totals.violations);
  value.at("successes").get_to(totals.successes);
  value.at("oracle_agreements").get_to(totals.oracle_agreements);
  value.at("covariance").get_to(totals.covariance);
  value.at("work_error").get_to(totals.work_error);
  if (!value.contains("log")) return;
  value.at("log").at(0).get_to(totals.predicted_cost);
  value.at("log").at(1).get_to(totals.weight);
  value.at("log").at(2).get_to(totals.weighted_cost);
}

std::string EncodeRefit(const Refit& refit) {
  json value = {{"multiplicity", refit.split.multiplicity}, {"held_out", refit.held_out}};
  if (!refit.departures.empty()) value["departures"] = refit.departures;
  std::string bytes;
  json::to_cbor(value, bytes);
  return bytes;
}

std::optional<Refit> DecodeRefit(std::string_view bytes) {
  const std::optional<json> parsed = io::ParseCbor(bytes);
  if (!parsed) return std::nullopt;
  const json& value = *parsed;
  try {
    Refit refit;
    io::TakeWhole(value.at("multiplicity"), refit.split.multiplicity);
    value.at("held_out").get_to(refit.held_out);
    if (value.contains("departures")) io::TakeWhole(value.at("departures"), refit.departures);
    return refit;
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
