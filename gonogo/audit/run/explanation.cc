// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/run/explanation.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/audit/learners/distilled_tree.h"
#include "gonogo/audit/refit/asked_problem.h"
#include "gonogo/audit/refit/audit_tasks.h"
#include "gonogo/audit/refit/refit.h"
#include "gonogo/base/check.h"
#include "gonogo/base/parallel/parallel.h"
#include "gonogo/nn/onnx/export.h"
#include "gonogo/nn/onnx/model.h"
#include "gonogo/stats/distributions.h"

namespace gonogo::audit {
namespace {

constexpr std::size_t kExchanges = 3;  // of every feature, averaged
constexpr std::size_t kReasons = 3;    // features named for a choice
/// Where in its distribution a feature is tried instead of its own value.
constexpr std::array kTried{0.1, 0.3, 0.5, 0.7, 0.9};
constexpr double kLevel = 0.95;

/// An adapter that can be asked about rows of features that no query has.
class Asked {
 public:
  explicit Asked(const FittedAdapter& adapter)
      : effects_(adapter.learner->Describe()),
        model_(nn::OnnxModel::Parse(nn::SerialiseEffects(effects_, {}), "explanation").value()),
        gate_(adapter.gate) {
    each_ = effects_.members * effects_.candidates;
    numbers_.resize(each_ * effects_.outputs.size());
    for (std::size_t o = 0; o < effects_.outputs.size(); ++o) {
      outputs_.push_back(std::span(numbers_).subspan(o * each_, each_));
    }
  }

  ActionIndex Choose(std::span<const float> row) {
    return static_cast<ActionIndex>(adapter::SelectAction(Effects(row), gate_));
  }

  /// How far the bound of an action lies below that of the best other one, the reference's being 0:
  /// above 0 where the gate lets it pass and nothing is better.
  double Margin(std::span<const float> row, ActionIndex action) {
    const adapter::EffectView<float> effects = Effects(row);
    const auto bound = [&](ActionIndex a) {
      return a == kDirect ? 0.0 : adapter::BoundsOf(effects, gate_, a - 1U).work_upper;
    };
    double others = action == kDirect ? std::numeric_limits<double>::infinity() : 0.0;
    for (std::size_t c = 0; c < effects.candidates; ++c) {
      if (c + 1 == action || !adapter::IsAccepted(effects, gate_, c)) continue;
      others = std::min(others, bound(static_cast<ActionIndex>(c + 1)));
    }
    return others - bound(action);
  }

 private:
  adapter::EffectView<float> Effects(std::span<const float> row) {
    model_.Run({&row, 1}, outputs_, scratch_);
    adapter::EffectView<float> view{.stride = effects_.candidates,
                                    .members = effects_.members,
                                    .candidates = effects_.candidates};
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      const std::string& name = effects_.outputs[o].name;
      (name == "work"   ? view.work
       : name == "time" ? view.time
                        : view.eligible) = outputs_[o].data();
    }
    return view;
  }

  nn::EffectModel effects_;
  nn::OnnxModel model_;
  adapter::Gate gate_;
  std::size_t each_ = 0;
  std::vector<float> numbers_;
  std::vector<std::span<float>> outputs_;
  nn::OnnxModel::Scratch scratch_;
};

/// What one held-out cluster says.
struct ClusterPart {
  double reference = 0.0;         ///< cost of the reference
  double chosen = 0.0;            ///< of the adapter's choices
  double distilled = 0.0;         ///< of the choices of a tree that imitates it
  std::vector<double> exchanged;  ///< of the choices without each feature
};

class Explaining {
 public:
  Explaining(const LearningProblem& problem, const RngStream& stream)
      : problem_(problem), stream_(stream), names_(problem.InputNames()) {
    std::vector<std::vector<float>> columns(names_.size());
    for (std::size_t query = 0; query < problem.table().num_queries(); ++query) {
      const std::vector<float> row = problem.InputRow(query);
      for (std::size_t j = 0; j < row.size(); ++j) columns[j].push_back(row[j]);
    }
    for (std::vector<float>& column : columns) {
      std::sort(column.begin(), column.end());
      std::array<float, kTried.size()> tried{};
      for (std::size_t i = 0; i < tried.size(); ++i) {
        const double place = kTried.at(i) * static_cast<double>(column.size() - 1);
        tried.at(i) = column[static_cast<std::size_t>(place)];
      }
      tried_.push_back(tried);
    }
    reasons_.resize(problem.table().num_queries());
  }

