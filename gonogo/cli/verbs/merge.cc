// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/cli/verbs/components.h"
#include "gonogo/io/record_log.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/study/collect/collect.h"

namespace gonogo::cli {
namespace {

constexpr const char* kMergeExamples = R"(
Examples:
  gonogo merge runs/a                      the shards of an array that shared the folder runs/a
  gonogo merge runs/a node2/a node3/a      shards that were made in three places, into the first

Puts together what the tasks of a job array made with --shard. Refuses shards that are missing, unfinished, there twice or of another run,
and says which; then nothing is written. Of audit and calibrate it makes whole logs of finished work: run the same command without --shard
for the answer, which makes no fit again. Of collect it makes the table.
)";

class MergeVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb =
        program.AddVerb("merge", "Put together what the tasks of a job array made", kMergeExamples);
    verb.Positional("folders", folders_, "What --out was; the first receives the whole").Required();
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    std::error_code code;
    if (!std::filesystem::is_directory(folders_.front(), code)) {
      return IoError("{}: is not a folder", folders_.front().string());
    }
    const io::FolderClaim claim = GONOGO_TRY(io::FolderClaim::Take(folders_.front()));
    if (std::filesystem::exists(folders_.front() / "declaration.toml", code)) {
      return MergeTable(context);
    }
    const std::vector<io::MergedLog> merged = GONOGO_TRY(io::MergeShardLogs(folders_));
    if (merged.empty()) {
      return InputError("{}: holds no shards (NAME.shard-1-of-4.log) and no collection",
                        folders_.front().string());
    }
    nlohmann::json json = {{"schema", "gonogo.merge/1"}, {"logs", nlohmann::json::array()}};
    std::string text;
    for (const io::MergedLog& log : merged) {
      json["logs"].push_back(
          {{"file", log.file.string()}, {"shards", log.shards}, {"units", log.units}});
      text += fmt::format("{}: {} units of {} shards\n", log.file.string(), log.units, log.shards);
    }
    context.terminal.Print(context.options.json ? json.dump(2) + "\n" : text);
    context.terminal.Say("next: the same command without --shard");
    return kExitDone;
  }

 private:
  [[nodiscard]] Result<study::MergedTable> MergeCollections() const {
    if constexpr (kHasRobots) return study::MergeCollections(folders_);
    return UsageError("{}", NotBuilt("merging the collection of a robot", Component::kRobots));
  }

  [[nodiscard]] Result<ExitCode> MergeTable(const Context& context) const {
    const study::MergedTable merged = GONOGO_TRY(MergeCollections());
    const nlohmann::json json = {{"schema", "gonogo.merge/1"},
                                 {"table", merged.file.string()},
                                 {"clusters", merged.clusters},
                                 {"queries", merged.queries}};
    context.terminal.Print(context.options.json
                               ? json.dump(2) + "\n"
                               : fmt::format("{}: {} clusters, {} queries\n", merged.file.string(),
                                             merged.clusters, merged.queries));
    context.terminal.Say("next: gonogo audit " + merged.file.string());
    return kExitDone;
  }

  std::vector<std::filesystem::path> folders_;
};

}  // namespace

std::unique_ptr<Verb> MakeMergeVerb() { return std::make_unique<MergeVerb>(); }

}  // namespace gonogo::cli
