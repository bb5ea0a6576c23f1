// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/confirm/confirm.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/ranges.h>

#include "gonogo/base/check.h"
#include "gonogo/control/learned/learned_selector.h"
#include "gonogo/io/file.h"
#include "gonogo/io/json/json.h"
#include "gonogo/io/sha256.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/study/episode.h"
#include "gonogo/study/methods.h"
#include "gonogo/study/ranks/episode_runner.h"
#include "gonogo/study/ranks/number_bytes.h"

namespace gonogo::study {

FeatureTally::FeatureTally(const std::vector<adapter::InputStatistics>& trained)
    : trained_(&trained), inputs_(trained.size()) {}

void FeatureTally::Add(std::span<const float> row) {
  GONOGO_CHECK(row.size() == inputs_.size());
  ++rows_;
  for (std::size_t j = 0; j < row.size(); ++j) {
    const std::vector<double>& deciles = (*trained_)[j].deciles;
    const double value = row[j];
    Input& input = inputs_[j];
    input.sum += value;
    if (value < deciles.front() || value > deciles.back()) ++input.outside;
    for (std::size_t i = 0; i < deciles.size(); ++i) {
      if (value <= deciles[i]) ++input.at_most.at(i);
    }
  }
}

void FeatureTally::Merge(const FeatureTally& other) {
  if (other.rows_ == 0) return;
  GONOGO_CHECK(other.inputs_.size() == inputs_.size());
  rows_ += other.rows_;
  for (std::size_t j = 0; j < inputs_.size(); ++j) {
    inputs_[j].sum += other.inputs_[j].sum;
    inputs_[j].outside += other.inputs_[j].outside;
    for (std::size_t i = 0; i < inputs_[j].at_most.size(); ++i) {
      inputs_[j].at_most.at(i) += other.inputs_[j].at_most.at(i);
    }
  }
}

std::vector<InputDrift> CompareWithTraining(const adapter::Manifest& manifest,
                                            const FeatureTally& met) {
  std::vector<InputDrift> drift;
  const std::vector<std::string> names = manifest.layout.InputNames();
  const auto rows = static_cast<double>(met.rows());
  for (std::size_t j = 0; j < names.size(); ++j) {
    InputDrift& one = drift.emplace_back(InputDrift{.name = names[j]});
    if (met.rows() == 0) continue;
    const adapter::InputStatistics& trained = manifest.inputs[j];
    const FeatureTally::Input& input = met.inputs()[j];
    const double moved = input.sum / rows - trained.mean;
    one.shift = trained.sd > 0.0 ? moved / trained.sd : 0.0;
    one.outside = static_cast<double>(input.outside) / rows;
    // At the last of equal deciles the share of training rows at or below is at least its tenth.
    for (std::size_t i = 0; i + 1 < trained.deciles.size(); ++i) {
      if (trained.deciles[i] == trained.deciles[i + 1]) continue;
      const double expected = static_cast<double>(i) / 10.0;
      const double found = static_cast<double>(input.at_most.at(i)) / rows;
      one.distance = std::max(one.distance, std::abs(found - expected));
    }
  }
  return drift;
}

namespace {

using control::ActionSet;
using control::LearnedSelector;

/// What came of an episode under one contender.
struct Walked {
  ConfirmOutcome outcome;
  FeatureTally features;             ///< met by the adapter, or by direct control in its place …
  std::vector<std::size_t> actions;  ///< … and how often the adapter took each
};

std::string Encode(const Walked& walked) {
  const ConfirmOutcome& outcome = walked.outcome;
  return Cbor({{"cost", outcome.cost},
               {"time", outcome.time_s},
               {"success", outcome.success},
               {"decisions", outcome.decisions},
               {"departures", outcome.departures},
               {"rows", walked.features.rows()},
               {"inputs", Binary(walked.features.inputs())},
               {"actions", Binary(walked.actions)}});
}

/// Nothing when the bytes are not those of an episode of this adapter.
std::optional<Walked> Decode(std::string_view bytes, const ConfirmScene& where) {
  const std::optional<nlohmann::json> value = io::ParseCbor(bytes);
  if (!value) return {};
  const adapter::Manifest& manifest = where.adapter->manifest();
  try {
    Walked walked{.outcome = {}, .features = FeatureTally(manifest.inputs)};
    value->at("cost").get_to(walked.outcome.cost);
    value->at("time").get_to(walked.outcome.time_s);
    value->at("success").get_to(walked.outcome.success);
    value->at("decisions").get_to(walked.outcome.decisions);
    value->at("departures").get_to(walked.outcome.departures);
    auto inputs = Numbers<FeatureTally::Input>(value->at("inputs"));
    if (inputs.size() != manifest.inputs.size()) return {};
    walked.features.Restore(value->at("rows"), std::move(inputs));
    walked.actions = Numbers<std::size_t>(value->at("actions"));
    if (walked.actions.size() != manifest.layout.actions.size()) return {};
    return walked;
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

Result<std::vector<std::uint64_t>> ChooseSeeds(const ConfirmOptions& options,
                                               const CollectConfig& collect) {
  const std::set<std::uint64_t> trained(collect.seeds.begin(), collect.seeds.end());
  std::vector<std::uint64_t> seeds = options.seeds;
  if (seeds.empty()) {
    std::uint64_t next = trained.empty() ? 1 : *trained.rbegin() + 1;
    const std::size_t count = std::max<std::size_t>(trained.size(), 2);
    while (seeds.size() < count) seeds.push_back(next++);
  }
  std::set<std::uint64_t> distinct;
  for (const std::uint64_t seed : seeds) {
    if (trained.contains(seed)) {
      return UsageError(
          "seed {} is a cluster the adapter was trained on; a confirmation needs fresh "
          "ones",
          seed);
    }
    if (!distinct.insert(seed).second) return UsageError("seed {} is given twice", seed);
  }
  if (seeds.size() < 2) return UsageError("one cluster has no interval, expected at least 2 seeds");
  return seeds;
}

class ConfirmRun {
 public:
  ConfirmRun(const ConfirmScene& where, ActionSet actions, std::size_t fixed, EpisodeLog* log,
             Confirmation& out)
      : where_(where),
        rate_(where.collect.work_rate == "control" ? sim::WorkRate::kControl
                                                   : sim::WorkRate::kPhysics),
        actions_(std::move(actions)),
        fixed_(fixed),
        log_(log),
        out_(out) {}

  Status Run(const Execution& execution) {
    GONOGO_TRY(RunAll({Contender::kDirect, Contender::kFixed, Contender::kAdapter}, execution));
    for (double& share : out_.frequencies) share /= std::max(taken_, 1.0);
    // The mixture needs the adapter's own frequencies.
    return RunAll({Contender::kMixture}, execution);
  }

 private:
  /// All starts under some contenders; what came of them is reduced in the order of the starts.
  Status RunAll(const std::vector<Contender>& who, const Execution& execution) {
    EpisodeRun run{.scene = where_.scene,
                   .targets = where_.scene.robot.task.targets.at(where_.collect.family)};
    for (std::size_t c = 0; c < kContenders; ++c) {
      run.controllers.push_back(IdentityOf(static_cast<Contender>(c)));
    }
    for (const ConfirmStart& start : out_.starts) {
      for (const Contender one : who) {
        run.units.push_back({static_cast<std::size_t>(one), start.seed, start.target, start.trial});
      }
    }
    run.make = [&](const Scene& here, const EpisodeUnit& unit) { return Walk(here, unit); };
    run.is_whole = [&](std::string_view bytes) { return Decode(bytes, where_).has_value(); };
    Execution counted = execution;
    counted.progress = [&](std::size_t done, std::size_t) {
      if (execution.progress) execution.progress(before_ + done, out_.starts.size() * kContenders);
    };
    const std::vector<std::string> all = GONOGO_TRY(RunEpisodes(run, log_, counted));
    before_ += all.size();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::optional<Walked> walked = Decode(all[i], where_);
      GONOGO_CHECK(walked.has_value());
      Add(*walked, who[i % who.size()], out_.starts[i / who.size()]);
    }
    return {};
  }

  void Add(const Walked& walked, Contender who, ConfirmStart& start) {
    start.outcomes[static_cast<std::size_t>(who)] = walked.outcome;
    if (who == Contender::kDirect) out_.direct_features.Merge(walked.features);
    if (who != Contender::kAdapter) return;
    out_.adapter_features.Merge(walked.features);
    for (std::size_t a = 0; a < walked.actions.size(); ++a) {
      out_.frequencies[a] += static_cast<double>(walked.actions[a]);
      taken_ += static_cast<double>(walked.actions[a]);
    }
  }

  /// Everything that decides what a contender does; its adapter says the rest.
  [[nodiscard]] std::string IdentityOf(Contender who) const {
    std::string name = fmt::format("confirm {} {}", static_cast<std::size_t>(who), where_.sha256);
    if (who == Contender::kAdapter) name += fmt::format(" hold={}", out_.options.hold);
    if (who == Contender::kMixture) name += fmt::format(" {}", fmt::join(out_.frequencies, " "));
    return name;
  }

  Result<std::string> Walk(const Scene& here, const EpisodeUnit& unit) const {
    const auto who = static_cast<Contender>(unit.controller);
    const RngStream cluster = RngStream(unit.seed).Child("confirm");
    const auto trial = static_cast<std::uint64_t>(unit.trial);
    sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(here.world, here.policy));
    // Under direct control it only watches, for the features it would have seen.
    LearnedSelector selector = GONOGO_TRY(LearnedSelector::Create(
        where_.adapter, here.robot, who == Contender::kAdapter ? out_.options.hold : 1));
    const std::unique_ptr<control::Controller> other =
        MakeOther(who, cluster.Child("mixture").Child(trial).Child(unit.target));
    Walked walked{.outcome = {},
                  .features = FeatureTally(where_.adapter->manifest().inputs),
                  .actions = std::vector<std::size_t>(actions_.size(), 0)};
    const bool traced = who == Contender::kAdapter || who == Contender::kDirect;
    ConfirmOutcome& outcome = walked.outcome;
    const sim::Decider decide = [&](const sim::Percept& percept) {
      const control::Situation now = SituationOf(percept);
      control::CommandDecision decision;
      if (traced) {
        decision = selector.Decide(now);
        walked.features.Add(selector.last_features());
        ++walked.actions[selector.last_action().value_or(0)];
      }
      if (other != nullptr) decision = other->Decide(now);
      outcome.departures += decision.command == percept.direct ? 0 : 1;
      return decision.command;
    };
    const robot::Point2 target = here.robot.task.targets.at(where_.collect.family)[unit.target];
    sim::EpisodeResult result = GONOGO_TRY(
        sim::RunToTarget(loop, SceneStart(here, cluster, trial, unit.target), target, decide));
    result = sim::AtRate(std::move(result), rate_);
    outcome.cost = result.work_j;
    outcome.time_s = result.time_s;
    outcome.success = result.success;
    outcome.decisions = result.decisions;
    return Encode(walked);
  }

  /// Null for the adapter itself.
  [[nodiscard]] std::unique_ptr<control::Controller> MakeOther(Contender who,
                                                               const RngStream& stream) const {
    switch (who) {
      case Contender::kDirect:
        return std::make_unique<control::FixedAction>(actions_, 0);
      case Contender::kFixed:
        return std::make_unique<control::FixedAction>(actions_, fixed_);
      case Contender::kMixture:
        return std::make_unique<control::RandomActions>(actions_, out_.frequencies, stream);
      case Contender::kAdapter:
        break;
    }
    return nullptr;
  }

  const ConfirmScene& where_;
  sim::WorkRate rate_;
  ActionSet actions_;
  std::size_t fixed_;
  EpisodeLog* log_;
  Confirmation& out_;
  double taken_ = 0.0;      ///< actions of the adapter
  std::size_t before_ = 0;  ///< episodes that are finished
};

}  // namespace

Result<ConfirmScene> ConfirmScene::Open(const std::filesystem::path& folder,
                                        const std::filesystem::path& robot) {
  OpenedRobot opened = GONOGO_TRY(OpenRobot(robot));
  std::shared_ptr<const adapter::Adapter> adapter = GONOGO_TRY(LoadAdapterFor(folder, opened.spec));
  const nlohmann::json& declared = adapter->manifest().protocol;
  const std::string file = (folder / "adapter.json").string();
  if (!declared.is_object() || !declared.contains("text") || !declared["text"].is_string()) {
    return InputError("{}: does not hold the protocol it was trained under", file);
  }
  audit::Protocol protocol = GONOGO_TRY(
      ParseProtocol(declared["text"].get_ref<const std::string&>(), file + ": protocol.text"));
  CollectConfig collect = GONOGO_TRY(CollectOf(protocol));
  const Surroundings surroundings = GONOGO_TRY(SurroundingsOf(collect));
  Scene scene = GONOGO_TRY(OpenScene(std::move(opened), surroundings));
  const auto family = scene.robot.task.targets.find(collect.family);
  if (family == scene.robot.task.targets.end() || family->second.empty()) {
    return InputError("{}: has no target family \"{}\", which the adapter was trained on",
                      scene.robot.file.string(), collect.family);
  }
  GONOGO_TRY(LearnedSelector::Create(adapter, scene.robot));
  const std::string manifest = GONOGO_TRY(io::ReadFile(file));
  return ConfirmScene{std::move(adapter), std::move(scene), std::move(collect), std::move(protocol),
                      io::Sha256Hex(manifest)};
}

Result<Confirmation> RunConfirmation(const ConfirmScene& where, const ConfirmOptions& options,
                                     const Execution& execution) {
  if (options.trials < 1) return UsageError("trials is {}, expected at least 1", options.trials);
  if (options.hold < 1) return UsageError("hold is 0, expected at least 1");
  const adapter::Manifest& manifest = where.adapter->manifest();
  ActionSet actions = GONOGO_TRY(ActionSet::Create(manifest, where.scene.robot));
  const std::vector<std::string>& names = manifest.layout.actions;
  const auto fixed = std::find(names.begin(), names.end(), manifest.best_fixed);
  if (fixed == names.end()) {
    return InputError("adapter.json: the best fixed action '{}' is none of its actions",
                      manifest.best_fixed);
  }
  const std::vector<std::uint64_t> seeds = GONOGO_TRY(ChooseSeeds(options, where.collect));
  Confirmation out{.robot = where.scene.robot.name,
                   .collect = where.collect,
                   .seeds = seeds,
                   .options = options,
                   .best_fixed = manifest.best_fixed};
  const std::size_t targets = where.scene.robot.task.targets.at(where.collect.family).size();
  for (const std::uint64_t seed : out.seeds) {
    for (std::size_t target = 0; target < targets; ++target) {
      for (int trial = 0; trial < options.trials; ++trial) {
        out.starts.push_back({.seed = seed, .target = target, .trial = trial});
      }
    }
  }
  std::optional<EpisodeLog> log;
  if (!options.folder.empty()) {
    log = GONOGO_TRY(EpisodeLog::Open(options.folder, where.scene));
  }
  out.adapter_features = out.direct_features = FeatureTally(manifest.inputs);
  out.frequencies.assign(actions.size(), 0.0);
  ConfirmRun run(where, std::move(actions), static_cast<std::size_t>(fixed - names.begin()),
                 log ? &*log : nullptr, out);
  GONOGO_TRY(run.Run(execution));
  return out;
}

}  // namespace gonogo::study
