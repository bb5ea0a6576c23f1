// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate/evaluate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "gonogo/base/check.h"
#include "gonogo/io/json/json.h"
#include "gonogo/sim/episode/episode_json.h"
#include "gonogo/study/episode.h"
#include "gonogo/study/ranks/number_bytes.h"

namespace gonogo::study {
namespace {

using nlohmann::json;

/// To the millimetre: what a plot can show, and few digits in files.
robot::Point2 Rounded(robot::Point2 p) {
  return {std::round(1000.0 * p.x) / 1000.0, std::round(1000.0 * p.y) / 1000.0};
}

Status RunEpisode(const Scene& scene, const Method& method, robot::Point2 target_S,
                  EvaluatedEpisode& record) {
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(scene.world, scene.policy));
  const std::unique_ptr<control::Controller> controller = method.make();
  const sim::Start start = EvaluationStart(scene, record.seed, record.trial, record.target);
  const robot::Pose2 start_pose{{start.p_W[0], start.p_W[1]}, start.yaw};
  const auto remember = [&](const robot::RobotState& state) {
    record.path_S.push_back(Rounded(robot::GoalInBody(start_pose, state.pose().p_W)));
  };
  const sim::Decider decide = [&](const sim::Percept& percept) {
    remember(percept.state);
    const control::CommandDecision decision = controller->Decide(SituationOf(percept));
    ++record.reasons.at(static_cast<std::size_t>(decision.reason));
    record.active += decision.command == percept.direct ? 0 : 1;
    return decision.command;
  };
  sim::EpisodeResult result = GONOGO_TRY(sim::RunToTarget(loop, start, target_S, decide));
  remember(loop.env().state());
  record.result = std::move(result);
  return {};
}

Status Check(const Scene& scene, const std::vector<Method>& methods, const EvaluationPlan& plan) {
  const auto family = scene.robot.task.targets.find(plan.family);
  if (family == scene.robot.task.targets.end() || family->second.empty()) {
    std::vector<std::string> names;
    for (const auto& [name, targets] : scene.robot.task.targets) names.push_back(name);
    return UsageError("{}: has no target family \"{}\"; there are {}", scene.robot.file.string(),
                      plan.family, fmt::join(names, ", "));
  }
  if (plan.trials < 1) return UsageError("trials is {}, expected at least 1", plan.trials);
  if (plan.seeds.empty() || methods.empty()) return UsageError("no seeds or no methods to compare");
  std::set<std::uint64_t> seeds;
  for (const std::uint64_t seed : plan.seeds) {
    if (!seeds.insert(seed).second) return UsageError("seed {} is given twice", seed);
  }
  std::set<std::string> names;
  for (const Method& method : methods) {
    if (!names.insert(method.name).second) return UsageError("{} is given twice", method.name);
  }
  return {};
}

std::vector<EvaluatedEpisode> Enumerate(std::size_t methods, std::size_t targets,
                                        const EvaluationPlan& plan) {
  std::vector<EvaluatedEpisode> records;
  for (std::size_t method = 0; method < methods; ++method) {
    for (const std::uint64_t seed : plan.seeds) {
      for (std::size_t target = 0; target < targets; ++target) {
        for (int trial = 0; trial < plan.trials; ++trial) {
          records.push_back({.method = method, .seed = seed, .target = target, .trial = trial});
        }
      }
    }
  }
  return records;
}

/// What came of an episode, as it is kept and as it travels between ranks; doubles keep all bits.
std::string Encode(const EvaluatedEpisode& record) {
  json path = json::array();
  for (const robot::Point2& p : record.path_S) {
    path.push_back(p.x);
    path.push_back(p.y);
  }
  return Cbor({{"result", record.result},
               {"reasons", record.reasons},
               {"active", record.active},
               {"path", std::move(path)}});
}

/// Completes `record`; false when the bytes are not those of an episode.
bool Decode(std::string_view bytes, EvaluatedEpisode& record) {
  const std::optional<json> parsed = io::ParseCbor(bytes);
  if (!parsed) return false;
  try {
    const auto path = parsed->at("path").get<std::vector<double>>();
    parsed->at("result").get_to(record.result);
    for (std::size_t i = 0; i < record.reasons.size(); ++i) {
      io::TakeWhole(parsed->at("reasons").at(i), record.reasons[i]);
    }
    io::TakeWhole(parsed->at("active"), record.active);
    for (std::size_t i = 0; i + 1 < path.size(); i += 2) {
      record.path_S.push_back({path[i], path[i + 1]});
    }
    return true;
  } catch (const json::exception&) {
    return false;
  }
}

}  // namespace

std::span<const EvaluatedEpisode> Evaluation::Episodes(std::size_t method) const {
  const std::size_t each = episodes.size() / methods.size();
  return std::span(episodes).subspan(method * each, each);
}

std::size_t Evaluation::Find(std::string_view method) const {
  return static_cast<std::size_t>(std::find(methods.begin(), methods.end(), method) -
                                  methods.begin());
}

