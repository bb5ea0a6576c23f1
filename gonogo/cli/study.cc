// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/study.h"

#include <optional>

#include <fmt/format.h>

#include "gonogo/audit/result_json.h"
#include "gonogo/audit/table_reader.h"
#include "gonogo/cli/audit_run.h"
#include "gonogo/cli/audit_text.h"
#include "gonogo/cli/progress.h"
#include "gonogo/cli/robot_protocol.h"
#include "gonogo/study/collect.h"
#include "gonogo/study/identify.h"

namespace gonogo::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  gonogo study robots/go2                                   is a learned adapter worth it here? (ROBOT/audit.toml)
  gonogo study robots/go2 --protocol robots/go2/demo.toml   the same with fewer queries, in minutes
  gonogo study robots/go2 --queries vgcc                    at the states a compensator visits

Identifies models if the protocol needs them and --models has none, branches from the same states, audits the outcomes and writes
OUT/audit/report.html. Everything finished is kept: the same command goes on after an interruption.
)";

constexpr std::size_t kPaperQueries = 48;

class StudyVerb : public Verb {
 public:
  CLI::App* Declare(CLI::App& app) override {
    CLI::App* verb =
        app.add_subcommand("study", "Identify, collect and audit: the answer for a robot");
    verb->footer(std::string(kExamples) + kExitCodeHelp);
    flags_.Add(*verb);
    verb->add_option("--out", out_, "Folder [runs/study-NAME-CONTROLLER-HASH]");
    verb->add_flag("--gate", gate_, "Let the exit code tell the verdict");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    const Result<audit::Protocol> protocol = flags_.Read();
    if (!protocol.ok()) return protocol.error();
    const bool needs_models = !study::ModelsOf(*protocol.value().collect).empty();
    if (needs_models) {
      if (Status found = IdentifyIfMissing(protocol.value(), context); !found.ok()) {
        return found.error();
      }
    }
    if (out_.empty()) {
      Result<std::filesystem::path> folder = flags_.Folder("study", protocol.value());
      if (!folder.ok()) return folder.error();
      out_ = std::move(folder).value();
    }
    const Result<std::filesystem::path> table = CollectTable(protocol.value(), context);
    if (!table.ok()) return table.error();
    return Audit(table.value(), protocol.value(), context);
  }

 private:
  Status IdentifyIfMissing(const audit::Protocol& protocol, const Context& context) const {
    const std::filesystem::path models = flags_.models();
    bool there = true;
    for (const std::string& stem : study::ModelsOf(*protocol.collect)) {
      std::error_code code;
      there = there && std::filesystem::exists(models / (stem + ".json"), code);
    }
    if (there) return {};
    constexpr std::uint64_t kSeed = 1;
    const Result<study::Site> site =
        study::OpenSite(flags_.robot(), protocol.collect->terrain, kSeed);
    if (!site.ok()) return site.error();
    std::optional<Progress> progress;
    const auto stage = [&](std::string_view name) {
      progress.emplace(context.terminal, "identify: " + std::string(name));
      return progress->Callback();
    };
    study::IdentifyOptions options;
    options.contrasts = false;
    const Result<study::IdentifyResult> identified =
        study::Identify(site.value(), options, models, context.Control({}), stage);
    if (!identified.ok()) return identified.error();
    return {};
  }

  Result<std::filesystem::path> CollectTable(const audit::Protocol& protocol,
                                             const Context& context) const {
    const audit::CollectConfig& collect = *protocol.collect;
    context.terminal.Say(fmt::format(
        "{}: {} clusters x {} queries under {} x {} branches, declared as {}", protocol.name,
        collect.seeds.size(), collect.queries_per_cluster, collect.controller,
        protocol.actions.size(), audit::Fingerprint(protocol).substr(0, 12)));
    Progress progress(context.terminal, "collect: queries");
    const Result<study::CollectReport> report = study::Collect(
        protocol, {.robot = flags_.robot(), .models = flags_.models(), .folder = out_},
        context.Control(progress.Callback()));
    if (!report.ok()) return report.error();
    for (const std::string& remark : report.value().remarks) context.terminal.Say(remark);
    return report.value().merged->file;
  }

  Result<ExitCode> Audit(const std::filesystem::path& file, const audit::Protocol& protocol,
                         const Context& context) const {
    const Result<audit::OutcomeTable> table = audit::ReadTable(file, protocol);
    if (!table.ok()) return table.error();
    Result<nlohmann::json> manifest = TableManifest(file);
    if (!manifest.ok()) return manifest.error();
    manifest.value().update({{"verb", "study"},
                             {"protocol", audit::CanonicalText(protocol)},
                             {"collection", CollectionOf(table.value())}});
    const Result<RunDirectory> directory =
        RunDirectory::Open(out_ / "audit", protocol.name, manifest.value());
    if (!directory.ok()) return directory.error();
    Result<audit::AuditResult> result =
        RunAuditIn(directory.value(), "refits", table.value(), protocol, context);
    if (!result.ok()) return result.error();
    if (protocol.collect->queries_per_cluster < kPaperQueries) {
      result.value().warnings.push_back(
          fmt::format("{} queries per cluster instead of the paper's {}: intervals are wider",
                      protocol.collect->queries_per_cluster, kPaperQueries));
    }
    nlohmann::json json = audit::ToJson(result.value());
    json["provenance"] = manifest.value();
    if (Status written = directory.value().WriteResult(json); !written.ok()) return written.error();
    context.terminal.Print(context.options.json ? json.dump(2) + "\n"
                                                : AuditText(result.value(), context.terminal));
    context.terminal.Say("report: " + (directory.value().path() / "report.html").string());
    return gate_ ? GateCode(result.value().decision) : kExitDone;
  }

  RobotProtocolFlags flags_;
  std::filesystem::path out_;
  bool gate_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeStudyVerb() { return std::make_unique<StudyVerb>(); }

}  // namespace gonogo::cli
