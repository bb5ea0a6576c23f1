// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/deploy/export_adapter.h"

#include <algorithm>
#include <cmath>

#include "gonogo/adapter/folder/adapter.h"
#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/audit/refit/asked_problem.h"
#include "gonogo/audit/refit/gate.h"
#include "gonogo/audit/result/audit_result.h"
#include "gonogo/io/json/json.h"
#include "gonogo/io/sha256.h"
#include "gonogo/nn/onnx/export.h"

namespace gonogo::audit {
namespace {

constexpr std::size_t kDeciles = 10;

template <typename Group>
std::vector<adapter::FeatureNames> NamesOf(const std::vector<const Group*>& groups) {
  std::vector<adapter::FeatureNames> names;
  for (const Group* group : groups) {
    adapter::FeatureNames& own =
        names.emplace_back(adapter::FeatureNames{group->name, group->columns});
    if (group->levels.empty() && !group->values.hasNaN()) continue;
    for (std::size_t j = 0; j < group->columns.size(); ++j) {
      const auto column = group->values.col(static_cast<Eigen::Index>(j)).array();
      own.kinds.push_back({column.isNaN().any(),
                           group->levels.empty() ? std::vector<std::string>() : group->levels[j]});
    }
  }
  return names;
}

/// The row of numbers an adapter is given in the situation of a query.
std::vector<float> RowOf(const LearningProblem& problem, std::size_t query) {
  const std::size_t own = problem.num_features();
  const std::size_t each = problem.num_action_features();
  const std::size_t candidates = problem.table().num_candidates();
  std::vector<float> row(own + candidates * each);
  problem.CopyFeatures(query, std::span(row).first(own));
  for (std::size_t c = 0; c < candidates && each > 0; ++c) {
    problem.CopyActionFeatures(query, c, std::span(row).subspan(own + c * each, each));
  }
  return row;
}

/// Of what is not missing.
adapter::InputStatistics Describe(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) values.push_back(0.0);
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  adapter::InputStatistics statistics;
  for (const double value : values) statistics.mean += value;
  statistics.mean /= count;
  double squares = 0.0;
  for (const double value : values)
    squares += (value - statistics.mean) * (value - statistics.mean);
  statistics.sd = std::sqrt(squares / count);
  for (std::size_t i = 0; i <= kDeciles; ++i) {
    statistics.deciles.push_back(values[i * (values.size() - 1) / kDeciles]);
  }
  return statistics;
}

std::vector<adapter::InputStatistics> DescribeInputs(const LearningProblem& problem) {
  const std::size_t queries = problem.table().num_queries();
  std::vector<std::vector<double>> columns;
  for (std::size_t query = 0; query < queries; ++query) {
    const std::vector<float> row = RowOf(problem, query);
    columns.resize(row.size());
    for (std::size_t j = 0; j < row.size(); ++j) columns[j].push_back(row[j]);
  }
  std::vector<adapter::InputStatistics> inputs;
  for (std::vector<double>& column : columns) inputs.push_back(Describe(std::move(column)));
  return inputs;
}

std::string AnswerOf(const AuditResult& result) {
  if (result.decision.has_value()) return std::string(Name(*result.decision));
  if (result.reading.has_value()) return std::string(Name(result.reading->verdict));
  return "none";
}

nlohmann::json EvidenceOf(const AuditResult& result) {
  nlohmann::json json;
  for (const auto& [key, estimate] : {std::pair{"H_dep", &result.h_dep},
                                      {"H_alloc", &result.h_alloc},
                                      {"q", &result.q},
                                      {"H_total", &result.h_total},
                                      {"H_avail", &result.h_avail}}) {
    json[key] = {{"point", estimate->point}};
    if (!estimate->interval.has_value()) continue;
    json[key]["lower"] = estimate->interval->lower;
    json[key]["upper"] = estimate->interval->upper;
  }
  json["reasons"] = result.reasons;
  return json;
}

nlohmann::json ProtocolOf(const AuditResult& result) {
  const Thresholds& thresholds = result.protocol.thresholds;
  nlohmann::json collect;
  if (result.protocol.collect.has_value()) {
    for (const auto& [key, text] : result.protocol.collect->entries) {
      const nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
      collect[key] = value.is_discarded() ? nlohmann::json(text) : value;
    }
  }
  return {{"name", result.protocol.name},
          {"fingerprint", result.fingerprint},
          {"thresholds",
           {{"delta_dep", thresholds.delta_dep},
            {"delta_alloc", thresholds.delta_alloc},
            {"kappa", thresholds.kappa}}},
          {"collect", std::move(collect)},
          {"text", CanonicalText(result.protocol)}};
}

adapter::Manifest MakeManifest(const LearningProblem& problem, const SelectorOptions& selector,
                               const AuditResult& result) {
  const OutcomeTable& table = problem.table();
  adapter::Manifest manifest;
  manifest.layout = {table.actions, NamesOf(problem.features), NamesOf(problem.action_features)};
  manifest.gate = GateOf(selector, problem.time_limit());
  manifest.learner = result.source;
  manifest.target = Name(problem.target);
  manifest.verdict = AnswerOf(result);
  manifest.confirmatory = result.decision.has_value();
  const std::vector<std::uint32_t> all(table.num_clusters(), 1);
  manifest.best_fixed = table.actions[SelectFixedAction(problem.outcomes->totals, all,
                                                        result.protocol.thresholds.kappa)];
  for (const ActionSummary& action : result.actions) manifest.frequencies.push_back(action.chosen);
  manifest.inputs = DescribeInputs(problem);
  manifest.protocol = ProtocolOf(result);
  manifest.evidence = EvidenceOf(result);
  if (!table.provenance.empty()) {
    const Result<nlohmann::json> made = io::ParseJson(table.provenance, "provenance");
    manifest.collection = made.ok() ? made.value() : nlohmann::json(table.provenance);
  }
  return manifest;
}

/// The largest difference between what a learner and its network predict of work, time and
/// eligibility at one query, in units of 1 + what was predicted.
double Difference(const adapter::EffectView<double>& own,
                  const adapter::EffectView<float>& theirs) {
  double largest = 0.0;
  const auto compare = [&](const double* a, const float* b) {
    for (std::size_t m = 0; a != nullptr && m < own.members; ++m) {
      for (std::size_t c = 0; c < own.candidates; ++c) {
        const double expected = a[m * own.stride + c];
        const double found = b[m * theirs.stride + c];
        largest = std::max(largest, std::abs(found - expected) / (1.0 + std::abs(expected)));
      }
    }
  };
  compare(own.work, theirs.work);
  compare(own.time, theirs.time);
  compare(own.eligible, theirs.eligible);
  return largest;
}

/// Lets the network choose everywhere and compares.
Status CompareWithLearner(const LearningProblem& problem, const FittedLearner& fitted,
                          ShippedAdapter& shipped) {
  const adapter::Adapter adapter =
      GONOGO_TRY(adapter::Adapter::Create(shipped.manifest, shipped.onnx, "the exported adapter"));
  adapter::Adapter::Scratch scratch(adapter);
  MemberPredictions predictions;
  double largest = 0.0;
  std::vector<std::size_t> chosen(problem.table().num_actions(), 0);
  const std::size_t queries = problem.table().num_queries();
  for (std::size_t query = 0; query < queries; ++query) {
    fitted.Predict({query, query + 1}, predictions);
    const std::size_t expected =
        adapter::SelectAction(EffectsAt(predictions, 0), shipped.manifest.gate);
    const std::vector<float> row = RowOf(problem, query);
    largest =
        std::max(largest, Difference(EffectsAt(predictions, 0), adapter.Predict(row, scratch)));
    const std::size_t action = adapter.Choose(row, scratch).value_or(kDirect);
    ++chosen[action];
    if (action != expected) ++shipped.differing_choices;
  }
  shipped.manifest.checked = {
      {"queries", queries},
      {"chosen", chosen},
      {"differing_choices", shipped.differing_choices},
      {"largest_difference", largest},
      {"of",
       "choices and predictions of adapter.onnx in gonogo's own executor, compared with the "
       "learner it was made from; the difference is relative to 1 + the prediction"}};
  return {};
}

}  // namespace

