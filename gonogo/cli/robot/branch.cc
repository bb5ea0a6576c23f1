// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "gonogo/cli/robot/episode_scene.h"
#include "gonogo/cli/robot/robot_protocol.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/file.h"
#include "gonogo/report/text/text_table.h"
#include "gonogo/report/viewer/viewer_page.h"
#include "gonogo/study/collect/collect_cluster.h"

namespace gonogo::cli {
namespace {

constexpr const char* kBranchExamples = R"(
Examples:
  gonogo branch robots/go2 1301/007                 the eighth query of cluster 1301, all branches overlaid
  gonogo branch robots/go2 1301/007 --queries vgcc --out runs/vgcc-1301-007

A query is a state at which every action was tried; a branch is what followed one of them. Runs the branches of one query again,
exactly as 'gonogo collect' does, and writes an episode file for each and a 3-D page in which all but the direct branch are drawn as
ghosts. The names of the queries are in the table of the collection, /query.
)";

class BranchVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb =
        program.AddVerb("branch", "Watch what every action does at one query", kBranchExamples);
    flags_.Add(verb);
    verb.Positional("query", query_, "The name of the query, CLUSTER/NUMBER").Required();
    verb.Option("--out", out_, "Folder for the results [runs/branch-NAME-CLUSTER-NUMBER]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    const audit::Protocol protocol = GONOGO_TRY(flags_.Read());
    const study::OpenedRobot robot = GONOGO_TRY(study::OpenRobot(flags_.robot()));
    const std::vector<sim::EpisodeRecord> records = GONOGO_TRY(
        study::RecordBranches(robot, protocol, flags_.models(), query_, context.With({})));
    return Write(protocol, robot.spec, records, context);
  }

 private:
  Result<ExitCode> Write(const audit::Protocol& protocol, const robot::RobotSpec& robot,
                         const std::vector<sim::EpisodeRecord>& records, const Context& context) {
    std::string name = query_;
    std::replace(name.begin(), name.end(), '/', '-');
    if (out_.empty()) {
      out_ = std::filesystem::path("runs") / fmt::format("branch-{}-{}", protocol.name, name);
    }
    GONOGO_TRY(io::MakeDirectory(out_));
    report::TextTable table(
        {"action", "<outcome", "time from the branch point", "work from the branch point"});
    for (const sim::EpisodeRecord& record : records) {
      GONOGO_TRY(sim::WriteEpisode(out_ / (record.controller + ".h5"), record));
      const BranchFacts facts = BranchFactsOf(record).value_or(BranchFacts{});
      table.AddRow({record.controller, sim::OutcomeText(record.result, robot),
                    fmt::format("{:.2f} s", facts.time_s), fmt::format("{:.1f} J", facts.work_j)});
    }
    std::vector<sim::EpisodeRecord> shown = records;
    for (sim::EpisodeRecord& record : shown) record.first_time_s = 0.0;  // the clock of the page
    report::ViewerScene scene = GONOGO_TRY(EpisodeScene(shown));
    scene.title =
        fmt::format("{} query {}: {} branches", records.front().robot, query_, records.size());
    const std::filesystem::path page = out_ / "branches.html";
    GONOGO_TRY(io::WriteFile(page, report::ViewerPage(scene)));
    context.terminal.Print(table.Render(context.terminal.width()) + page.string() + "\n");
    return kExitDone;
  }

  RobotProtocolFlags flags_;
  std::string query_;
  std::filesystem::path out_;
};

}  // namespace

std::unique_ptr<Verb> MakeBranchVerb() { return std::make_unique<BranchVerb>(); }

}  // namespace gonogo::cli