  /// Asks an adapter about the cluster that it has not seen.
  ClusterPart In(const FittedAdapter& adapter, const RefitTask& task, std::size_t cluster);
  [[nodiscard]] Explanation Finish(const std::vector<ClusterPart>& parts,
                                   const FittedAdapter& shipped);

 private:
  [[nodiscard]] double Cost(std::size_t query, ActionIndex action) const {
    return problem_.table().cost[problem_.table().cell(query, action)];
  }
  [[nodiscard]] DistilledTree Imitate(const FittedAdapter& adapter,
                                      const stats::ClusterSplit& split) const;
  [[nodiscard]] std::vector<ChoiceReason> ReasonsFor(Asked& asked, std::vector<float> row,
                                                     ActionIndex action) const;

  const LearningProblem& problem_;
  RngStream stream_;
  std::vector<std::string> names_;
  std::vector<std::array<float, kTried.size()>> tried_;
  std::vector<std::vector<ChoiceReason>> reasons_;
};

DistilledTree Explaining::Imitate(const FittedAdapter& adapter,
                                  const stats::ClusterSplit& split) const {
  std::vector<ActionIndex> choices;
  for (std::size_t k = 0; k < split.num_clusters(); ++k) {
    const std::vector<ActionIndex> own = adapter.ChooseIn(problem_, k);
    choices.insert(choices.end(), own.begin(), own.end());
  }
  return Distil(problem_, choices, split, stream_.Child("distil"));
}

std::vector<ChoiceReason> Explaining::ReasonsFor(Asked& asked, std::vector<float> row,
                                                 ActionIndex action) const {
  struct Shift {
    double lost = 0.0;  ///< of the margin, in the mean over the values tried
    double changed = 0.0;
    std::size_t column = 0;
  };
  const double margin = asked.Margin(row, action);
  std::vector<Shift> shifts;
  for (std::size_t j = 0; j < row.size(); ++j) {
    Shift shift{.column = j};
    const float own = row[j];
    for (const float value : tried_[j]) {
      row[j] = value;
      shift.lost += (margin - asked.Margin(row, action)) / kTried.size();
      shift.changed += (asked.Choose(row) != action ? 1.0 : 0.0) / kTried.size();
    }
    row[j] = own;
    if (shift.lost > 0.0) shifts.push_back(shift);
  }
  std::stable_sort(shifts.begin(), shifts.end(),
                   [](const Shift& a, const Shift& b) { return a.lost > b.lost; });
  std::vector<ChoiceReason> reasons;
  for (std::size_t i = 0; i < std::min(kReasons, shifts.size()); ++i) {
    const std::size_t j = shifts[i].column;
    reasons.push_back(
        {names_[j], row[j], tried_[j].at(kTried.size() / 2), shifts[i].changed > 0.5});
  }
  return reasons;
}

ClusterPart Explaining::In(const FittedAdapter& adapter, const RefitTask& task,
                           std::size_t cluster) {
  Asked asked(adapter);
  const DistilledTree tree = Imitate(adapter, task.split);
  const QueryRange range = problem_.table().queries_of(cluster);
  ClusterPart part{.exchanged = std::vector<double>(names_.size(), 0.0)};
  std::vector<std::vector<float>> rows;
  for (std::size_t query = range.begin; query < range.end; ++query) {
    rows.push_back(problem_.InputRow(query));
    const ActionIndex action = asked.Choose(rows.back());
    part.reference += Cost(query, kDirect);
    part.chosen += Cost(query, action);
    part.distilled += Cost(query, tree.choices[query]);
    reasons_[query] = ReasonsFor(asked, rows.back(), action);
  }
  for (std::size_t j = 0; j < part.exchanged.size(); ++j) {
    Rng rng = stream_.Child("exchange").Child(cluster).Child(j).Generator();
    std::vector<float> values;
    for (const std::vector<float>& row : rows) values.push_back(row[j]);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    if (*low == *high) {
      part.exchanged[j] = part.chosen;
      continue;
    }
    const std::vector<float> own = values;
    for (std::size_t e = 0; e < kExchanges; ++e) {
      rng.Shuffle(std::span(values));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i][j] = values[i];
        part.exchanged[j] += Cost(range.begin + i, asked.Choose(rows[i])) / kExchanges;
      }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i][j] = own[i];
  }
  return part;
}

