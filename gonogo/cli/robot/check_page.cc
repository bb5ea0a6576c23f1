// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/robot/check_page.h"

#include <fmt/format.h>

#include "gonogo/study/check/check_json.h"

namespace gonogo::cli {
namespace {

using study::CheckReport;
using study::CheckVerdict;
using study::Severity;

report::Tone ToneOf(Severity severity) {
  return severity == Severity::kBroken       ? report::Tone::kNoGo
         : severity == Severity::kSuspicious ? report::Tone::kWarn
                                             : report::Tone::kPlain;
}

report::Banner BannerOf(const CheckReport& report) {
  const CheckVerdict verdict = report.verdict();
  const report::Tone tone = verdict == CheckVerdict::kOk       ? report::Tone::kGo
                            : verdict == CheckVerdict::kBroken ? report::Tone::kNoGo
                                                               : report::Tone::kWarn;
  const char* headline = verdict == CheckVerdict::kOk ? "It stands, does what it is told, and sees "
                                                        "what it should."
                         : verdict == CheckVerdict::kBroken
                             ? "Nothing measured on it would mean anything."
                             : "It may be described as it was trained, but most robots like this "
                               "are not.";
  return {report::Cell(Name(verdict), tone), headline, ""};
}

report::Table FindingsTable(const CheckReport& report) {
  report::Table table{.caption = "Findings",
                      .columns = {{"about"},
                                  {"how grave"},
                                  {"what", report::ColumnKind::kProse},
                                  {"look at", report::ColumnKind::kProse}}};
  for (const study::Finding& finding : report.findings) {
    table.rows.push_back({finding.subject,
                          report::Cell(Name(finding.severity), ToneOf(finding.severity)),
                          finding.what, finding.cause});
  }
  return table;
}

/// Told and done side by side, one pair a command; a fall has no bar for what it did.
report::Chart ToldAndDone(const CheckReport& report) {
  nlohmann::json rows = nlohmann::json::array();
  std::string said;
  for (std::size_t i = 0; i < report.trials.size(); ++i) {
    const study::Trial& trial = report.trials[i];
    if (!trial.is_velocity()) continue;
    const auto slot = static_cast<std::size_t>(trial.channel);
    const double told = trial.command[slot];
    const study::Motion& motion = report.motions[i];
    rows.push_back({{"command", trial.name}, {"value", told}, {"which", "told"}});
    if (!motion.fell) {
      rows.push_back(
          {{"command", trial.name}, {"value", motion.velocity[slot]}, {"which", "done"}});
    }
    said += fmt::format("{} told {:+.2f}, {}; ", trial.name, told,
                        motion.fell ? "fell" : fmt::format("did {:+.2f}", motion.velocity[slot]));
  }
  const nlohmann::json which = {
      {"field", "which"},
      {"type", "nominal"},
      {"title", nullptr},
      {"scale", {{"domain", {"told", "done"}}, {"range", {"var(--series-1)", "var(--series-2)"}}}}};
  return {
      "Each velocity alone, on flat ground: m/s, for wz rad/s",
      "Does it do what it is told? " + said,
      {{"data", {{"values", rows}}},
       {"mark", "bar"},
       {"height", 180},
       {"encoding",
        {{"x", {{"field", "command"}, {"type", "nominal"}, {"sort", nullptr}, {"title", nullptr}}},
         {"xOffset", {{"field", "which"}, {"sort", {"told", "done"}}}},
         {"y", {{"field", "value"}, {"type", "quantitative"}, {"title", nullptr}}},
         {"color", which}}}}};
}

report::Table TrialsTable(const CheckReport& report) {
  using report::ColumnKind;
  report::Table table{.caption = "Every command",
                      .columns = {{"command"},
                                  {"vx, m/s", ColumnKind::kNumber},
                                  {"vy, m/s", ColumnKind::kNumber},
                                  {"wz, rad/s", ColumnKind::kNumber},
                                  {"power, W", ColumnKind::kNumber},
                                  {"height, m", ColumnKind::kNumber},
                                  {"end", ColumnKind::kProse}}};
  for (std::size_t i = 0; i < report.trials.size(); ++i) {
    const study::Motion& motion = report.motions[i];
    table.rows.push_back(
        {report.trials[i].name, fmt::format("{:+.2f}", motion.velocity[0]),
         fmt::format("{:+.2f}", motion.velocity[1]), fmt::format("{:+.2f}", motion.velocity[2]),
         fmt::format("{:.0f}", motion.power_w), fmt::format("{:.3f}", motion.height_m),
         motion.fell ? motion.end : std::string("stays up")});
  }
  return table;
}

}  // namespace

report::Page CheckPage(const robot::RobotSpec& robot, const CheckReport& report) {
  report::Page page;
  page.title = report.robot;
  page.kicker = "Is it described as its policy was trained?";
  page.banner = BannerOf(report);
  report::Section findings{"findings", "What was found", {}};
  if (report.findings.empty()) {
    findings.blocks.emplace_back(report::Paragraph{"Nothing that asks for a second look."});
  } else {
    findings.blocks.emplace_back(FindingsTable(report));
  }
  page.sections.push_back(std::move(findings));
  page.sections.push_back(
      {"tracking", "What it was told and what it did", {ToldAndDone(report), TrialsTable(report)}});
  page.attachment = report::Attachment{"check.json", study::ToJson(robot, report)};
  return page;
}

}  // namespace gonogo::cli
