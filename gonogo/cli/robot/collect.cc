// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/collect/collect.h"

#include <chrono>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/cli/flags/protocol_flags.h"
#include "gonogo/cli/robot/robot_protocol.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/report/text/text_table.h"

namespace gonogo::cli {
namespace {

constexpr const char* kCollectExamples = R"(
Examples:
  gonogo collect robots/go2 --set collect.queries_per_cluster=2 --clusters 1301     a taste, in seconds
  gonogo collect robots/go2                                    as ROBOT/audit.toml declares: 20 clusters of 48 queries, 7 actions
  gonogo collect robots/go2 --queries vgcc --models runs/identify-go2
  gonogo collect robots/go2 --clusters 1301,1302 --out shared  one machine's share; others collect the rest
  gonogo collect robots/go2 --terrain stairs:0-1               on low stairs; declares collect.terrain
  gonogo collect robots/go2 --out shared --merge               a table from the clusters that are there

The protocol is declared before the first branch and travels inside the table, so that 'gonogo audit OUT/table.h5' is confirmatory.
Every finished cluster is kept in OUT/parts; the same command goes on after an interruption. Parts of several machines are put
together by copying them into one OUT/parts and running the command again. docs/howto/robot-audit.md tells the whole story.
)";

class CollectVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "collect", "Try every action at the same states of a robot: the table of outcomes",
        kCollectExamples);
    flags_.Add(verb);
    verb.Option("--clusters", options_.clusters,
                "Collect only these clusters [all that are declared]")
        .Commas();
    verb.Flag("--merge", options_.merge_only,
              "Collect nothing more; write the table from the clusters that are finished");
    shard_.Add(verb, "clusters");
    verb.Option("--out", options_.folder,
                "Folder for the table [runs/collect-NAME-CONTROLLER-HASH]");
    return verb;
  }

  [[nodiscard]] bool shares_work() const override { return true; }

  Result<ExitCode> Run(const Context& context) override {
    const audit::Protocol protocol = GONOGO_TRY(flags_.Read());
    options_.shard = GONOGO_TRY(shard_.Read());
    options_.robot = flags_.robot();
    options_.models = flags_.models();
    if (options_.folder.empty()) {
      std::filesystem::path folder =
          GONOGO_TRY(study::DefaultFolder("collect", protocol, flags_.robot(), flags_.models()));
      options_.folder = std::move(folder);
    }
    const study::CollectConfig collect = GONOGO_TRY(study::CollectOf(protocol));
    options_.on_ready = [&] { context.terminal.Say(study::CollectionLine(protocol, collect)); };
    const auto begin = std::chrono::steady_clock::now();
    Result<study::CollectReport> report = Error{};
    {
      Progress progress(context.terminal, "queries", options_.folder);
      report = study::Collect(protocol, options_, context.With(progress.Callback()));
    }
    if (!report.ok()) return report.error();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    for (const std::string& remark : report.value().remarks) context.terminal.Say(remark);
    context.terminal.Print(context.options.json
                               ? study::ToJson(report.value()).dump(2) + "\n"
                               : Text(report.value(), spent, context.terminal.width()));
    if (options_.shard) {
      context.terminal.Say(fmt::format("{} is done. When all are: gonogo merge {}",
                                       options_.shard->name(), options_.folder.string()));
    }
    if (report.value().merged) {
      context.terminal.Say("next: gonogo audit " + report.value().merged->file.string());
    }
    return kExitDone;
  }

 private:
  static std::string Text(const study::CollectReport& report, std::chrono::duration<double> spent,
                          std::size_t width) {
    std::string text;
    if (!report.collected.empty()) {
      text +=
          fmt::format("collected {} clusters with {} branches in {} ({:.1f} branches per second)\n",
                      report.collected.size(), report.branches, HumanDuration(spent),
                      static_cast<double>(report.branches) / spent.count());
    }
    if (!report.missing.empty()) {
      text += fmt::format("not collected yet: {}\n", fmt::join(report.missing, ", "));
    }
    if (!report.merged) return text;
    const study::MergedTable& merged = *report.merged;
    report::TextTable table(
        {"clusters", "queries", "replayed", "reconstruction error", "direct succeeds"});
    table.AddRow({fmt::format("{}", merged.clusters), fmt::format("{}", merged.queries),
                  fmt::format("{}", merged.replayed),
                  fmt::format("{}", merged.reconstruction_error),
                  fmt::format("{:.3f}", merged.success)});
    return text + table.Render(width) + merged.file.string() + "\n";
  }

  RobotProtocolFlags flags_;
  ShardFlag shard_;
  study::CollectOptions options_;
};

}  // namespace

std::unique_ptr<Verb> MakeCollectVerb() { return std::make_unique<CollectVerb>(); }

}  // namespace gonogo::cli
