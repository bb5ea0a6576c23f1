// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/audit/result/readings.h"
#include "gonogo/audit/session/partial.h"
#include "gonogo/base/number_text.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/cli/terminal/status_file.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/report/text/text_table.h"

namespace gonogo::cli {
namespace {

constexpr const char* kWatchExamples = R"(
Examples:
  gonogo watch runs/sorting-1a2b3c4d            progress and, for an audit, the bounds so far, until the run ends
  gonogo watch runs/sorting-1a2b3c4d --once     the same once
  gonogo watch runs/collect-go2 --once --json   for scripts

Looks, from another terminal, at the folder of a verb that is running. It only reads: the run is neither changed nor slowed down.
The bounds after part of the refits are not a verdict; they show whether the bounds have settled.
)";

class WatchVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb("watch", "Watch a run from another terminal", kWatchExamples);
    verb.Positional("run", folder_, "The folder that the running verb writes to").Required();
    verb.Flag("--once", once_, "Look once instead of until the run ends");
    verb.Option("--every", every_s_, "Seconds between two looks").Between(1, 3600).ShowDefault();
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    std::error_code code;
    if (!std::filesystem::is_directory(folder_, code)) {
      return IoError("{}: there is no such folder", folder_.string());
    }
    while (true) {
      const std::optional<RunStatus> status = GONOGO_TRY(ReadStatus(folder_));
      if (!status) {
        context.terminal.Say(WhenNothingRuns());
        return kExitDone;
      }
      GONOGO_TRY(Show(*status, context));
      if (once_) return kExitDone;
      for (int tick = 0; tick < 10 * every_s_ && !context.stop.stop_requested(); ++tick) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
      if (context.stop.stop_requested()) return kExitDone;
    }
  }

 private:
  [[nodiscard]] std::string WhenNothingRuns() const {
    std::error_code code;
    for (const char* name : {"report.html", "audit/report.html", "reproduction.html"}) {
      if (std::filesystem::exists(folder_ / name, code)) {
        return fmt::format("nothing is running in {}; its page is {}", folder_.string(),
                           (folder_ / name).string());
      }
    }
    return fmt::format("nothing is running in {}", folder_.string());
  }

  /// Of an audit; empty for other verbs and before there is anything to tell.
  [[nodiscard]] Result<std::vector<audit::PartialAudit>> Bounds(const RunStatus& status) const {
    std::error_code code;
    if (status.table.empty() || !std::filesystem::exists(folder_ / "refits.log", code)) {
      return std::vector<audit::PartialAudit>();
    }
    return audit::PathOfBounds(folder_, status.table);
  }

  Status Show(const RunStatus& status, const Context& context) const {
    const std::vector<audit::PartialAudit> path = GONOGO_TRY(Bounds(status));
    if (context.options.json) {
      context.terminal.Print(Json(status, path).dump(2) + "\n");
      return {};
    }
    std::string text = fmt::format("{}: {} of {}", status.phase, status.done, status.total);
    if (status.seconds_left) {
      text += fmt::format(", about {} left",
                          HumanDuration(std::chrono::duration<double>(*status.seconds_left)));
    }
    context.terminal.Print(text + "\n" + PathText(path, context));
    return {};
  }

  static std::string PathText(const std::vector<audit::PartialAudit>& path,
                              const Context& context) {
    if (path.empty()) return "";
    report::TextTable table({"refits", "H_dep", "H_alloc", "q", "<would read"});
    for (const audit::PartialAudit& part : path) {
      const audit::RuleReading rule = audit::ReadRules(part.result).front();
      std::vector<std::string> row = {std::to_string(part.refits)};
      for (const char* key : {"H_dep", "H_alloc", "q"}) {
        std::string cell = "–";
        for (const audit::ChannelReading& channel : rule.channels) {
          if (channel.key != key || !channel.interval) continue;
          cell = PercentInterval(channel.interval->lower, channel.interval->upper);
        }
        row.push_back(std::move(cell));
      }
      row.emplace_back(rule.verdict ? Name(*rule.verdict) : "nothing");
      table.AddRow(std::move(row));
    }
    return table.Render(context.terminal.width());
  }

  static nlohmann::json Json(const RunStatus& status,
                             const std::vector<audit::PartialAudit>& path) {
    nlohmann::json json = {{"schema", "gonogo.watch/1"},
                           {"phase", status.phase},
                           {"done", status.done},
                           {"total", status.total},
                           {"bounds", nlohmann::json::array()}};
    if (status.seconds_left) json["seconds_left"] = *status.seconds_left;
    for (const audit::PartialAudit& part : path) {
      const audit::RuleReading rule = audit::ReadRules(part.result).front();
      nlohmann::json row = {{"refits", part.refits}};
      if (rule.verdict) row["would_read"] = Name(*rule.verdict);
      for (const audit::ChannelReading& channel : rule.channels) {
        if (!channel.interval) continue;
        row[std::string(channel.key)] = {channel.interval->lower, channel.interval->upper};
      }
      json["bounds"].push_back(std::move(row));
    }
    return json;
  }

  std::filesystem::path folder_;
  bool once_ = false;
  int every_s_ = 5;
};

}  // namespace

std::unique_ptr<Verb> MakeWatchVerb() { return std::make_unique<WatchVerb>(); }

}  // namespace gonogo::cli
