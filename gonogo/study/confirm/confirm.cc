// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/confirm/confirm.h"

#include <algorithm>
#include <atomic>
#include <set>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/control/learned/learned_selector.h"
#include "gonogo/study/adapter_method.h"
#include "gonogo/study/episode.h"

namespace gonogo::study {
namespace {

using control::ActionSet;
using control::LearnedSelector;

/// What an episode under one contender leaves behind besides its outcome.
struct Trace {
  FeatureTally features;
  std::vector<std::size_t> actions;  ///< how often the adapter took each
};

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
  ConfirmRun(const ConfirmSite& where, ActionSet actions, std::size_t fixed, Confirmation& out)
      : where_(where),
        rate_(where.collect.work_rate == "control" ? sim::WorkRate::kControl
                                                   : sim::WorkRate::kPhysics),
        actions_(std::move(actions)),
        fixed_(fixed),
        out_(out),
        traces_(out.starts.size() * 2) {}

  /// All starts under some contenders.
  Status Run(const std::vector<Contender>& who, const Execution& execution) {
    const std::size_t per_seed = out_.starts.size() / out_.seeds.size();
    for (std::size_t s = 0; s < out_.seeds.size(); ++s) {
      const Site here = GONOGO_TRY(SiteOf(where_.site, out_.seeds[s]));
      std::vector<Status> statuses(per_seed * who.size());
      ParallelFor(execution.jobs, statuses.size(), [&](std::size_t i) {
        if (execution.stop.stop_requested()) return;
        statuses[i] = RunOne(here, s * per_seed + i / who.size(), who[i % who.size()]);
        const std::size_t finished = ++done_;
        if (execution.progress) execution.progress(finished, out_.starts.size() * kContenders);
      });
      for (const Status& status : statuses) GONOGO_TRY(status);
      if (execution.stop.stop_requested()) {
        return Error{ErrorKind::kInterrupted, "the confirmation was interrupted"};
      }
    }
    return {};
  }

  /// Reduces the traces in the order of the starts.
  void Summarise() {
    const std::vector<adapter::InputStatistics>& trained = where_.adapter->manifest().inputs;
    out_.adapter_features = FeatureTally(trained);
    out_.direct_features = FeatureTally(trained);
    out_.frequencies.assign(actions_.size(), 0.0);
    double total = 0.0;
    for (std::size_t i = 0; i < out_.starts.size(); ++i) {
      out_.direct_features.Merge(traces_[2 * i].features);
      out_.adapter_features.Merge(traces_[2 * i + 1].features);
      for (std::size_t a = 0; a < traces_[2 * i + 1].actions.size(); ++a) {
        out_.frequencies[a] += static_cast<double>(traces_[2 * i + 1].actions[a]);
        total += static_cast<double>(traces_[2 * i + 1].actions[a]);
      }
    }
    for (double& share : out_.frequencies) share /= std::max(total, 1.0);
  }

 private:
  Status RunOne(const Site& here, std::size_t index, Contender who) {
    ConfirmStart& start = out_.starts[index];
    const RngStream cluster = RngStream(start.seed).Child("confirm");
    const auto trial = static_cast<std::uint64_t>(start.trial);
    sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(here.world, here.policy));
    // Under direct control it only watches, for the features it would have seen.
    LearnedSelector selector = GONOGO_TRY(LearnedSelector::Create(
        where_.adapter, here.robot, who == Contender::kAdapter ? out_.options.hold : 1));
    const std::unique_ptr<control::Controller> other =
        MakeOther(who, cluster.Child("mixture").Child(trial).Child(start.target));
    Trace trace{.features = FeatureTally(where_.adapter->manifest().inputs),
                .actions = std::vector<std::size_t>(actions_.size(), 0)};
    const bool traced = who == Contender::kAdapter || who == Contender::kDirect;
    ConfirmOutcome& outcome = start.outcomes[static_cast<std::size_t>(who)];
    const sim::Decider decide = [&](const sim::Sight& sight) {
      const control::Situation now = SituationOf(sight);
      control::Decision decision;
      if (traced) {
        decision = selector.Decide(now);
        trace.features.Add(selector.last_features());
        ++trace.actions[selector.last_action().value_or(0)];
      }
      if (other != nullptr) decision = other->Decide(now);
      outcome.departures += decision.command == sight.direct ? 0 : 1;
      return decision.command;
    };
    const robot::Point2 target = here.robot.task.targets.at(where_.collect.family)[start.target];
    sim::EpisodeResult result = GONOGO_TRY(
        sim::RunToTarget(loop, SiteStart(here, cluster, trial, start.target), target, decide));
    result = sim::AtRate(std::move(result), rate_);
    outcome.cost = result.work_j;
    outcome.time_s = result.time_s;
    outcome.success = result.success;
    outcome.decisions = result.decisions;
    if (traced) traces_[2 * index + (who == Contender::kAdapter ? 1 : 0)] = std::move(trace);
    return {};
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