Result<ShippedAdapter> TrainAdapter(const OutcomeTable& declared, const AuditResult& result,
                                    nlohmann::json table_json, const std::stop_token& stop) {
  if (result.source == "choices") {
    return UsageError(
        "given choices were audited: there is no learner to export, the adapter that made them "
        "exists already");
  }
  const Protocol& protocol = result.protocol;
  const std::unique_ptr<const AskedProblem> asked =
      GONOGO_TRY(AskedProblem::Open(declared, protocol, {.stop = stop}));
  const OutcomeTable& table = asked->table();
  const LearningProblem& problem = asked->problem();
  const stats::ClusterSplit all{std::vector<std::uint32_t>(table.num_clusters(), 1)};
  const RngStream stream = RngStream(protocol.bootstrap.seed).Child("deploy");
  const std::unique_ptr<FittedLearner> fitted =
      asked->learner().Fit(all, stream.Child("learner"), stop);
  const std::optional<SelectorOptions> selector =
      SpendBudget(problem, asked->learner(), GateOf(protocol), all, stream.Child("budget"), stop);
  if (fitted == nullptr || !selector.has_value())
    return Error{ErrorKind::kInterrupted, "stopped while the adapter trained"};
  const nn::EffectModel model = fitted->Describe();
  ShippedAdapter shipped{.manifest = MakeManifest(problem, *selector, result)};
  shipped.manifest.members = model.members;
  for (const nn::EffectOutput& output : model.outputs) {
    shipped.manifest.outputs.push_back(output.name);
  }
  table_json["clusters"] = declared.num_clusters();
  table_json["queries"] = table.num_queries();
  shipped.manifest.table = std::move(table_json);
  shipped.onnx =
      nn::SerialiseEffects(model, {{"gonogo.protocol", result.fingerprint},
                                   {"gonogo.layout_sha256", shipped.manifest.layout.Hash()},
                                   {"gonogo.verdict", shipped.manifest.VerdictText()}});
  shipped.manifest.model_sha256 = io::Sha256Hex(shipped.onnx);
  GONOGO_TRY(CompareWithLearner(problem, *fitted, shipped));
  return shipped;
}

Result<std::optional<ShippedAdapter>> ExportAdapter(const AuditReport& report,
                                                    const std::filesystem::path& folder,
                                                    bool anyway, const std::stop_token& stop) {
  if (report.result().decision != Verdict::kGo && !anyway) return std::optional<ShippedAdapter>();
  const nlohmann::json& run = report.json.at("provenance");
  ShippedAdapter shipped = GONOGO_TRY(TrainAdapter(
      report.table.table, report.result(),
      {{"file", run.value("table", "")}, {"sha256", run.value("table_sha256", "")}}, stop));
  GONOGO_TRY(adapter::WriteAdapter(folder, shipped.manifest, shipped.onnx));
  return std::optional(std::move(shipped));
}

}  // namespace gonogo::audit
