// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/verbs/all_verbs.h"

#include <fmt/format.h>

#include "gonogo/cli/verbs/components.h"

namespace gonogo::cli {
namespace {

// Headings of the help.
constexpr const char* kTable = "From a table to a verdict";
constexpr const char* kDoubt = "Before there are data, and in doubt";
constexpr const char* kRobot = "From a robot to a table, and back";
constexpr const char* kRun = "A run and its files";

class Registry {
 public:
  /// A verb that `gonogo --help` shows.
  void Everyday(const char* heading, std::unique_ptr<Verb> verb) {
    list_.verbs.push_back({heading, true, std::move(verb)});
  }
  /// A verb that only `gonogo --help-all` shows.
  void Further(const char* heading, std::unique_ptr<Verb> verb) {
    list_.verbs.push_back({heading, false, std::move(verb)});
  }
  /// Verbs of a component that this build does not have.
  void Missing(Component component, std::initializer_list<const char*> names) {
    for (const char* name : names) {
      list_.missing.push_back({name, NotBuilt(fmt::format("'gonogo {}'", name), component)});
    }
  }
  VerbList Take() { return std::move(list_); }

 private:
  VerbList list_;
};

void AddTables(Registry& registry) {
  registry.Everyday(kTable, MakeInitVerb());
  registry.Everyday(kTable, MakeDeclareVerb());
  registry.Everyday(kTable, MakeAuditVerb());
  registry.Everyday(kTable, MakeReportVerb());
  registry.Further(kTable, MakeImportVerb());
  registry.Further(kRobot, MakeConvertVerb());
  registry.Everyday(kDoubt, MakePlanVerb());
  registry.Everyday(kDoubt, MakeValidateVerb());
  registry.Further(kDoubt, MakeRandomiseVerb());
  registry.Further(kDoubt, MakeCalibrateVerb());
}

void AddRobots(Registry& registry) {
  if constexpr (kHasRobots) {
    registry.Everyday(kRobot, MakeCheckVerb());
    registry.Everyday(kRobot, MakeStudyVerb());
    registry.Everyday(kRobot, MakeConfirmVerb());
    registry.Further(kRobot, MakeCollectVerb());
    registry.Further(kRobot, MakeIdentifyVerb());
    registry.Further(kRobot, MakeEvaluateVerb());
    registry.Further(kRobot, MakeRolloutVerb());
    registry.Further(kRobot, MakeBranchVerb());
    registry.Further(kRobot, MakeViewVerb());
  } else {
    registry.Missing(Component::kRobots, {"check", "study", "confirm", "collect", "identify",
                                          "evaluate", "rollout", "branch", "view"});
  }
}

void AddTraining(Registry& registry) {
  if constexpr (kHasTraining) {
    registry.Further(kRobot, MakeTrainVerb());
  } else {
    registry.Missing(Component::kTraining, {"train"});
  }
}

void AddPaper(Registry& registry) {
  if constexpr (kHasPaper) {
    registry.Further(kRobot, MakeReproduceVerb());
  } else {
    registry.Missing(Component::kPaper, {"reproduce"});
  }
}

void AddRuns(Registry& registry) {
  registry.Everyday(kRun, MakeWatchVerb());
  registry.Further(kRun, MakeMergeVerb());
  registry.Further(kRun, MakeVersionVerb());
}

}  // namespace

VerbList AllVerbs() {
  Registry registry;
  AddTables(registry);
  AddRobots(registry);
  AddTraining(registry);
  AddPaper(registry);
  AddRuns(registry);
  return registry.Take();
}

}  // namespace gonogo::cli
