// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/collect/record_branches.h"

#include <algorithm>
#include <charconv>

#include <fmt/ranges.h>

#include "gonogo/io/build_info.h"

namespace gonogo::study {
namespace {

/// The declared cluster a query's name begins with.
Result<std::uint64_t> ClusterOf(const std::string& query, const CollectConfig& config) {
  std::uint64_t seed = 0;
  const char* end = query.data() + query.size();
  const auto [stop, failure] = std::from_chars(query.data(), end, seed);
  const bool known =
      std::find(config.seeds.begin(), config.seeds.end(), seed) != config.seeds.end();
  if (failure == std::errc() && stop != end && *stop == '/' && known) return seed;
  return UsageError("query '{}': expected CLUSTER/NUMBER such as {}/007; the clusters are {}",
                    query, config.seeds.front(), fmt::join(config.seeds, ", "));
}

}  // namespace

Result<std::vector<sim::EpisodeRecord>> RecordBranches(OpenedRobot robot,
                                                       const audit::Protocol& protocol,
                                                       const std::filesystem::path& models,
                                                       const std::string& query,
                                                       const Execution& execution) {
  const CollectConfig config = GONOGO_TRY(CollectOf(protocol));
  const Surroundings surroundings = GONOGO_TRY(SurroundingsOf(config));
  const Site everywhere = GONOGO_TRY(OpenSite(std::move(robot), surroundings));
  const CollectPlan plan = GONOGO_TRY(CollectPlan::Open(protocol, everywhere.robot, models));
  const std::uint64_t seed = GONOGO_TRY(ClusterOf(query, config));
  const Site site = GONOGO_TRY(SiteOf(everywhere, seed));
  const ClusterSource source = GONOGO_TRY(RunSources(site, plan, seed, execution));
  const std::vector<Query>& queries = source.queries;
  const auto found = std::find_if(queries.begin(), queries.end(),
                                  [&](const Query& candidate) { return candidate.name == query; });
  if (found == queries.end()) {
    return UsageError("query '{}': cluster {} has {} to {}", query, seed, queries.front().name,
                      queries.back().name);
  }
  const SourceEpisode& episode = source.episodes[found->episode];
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(site.world, site.policy));
  sim::Figure figure = GONOGO_TRY(sim::Figure::Create(site.robot));
  sim::EpisodeRecorder recorder(loop.env(), figure);
  sim::TargetRun run(loop, episode.start, episode.target_S, std::ref(recorder));
  std::vector<sim::EpisodeRecord> records;
  for (std::size_t a = 0; a < plan.actions.size(); ++a) {
    run.Restore(episode.states[found->decision]);
    recorder.Begin();
    const std::unique_ptr<control::Controller> continuation = plan.continuation.make();
    const BranchOutcome outcome =
        GONOGO_TRY(RunBranch(run, plan.interventions[a], plan.rule, *continuation));
    sim::EpisodeRecord record = recorder.Finish(run);
    record.controller = plan.actions[a];
    record.provenance = nlohmann::json{{"query", query},
                                       {"source", plan.source.name},
                                       {"remaining_work_j", outcome.work_j},
                                       {"remaining_time_s", outcome.time_s},
                                       {"build", io::CurrentBuild()}}
                            .dump();
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace gonogo::study
