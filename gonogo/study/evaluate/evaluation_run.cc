// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate/evaluation_run.h"

#include <map>

#include "gonogo/base/check.h"

namespace gonogo::study {
namespace {

/// Methods by site and name, each opened once.
class MethodShelf {
 public:
  Status Open(std::size_t index, const EvaluationSite& at, const std::vector<std::string>& names,
              const std::vector<std::string>& settings) {
    for (const std::string& name : names) {
      if (methods_.contains({index, name})) continue;
      Method method = GONOGO_TRY(OpenMethod(name, at.site.robot, at.models, settings));
      methods_.emplace(std::pair{index, name}, std::move(method));
    }
    return {};
  }
  [[nodiscard]] std::vector<Method> Take(const EvaluationBlock& block) const {
    std::vector<Method> methods;
    for (const std::string& name : block.methods)
      methods.push_back(methods_.at({block.site, name}));
    return methods;
  }

 private:
  std::map<std::pair<std::size_t, std::string>, Method> methods_;
};

}  // namespace

std::size_t EvaluationBlock::episodes(const EvaluationSite& at) const {
  const auto family = at.site.robot.task.targets.find(plan.family);
  if (family == at.site.robot.task.targets.end()) return 0;
  return methods.size() * plan.seeds.size() * family->second.size() *
         static_cast<std::size_t>(plan.trials);
}

Result<std::vector<Evaluation>> RunBlocks(std::span<const EvaluationSite> sites,
                                          std::span<const EvaluationBlock> blocks,
                                          const std::vector<std::string>& settings,
                                          const std::filesystem::path& folder,
                                          const Execution& execution) {
  MethodShelf shelf;
  std::size_t total = 0;
  for (const EvaluationBlock& block : blocks) {
    GONOGO_CHECK(block.site < sites.size());
    GONOGO_TRY(shelf.Open(block.site, sites[block.site], block.methods, settings));
    total += block.episodes(sites[block.site]);
  }
  std::vector<EpisodeLog> logs;
  for (const EvaluationSite& at : sites) {
    EpisodeLog log = GONOGO_TRY(EpisodeLog::Open(folder, at.site));
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
    Evaluation evaluation = GONOGO_TRY(RunEvaluation(sites[block.site].site, shelf.Take(block),
                                                     block.plan, &logs[block.site], run));
    evaluations.push_back(std::move(evaluation));
    before += block.episodes(sites[block.site]);
  }
  return evaluations;
}

}  // namespace gonogo::study
