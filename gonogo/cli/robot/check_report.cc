// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/robot/check_report.h"

#include <cmath>

#include <fmt/format.h>

#include "gonogo/report/page/section_text.h"
#include "gonogo/study/check/check_json.h"

namespace gonogo::cli {
namespace {

using report::Cell;
using report::Column;
using report::ColumnKind;
using report::Table;
using report::Tone;
using study::CheckReport;
using study::CheckVerdict;
using study::Severity;

constexpr ColumnKind kNumber = ColumnKind::kNumber;

Tone ToneOf(CheckVerdict verdict) {
  return verdict == CheckVerdict::kOk       ? Tone::kGo
         : verdict == CheckVerdict::kBroken ? Tone::kNoGo
                                            : Tone::kWarn;
}

const char* MeaningOf(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::kOk:
      return "it stands, does what it is told, and sees what it should";
    case CheckVerdict::kSuspicious:
      return "it may be described as it was trained, but most robots like this are not";
    case CheckVerdict::kBroken:
      return "nothing measured on it would mean anything";
  }
  return "";
}

/// Columns of numbers behind a first one of names.
std::vector<Column> Columns(std::initializer_list<const char*> titles) {
  std::vector<Column> columns;
  for (const char* title : titles) {
    columns.push_back({title, columns.empty() ? ColumnKind::kText : kNumber});
  }
  return columns;
}

std::string EndOf(const study::Motion& motion) {
  return motion.fell ? fmt::format("fell after {:.1f} s", motion.time_s) : "";
}

std::string Watts(double power_w) { return fmt::format("{:.0f} W", power_w); }

std::string Share(double share) { return fmt::format("{:.0f} %", 100.0 * share); }

/// What a command asked for and what became of it, in the units of its channel.
struct ToldAndDone {
  std::string told = "0";
  std::string done = {};
  std::string share = {};
};

ToldAndDone Compare(const study::CommandTrial& trial, const study::Motion& motion) {
  if (trial.channel < 0) {
    const double speed = std::hypot(motion.velocity[0], motion.velocity[1]);
    return {.done = fmt::format("{:.2f} m/s", speed)};
  }
  if (!trial.is_velocity()) {
    return {.told = fmt::format("{:.4g}", trial.told),
            .done = motion.fell ? "" : fmt::format("vx {:+.2f} m/s", motion.velocity[0])};
  }
  const auto slot = static_cast<std::size_t>(trial.channel);
  const double told = trial.command[slot];
  const double done = motion.velocity[slot];
  const char* unit = trial.channel == 2 ? "rad/s" : "m/s";
  const std::string asked = fmt::format("{:+.2f} {}", told, unit);
  if (motion.fell) return {.told = asked};
  return {asked, fmt::format("{:+.2f} {}", done, unit), Share(done / told)};
}

Table TrackingTable(const CheckReport& report) {
  Table table{.caption = "Each command alone, on flat ground",
              .columns = Columns({"command", "told", "done", "share", "power", "height", "tilt"})};
  table.columns.push_back({.title = "end", .untitled_in_text = true});
  for (const char* title : {"vx, m/s", "vy, m/s", "wz, rad/s"}) {
    table.columns.push_back({.title = title, .kind = kNumber, .page_only = true});
  }
  for (std::size_t i = 0; i < report.trials.size(); ++i) {
    const study::CommandTrial& trial = report.trials[i];
    const study::Motion& motion = report.motions[i];
    const ToldAndDone compared = Compare(trial, motion);
    std::vector<Cell> row{trial.channel < 0 ? "zero" : trial.channel_name(),
                          compared.told,
                          compared.done,
                          compared.share,
                          Watts(motion.power_w),
                          fmt::format("{:.3f} m", motion.height_m),
                          fmt::format("{:.2f} rad", motion.tilt_rad),
                          EndOf(motion)};
    for (const double speed : motion.velocity) row.emplace_back(fmt::format("{:+.2f}", speed));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table SweepTable(const CheckReport& report) {
  Table table{
      .caption = "Other channels, forwards at half speed on flat ground",
      .columns = Columns({"channel", "told", "steps are high", "steps a second", "vx", "power"})};
  table.columns.push_back({.title = "end", .untitled_in_text = true});
  for (const study::ChannelPoint& point : report.sweep) {
    const study::Motion& motion = point.motion;
    table.rows.push_back({point.channel, fmt::format("{:.4g}", point.told),
                          fmt::format("{:.3f} m", motion.step_height_m),
                          fmt::format("{:.2f} Hz", motion.step_frequency_hz),
                          fmt::format("{:+.2f} m/s", motion.velocity[0]), Watts(motion.power_w),
                          EndOf(motion)});
  }
  return table;
}

Table JointTable(const robot::RobotSpec& robot, const CheckReport& report) {
  Table table{.caption = fmt::format(
                  "Outputs and joints (physics step {:.4g} ms: {:.0f} % of what explicit gains "
                  "bear)",
                  1e3 * robot.physics_dt_s, 100.0 * report.load.value),
              .columns = Columns({"output", "joint", "action", "moves (rad)", "kd·dt/J", "kp·dt²/J",
                                  "sag (rad)", "clipped", "at its limit"})};
  table.columns[1].kind = ColumnKind::kText;
  const study::Seen& seen = report.seen;
  for (std::size_t j = 0; j < report.joints.size(); ++j) {
    const sim::JointMechanics& joint = report.joints[j];
    table.rows.push_back(
        {fmt::format("{}", j), robot.joints[j],
         fmt::format("{:+.1f} … {:+.1f}", seen.action[j].low, seen.action[j].high),
         fmt::format("{:+.2f} … {:+.2f}", seen.position[j].low, seen.position[j].high),
         fmt::format("{:.2f}", joint.damping_step(robot.physics_dt_s)),
         fmt::format("{:.3f}", joint.stiffness_step(robot.physics_dt_s)),
         joint.kp > 0.0 ? fmt::format("{:.2f}", std::abs(joint.standing_torque) / joint.kp) : "–",
         Share(study::Share(seen.target_clipped[j], seen.action[j].count)),
         Share(study::Share(seen.torque_limited[j], seen.torque[j].count))});
  }
  return table;
}

Table TermTable(const robot::RobotSpec& robot, const CheckReport& report) {
  Table table{
      .caption =
          fmt::format("Observation (slope: change of the action per unit{})",
                      report.expected ? "; off: spreads from what the policy's normaliser expects"
                                      : "; the policy contains no normaliser"),
      .columns = Columns({"term", "size", "mean", "spread", "range", "at clip", "slope", "off"})};
  for (const study::TermRow& row : study::TermRows(robot, report)) {
    table.rows.push_back({row.name, fmt::format("{}", row.size), fmt::format("{:+.2f}", row.mean),
                          fmt::format("{:.2f}", row.spread),
                          fmt::format("{:+.2f} … {:+.2f}", row.low, row.high), Share(row.at_clip),
                          row.slope ? fmt::format("{:.2f}", *row.slope) : "–",
                          row.strangest ? fmt::format("{:.1f}", *row.strangest) : "–"});
  }
  return table;
}

Table OtherTable(const CheckReport& report) {
  Table table{
      .caption = fmt::format("Other descriptions (this one: error {:.0f} %, {} falls, {:.0f} W)",
                             100.0 * report.score.error, report.score.falls, report.score.power_w),
      .columns = Columns({"error", "falls", "power", "commands", "with"})};
  table.columns.back().kind = ColumnKind::kText;
  for (const study::AlternativeResult& other : report.alternatives) {
    table.rows.push_back({Share(other.score.error), fmt::format("{}", other.score.falls),
                          Watts(other.score.power_w),
                          fmt::format("{} of {}", other.score.trials, report.trials.size()),
                          other.what + (other.better ? "  (clearly better)" : "")});
  }
  return table;
}

/// Everything that was measured, as terminal and page show it.
std::vector<report::Block> Measurements(const robot::RobotSpec& robot, const CheckReport& report) {
  std::vector<report::Block> blocks{TrackingTable(report)};
  if (report.standing_height_m()) {
    blocks.push_back(report::Paragraph{
        fmt::format("stands at {:.3f} m: posture.nominal_height is {}", *report.standing_height_m(),
                    robot.posture.nominal_height_m)});
  }
  if (!report.sweep.empty()) blocks.push_back(SweepTable(report));
  blocks.push_back(JointTable(robot, report));
  if (report.halved) {
    blocks.push_back(
        report::Paragraph{fmt::format("at half the physics step: {:.0f} W instead of {:.0f} W",
                                      report.halved->halved_power_w, report.halved->power_w)});
  }
  blocks.push_back(TermTable(robot, report));
  if (!report.alternatives.empty()) blocks.push_back(OtherTable(report));
  return blocks;
}

report::Table FindingsTable(const CheckReport& report) {
  Table table{
      .caption = "Findings",
      .columns = {
          {"about"}, {"how grave"}, {"what", ColumnKind::kProse}, {"look at", ColumnKind::kProse}}};
  for (const study::CheckFinding& finding : report.findings) {
    const Tone tone = finding.severity == Severity::kBroken       ? Tone::kNoGo
                      : finding.severity == Severity::kSuspicious ? Tone::kWarn
                                                                  : Tone::kPlain;
    table.rows.push_back({finding.subject, Cell(std::string(Name(finding.severity)), tone),
                          finding.what, finding.cause});
  }
  return table;
}

/// Told and done side by side, one pair a command; a fall has no bar for what it did.
report::Chart ToldChart(const CheckReport& report) {
  nlohmann::json rows = nlohmann::json::array();
  std::string said;
  for (std::size_t i = 0; i < report.trials.size(); ++i) {
    const study::CommandTrial& trial = report.trials[i];
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

}  // namespace

std::string CheckText(const robot::RobotSpec& robot, const CheckReport& report,
                      const Terminal& terminal) {
  const CheckVerdict verdict = report.verdict();
  const Cell word(std::string(Name(verdict)), ToneOf(verdict));
  std::string text = fmt::format("{}  {}: {}\n", report::CellText(word, terminal.look()),
                                 report.robot, MeaningOf(verdict));
  const std::string findings = study::FindingsText(report.findings, [&](Severity severity) {
    const Style style = severity == Severity::kBroken ? Style::kNoGo
                        : severity == Severity::kNote ? Style::kDim
                                                      : Style::kWarning;
    return terminal.Paint(style, Name(severity));
  });
  if (!findings.empty()) text += "\n" + findings;
  for (const report::Block& block : Measurements(robot, report)) {
    if (const auto* table = std::get_if<Table>(&block)) {
      text += "\n" + table->caption.plain + "\n" + report::TableText(*table, {});
    } else {
      text += "  " + std::get<report::Paragraph>(block).text.plain + "\n";
    }
  }
  return text;
}

report::Page CheckPage(const robot::RobotSpec& robot, const CheckReport& report) {
  const CheckVerdict verdict = report.verdict();
  report::Page page{.title = report.robot, .kicker = "Is it described as its policy was trained?"};
  page.banner = report::Banner{{std::string(Name(verdict)), ToneOf(verdict)},
                               report::Capitalised(std::string(MeaningOf(verdict)) + "."),
                               ""};
  report::Section findings{"findings", "What was found", {}};
  if (report.findings.empty()) {
    findings.blocks.emplace_back(report::Paragraph{"Nothing that asks for a second look."});
  } else {
    findings.blocks.emplace_back(FindingsTable(report));
  }
  page.sections.push_back(std::move(findings));
  report::Section measured{"tracking", "What it was told and what it did", {ToldChart(report)}};
  for (report::Block& block : Measurements(robot, report)) {
    measured.blocks.push_back(std::move(block));
  }
  page.sections.push_back(std::move(measured));
  page.attachment = report::Attachment{"check.json", study::ToJson(robot, report)};
  return page;
}

}  // namespace gonogo::cli