  const ConfirmSite& where_;
  sim::WorkRate rate_;
  ActionSet actions_;
  std::size_t fixed_;
  Confirmation& out_;
  std::vector<Trace> traces_;  ///< of direct control and of the adapter, start by start
  std::atomic<std::size_t> done_ = 0;
};

}  // namespace

Result<ConfirmSite> ConfirmSite::Open(const std::filesystem::path& folder,
                                      const std::filesystem::path& robot) {
  const robot::RobotSpec spec = GONOGO_TRY(robot::LoadRobotSpec(robot));
  std::shared_ptr<const adapter::Adapter> adapter = GONOGO_TRY(LoadAdapterFor(folder, spec));
  const nlohmann::json& declared = adapter->manifest().protocol;
  const std::string file = (folder / "adapter.json").string();
  if (!declared.is_object() || !declared.contains("text") || !declared["text"].is_string()) {
    return InputError("{}: does not hold the protocol it was trained under", file);
  }
  audit::Protocol protocol = GONOGO_TRY(
      ParseProtocol(declared["text"].get_ref<const std::string&>(), file + ": protocol.text"));
  CollectConfig collect = GONOGO_TRY(CollectOf(protocol));
  const Surroundings surroundings = GONOGO_TRY(SurroundingsOf(collect));
  Site site = GONOGO_TRY(OpenSite(robot, surroundings));
  const auto family = site.robot.task.targets.find(collect.family);
  if (family == site.robot.task.targets.end() || family->second.empty()) {
    return InputError("{}: has no target family \"{}\", which the adapter was trained on",
                      site.robot.file.string(), collect.family);
  }
  GONOGO_TRY(LearnedSelector::Create(adapter, site.robot));
  return ConfirmSite{std::move(adapter), std::move(site), std::move(collect), std::move(protocol)};
}

Result<Confirmation> RunConfirmation(const ConfirmSite& where, const ConfirmOptions& options,
                                     const Execution& execution) {
  if (options.trials < 1) return UsageError("trials is {}, expected at least 1", options.trials);
  if (options.hold < 1) return UsageError("hold is 0, expected at least 1");
  const adapter::Manifest& manifest = where.adapter->manifest();
  ActionSet actions = GONOGO_TRY(ActionSet::Create(manifest, where.site.robot));
  const std::vector<std::string>& names = manifest.layout.actions;
  const auto fixed = std::find(names.begin(), names.end(), manifest.best_fixed);
  if (fixed == names.end()) {
    return InputError("adapter.json: the best fixed action '{}' is none of its actions",
                      manifest.best_fixed);
  }
  const std::vector<std::uint64_t> seeds = GONOGO_TRY(ChooseSeeds(options, where.collect));
  Confirmation out{.robot = where.site.robot.name,
                   .collect = where.collect,
                   .seeds = seeds,
                   .options = options,
                   .best_fixed = manifest.best_fixed};
  const std::size_t targets = where.site.robot.task.targets.at(where.collect.family).size();
  for (const std::uint64_t seed : out.seeds) {
    for (std::size_t target = 0; target < targets; ++target) {
      for (int trial = 0; trial < options.trials; ++trial) {
        out.starts.push_back({.seed = seed, .target = target, .trial = trial});
      }
    }
  }
  ConfirmRun run(where, std::move(actions), static_cast<std::size_t>(fixed - names.begin()), out);
  GONOGO_TRY(run.Run({Contender::kDirect, Contender::kFixed, Contender::kAdapter}, execution));
  run.Summarise();  // the mixture needs the adapter's own frequencies
  GONOGO_TRY(run.Run({Contender::kMixture}, execution));
  return out;
}

}  // namespace gonogo::study