Result<Evaluation> RunEvaluation(const Scene& scene, const std::vector<Method>& methods,
                                 const EvaluationPlan& plan, EpisodeLog* log,
                                 const Execution& execution) {
  GONOGO_TRY(Check(scene, methods, plan));
  const std::vector<robot::Point2>& targets = scene.robot.task.targets.at(plan.family);
  Evaluation done{.robot = scene.robot.name, .plan = plan, .targets = targets};
  for (const Method& method : methods) done.methods.push_back(method.name);
  done.episodes = Enumerate(methods.size(), targets.size(), plan);
  EpisodeRun run{.scene = scene, .targets = targets};
  for (const Method& method : methods) run.controllers.push_back(method.identity);
  for (const EvaluatedEpisode& record : done.episodes) {
    run.units.push_back({record.method, record.seed, record.target, record.trial});
  }
  run.make = [&](const Scene& here, const EpisodeUnit& unit) -> Result<std::string> {
    EvaluatedEpisode record{.seed = unit.seed, .target = unit.target, .trial = unit.trial};
    GONOGO_TRY(RunEpisode(here, methods[unit.controller], targets[unit.target], record));
    return Encode(record);
  };
  run.is_whole = [](std::string_view bytes) {
    EvaluatedEpisode ignored;
    return Decode(bytes, ignored);
  };
  const std::vector<std::string> all = GONOGO_TRY(RunEpisodes(run, log, execution));
  for (std::size_t i = 0; i < all.size(); ++i) GONOGO_CHECK(Decode(all[i], done.episodes[i]));
  return done;
}

Evaluation AtRate(Evaluation evaluation, sim::WorkRate rate) {
  for (EvaluatedEpisode& record : evaluation.episodes) {
    record.result = sim::AtRate(std::move(record.result), rate);
  }
  return evaluation;
}

Evaluation Restrict(const Evaluation& evaluation, const std::vector<std::string>& methods,
                    const std::function<bool(const EvaluatedEpisode&)>& keep) {
  Evaluation part{.robot = evaluation.robot,
                  .plan = evaluation.plan,
                  .targets = evaluation.targets,
                  .methods = methods};
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const std::size_t found = evaluation.Find(methods[m]);
    GONOGO_CHECK(found < evaluation.methods.size());
    for (const EvaluatedEpisode& record : evaluation.Episodes(found)) {
      if (!keep(record)) continue;
      part.episodes.push_back(record);
      part.episodes.back().method = m;
    }
  }
  return part;
}

namespace {

/// Methods by scene and name, each opened once.
class MethodCache {
 public:
  Status Open(std::size_t index, const EvaluationScene& at, const std::vector<std::string>& names,
              const std::vector<std::string>& settings) {
    for (const std::string& name : names) {
      if (methods_.contains({index, name})) continue;
      Method method = GONOGO_TRY(OpenMethod(name, at.scene.robot, at.models, settings));
      methods_.emplace(std::pair{index, name}, std::move(method));
    }
    return {};
  }
  [[nodiscard]] std::vector<Method> Take(const EvaluationBlock& block) const {
    std::vector<Method> methods;
    for (const std::string& name : block.methods)
      methods.push_back(methods_.at({block.scene, name}));
    return methods;
  }

 private:
  std::map<std::pair<std::size_t, std::string>, Method> methods_;
};

}  // namespace

std::size_t EvaluationBlock::episodes(const EvaluationScene& at) const {
  const auto family = at.scene.robot.task.targets.find(plan.family);
  if (family == at.scene.robot.task.targets.end()) return 0;
  return methods.size() * plan.seeds.size() * family->second.size() *
         static_cast<std::size_t>(plan.trials);
}

Result<std::vector<Evaluation>> RunBlocks(std::span<const EvaluationScene> scenes,
                                          std::span<const EvaluationBlock> blocks,
                                          const std::vector<std::string>& settings,
                                          const std::filesystem::path& folder,
                                          const Execution& execution) {
  MethodCache cache;
  std::size_t total = 0;
  for (const EvaluationBlock& block : blocks) {
    GONOGO_CHECK(block.scene < scenes.size());
    GONOGO_TRY(cache.Open(block.scene, scenes[block.scene], block.methods, settings));
    total += block.episodes(scenes[block.scene]);
  }
  std::vector<EpisodeLog> logs;
  for (const EvaluationScene& at : scenes) {
    EpisodeLog log = GONOGO_TRY(EpisodeLog::Open(folder, at.scene));
    logs.push_back(std::move(log));
  }
  std::vector<Evaluation> evaluations;
  std::size_t before = 0;
  for (const EvaluationBlock& block : blocks) {
    Execution run = execution;
    if (execution.progress) {
      run.progress = [&](std::size_t done, std::size_t) {
        execution.progress(before + done, total);
      };
    }
    Evaluation evaluation = GONOGO_TRY(RunEvaluation(scenes[block.scene].scene, cache.Take(block),
                                                     block.plan, &logs[block.scene], run));
    evaluations.push_back(std::move(evaluation));
    before += block.episodes(scenes[block.scene]);
  }
  return evaluations;
}

}  // namespace gonogo::study