/// Ratio of sums over clusters with its linearised interval.
FeatureImportance ImportanceOf(const std::vector<ClusterPart>& parts, std::size_t column) {
  double lost = 0.0;
  double reference = 0.0;
  for (const ClusterPart& part : parts) {
    lost += part.exchanged[column] - part.chosen;
    reference += part.reference;
  }
  const double loss = lost / reference;
  double squares = 0.0;
  for (const ClusterPart& part : parts) {
    const double residual = part.exchanged[column] - part.chosen - loss * part.reference;
    squares += residual * residual;
  }
  const auto clusters = static_cast<double>(parts.size());
  const double error = std::sqrt(squares * clusters / (clusters - 1.0)) / reference;
  const double half = stats::StudentTQuantile(0.5 + kLevel / 2.0, clusters - 1.0) * error;
  return {.loss = loss, .lower = loss - half, .upper = loss + half};
}

Explanation Explaining::Finish(const std::vector<ClusterPart>& parts,
                               const FittedAdapter& shipped) {
  Explanation explanation;
  double reference = 0.0;
  double chosen = 0.0;
  double distilled = 0.0;
  for (const ClusterPart& part : parts) {
    reference += part.reference;
    chosen += part.chosen;
    distilled += part.distilled;
  }
  explanation.gain = 1.0 - chosen / reference;
  explanation.kept = 1.0 - distilled / reference;
  for (std::size_t j = 0; j < names_.size(); ++j) {
    explanation.features.push_back(ImportanceOf(parts, j));
    explanation.features.back().feature = names_[j];
  }
  std::stable_sort(
      explanation.features.begin(), explanation.features.end(),
      [](const FeatureImportance& a, const FeatureImportance& b) { return a.loss > b.loss; });
  const std::vector<std::uint32_t> once(problem_.table().num_clusters(), 1);
  explanation.rules = Imitate(shipped, {once}).rules;
  explanation.reasons = std::move(reasons_);
  explanation.queries = problem_.table().queries;
  for (std::size_t query = explanation.queries.size(); query < explanation.reasons.size();
       ++query) {
    explanation.queries.push_back(fmt::format("{}", query));
  }
  return explanation;
}

}  // namespace

Result<Explanation> Explain(const PotentialOutcomes& outcomes, const AuditResult& result,
                            const Execution& execution) {
  if (result.source == "choices") {
    return UsageError(
        "given choices were audited: there is no learner that could be asked why it chose so");
  }
  const Protocol& protocol = result.protocol;
  const LearningProblem problem = GONOGO_TRY(ProblemOf(outcomes, protocol));
  const std::unique_ptr<Learner> learner = GONOGO_TRY(LearnerOf(problem, protocol));
  const RngStream stream(protocol.bootstrap.seed);
  std::vector<RefitTask> tasks = CrossFitTasks(outcomes.table->num_clusters(), stream);
  Explaining explaining(problem, stream.Child("explain"));
  std::vector<ClusterPart> parts(tasks.size());
  std::atomic<std::size_t> done = 0;
  ParallelFor(execution.jobs, tasks.size(), [&](std::size_t k) {
    const std::optional<FittedAdapter> adapter =
        FitAdapter(problem, *learner, GateOf(protocol), tasks[k], execution.stop);
    if (!adapter.has_value()) return;
    parts[k] = explaining.In(*adapter, tasks[k], k);
    const std::size_t finished = ++done;
    if (execution.progress) execution.progress(finished, tasks.size());
  });
  const std::vector<std::uint32_t> once(outcomes.table->num_clusters(), 1);
  const std::optional<FittedAdapter> shipped = FitAdapter(
      problem, *learner, GateOf(protocol), {{once}, ShippedStream(protocol)}, execution.stop);
  if (done < tasks.size() || !shipped.has_value()) {
    return Error{ErrorKind::kInterrupted, "stopped before all choices were explained"};
  }
  return explaining.Finish(parts, *shipped);
}

nlohmann::json ToJson(const Explanation& explanation) {
  nlohmann::json features = nlohmann::json::array();
  for (const FeatureImportance& feature : explanation.features) {
    features.push_back({{"feature", feature.feature},
                        {"point", feature.loss},
                        {"lower", feature.lower},
                        {"upper", feature.upper}});
  }
  nlohmann::json queries = nlohmann::json::array();
  for (std::size_t query = 0; query < explanation.reasons.size(); ++query) {
    nlohmann::json reasons = nlohmann::json::array();
    for (const ChoiceReason& reason : explanation.reasons[query]) {
      reasons.push_back({{"feature", reason.feature},
                         {"value", reason.value},
                         {"usual", reason.usual},
                         {"decides", reason.decides}});
    }
    queries.push_back({{"query", explanation.queries[query]}, {"because", std::move(reasons)}});
  }
  return {{"gain", explanation.gain},
          {"features", std::move(features)},
          {"tree", {{"rules", explanation.rules}, {"gain", explanation.kept}}},
          {"queries", std::move(queries)}};
}

}  // namespace gonogo::audit
