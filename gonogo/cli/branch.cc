// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/branch.h"

#include <algorithm>

#include <fmt/format.h>

#include "gonogo/cli/episode_scene.h"
#include "gonogo/cli/robot_protocol.h"
#include "gonogo/io/file.h"
#include "gonogo/report/text_table.h"
#include "gonogo/report/viewer_page.h"
#include "gonogo/study/record_branches.h"

namespace gonogo::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  gonogo branch robots/go2 1301/007                 the eighth query of cluster 1301, all branches overlaid
  gonogo branch robots/go2 1301/007 --queries vgcc --out runs/vgcc-1301-007

Runs the branches of one query again, exactly as 'gonogo collect' does, and writes one episode file each and a 3-D page in which
all but the direct branch are ghosts. Names of queries are in the table of the collection, /query.
)";

class BranchVerb : public Verb {
 public:
  CLI::App* Declare(CLI::App& app) override {
    CLI::App* verb = app.add_subcommand("branch", "Look at every branch of one query");
    verb->footer(std::string(kExamples) + kExitCodeHelp);
    flags_.Add(*verb);
    verb->add_option("query", query_, "Its name, CLUSTER/NUMBER")->required();
    verb->add_option("--out", out_, "Folder [runs/branch-NAME-CLUSTER-NUMBER]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    const Result<audit::Protocol> protocol = flags_.Read();
    if (!protocol.ok()) return protocol.error();
    const Result<robot::RobotSpec> robot = robot::LoadRobotSpec(flags_.robot());
    if (!robot.ok()) return robot.error();
    const Result<study::CollectPlan> plan =
        study::CollectPlan::Open(protocol.value(), robot.value(), flags_.models());
    if (!plan.ok()) return plan.error();
    const Result<std::vector<sim::EpisodeRecord>> records =
        study::RecordBranches(flags_.robot(), plan.value(), query_, context.Control({}));
    if (!records.ok()) return records.error();
    return Write(protocol.value(), records.value(), context);
  }

 private:
  Result<ExitCode> Write(const audit::Protocol& protocol,
                         const std::vector<sim::EpisodeRecord>& records, const Context& context) {
    std::string name = query_;
    std::replace(name.begin(), name.end(), '/', '-');
    if (out_.empty()) {
      out_ = std::filesystem::path("runs") / fmt::format("branch-{}-{}", protocol.name, name);
    }
    if (Status made = io::MakeDirectory(out_); !made.ok()) return made.error();
    report::TextTable table({"branch", "<outcome", "remaining time", "remaining work"});
    for (const sim::EpisodeRecord& record : records) {
      const Status written = sim::WriteEpisode(out_ / (record.controller + ".h5"), record);
      if (!written.ok()) return written.error();
      const nlohmann::json facts = nlohmann::json::parse(record.provenance);
      table.AddRow({record.controller,
                    record.result.success ? "reached the target"
                                          : "failed " + record.result.termination_detail,
                    fmt::format("{:.2f} s", facts.at("remaining_time_s").get<double>()),
                    fmt::format("{:.1f} J", facts.at("remaining_work_j").get<double>())});
    }
    std::vector<sim::EpisodeRecord> shown = records;
    for (sim::EpisodeRecord& record : shown) record.first_time_s = 0.0;  // the clock of the page
    Result<report::Scene> scene = EpisodeScene(shown);
    if (!scene.ok()) return scene.error();
    scene.value().title =
        fmt::format("{} query {}: {} branches", records.front().robot, query_, records.size());
    const std::filesystem::path page = out_ / "branches.html";
    const Status written = io::WriteFile(page, report::ViewerPage(scene.value()));
    if (!written.ok()) return written.error();
    context.terminal.Print(table.Render() + page.string() + "\n");
    return kExitDone;
  }

  RobotProtocolFlags flags_;
  std::string query_;
  std::filesystem::path out_;
};

}  // namespace

std::unique_ptr<Verb> MakeBranchVerb() { return std::make_unique<BranchVerb>(); }

}  // namespace gonogo::cli
