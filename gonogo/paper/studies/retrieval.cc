// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/studies/retrieval.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "gonogo/paper/published/cells.h"
#include "gonogo/report/text/number_text.h"
#include "gonogo/study/evaluate/method_summary.h"

namespace gonogo::paper {
namespace {

using study::Evaluation;
using study::MethodSummary;

constexpr std::size_t kFirstTargets = 5;  // of the harder family: the original protocol

/// What Appendix B says of a method on the harder Go2 targets, in its own words where it prints no
/// number.
struct Said {
  const char* method;
  const char* effort;
  const char* success;
};
constexpr std::array<Said, 5> kSaid{{{"direct", "", "0.800"},
                                     {"vgsr", "−7.8\u202f%", "0.785"},
                                     {"vgsr-no-gate", "more than +50\u202f%", "–"},
                                     {"vgsr-2000", "–", "above vgsr's"},
                                     {"vgsr-500", "lowest", "below vgsr's"}}};

report::Table AggregateTable(const Evaluation& evaluation) {
  report::Table table{
      .caption = fmt::format("Harder targets: {} episodes per method on {} seeds",
                             evaluation.Episodes(0).size(), evaluation.plan.seeds.size()),
      .columns = Columns({"method", "effort", "Δ effort", "success", "falls", "height (m)",
                          "active", "paper: Δ effort", "success"}),
      .rows = {}};
  const std::vector<MethodSummary> summaries = study::SummariseAll(evaluation);
  for (const MethodSummary& s : summaries) {
    const auto said = std::find_if(kSaid.begin(), kSaid.end(),
                                   [&](const Said& row) { return s.name == row.method; });
    const bool published = said != kSaid.end() && evaluation.robot == "go2";
    table.rows.push_back(
        {s.name, Fixed(s.effort),
         s.name == "direct" ? "" : SignedPercent(s.effort / summaries.front().effort - 1.0),
         Fixed(s.success), Fixed(s.terminations), Fixed(s.final_height_m), Fixed(s.active, 1),
         published ? said->effort : report::kNoNumber,
         published ? said->success : report::kNoNumber});
  }
  return table;
}

report::Table FiveTargetTable(const Evaluation& evaluation) {
  const Evaluation part =
      study::Restrict(evaluation, {"vgsr", "vgcc", "direct"},
                      [](const study::EpisodeRecord& e) { return e.target < kFirstTargets; });
  report::Table table{
      .caption = fmt::format("The original five harder targets: {} episodes per method",
                             part.Episodes(0).size()),
      .columns = Columns({"method", "effort", "falls", "height (m)", "paper: effort", "falls"}),
      .rows = {}};
  const bool published = evaluation.robot == "go2";
  for (const MethodSummary& s : study::SummariseAll(part)) {
    std::optional<double> effort;
    std::optional<double> falls;
    if (published && s.name == "vgsr") effort = 2.061, falls = 0.012;
    if (published && s.name == "vgcc") effort = 2.073;
    table.rows.push_back({s.name, Fixed(s.effort), Fixed(s.terminations), Fixed(s.final_height_m),
                          Fixed(effort), Fixed(falls)});
  }
  return table;
}

report::Table TransferTable(std::span<const Evaluation> others) {
  report::Table table{
      .caption = "Where the archive has to generalise: effort against direct control",
      .columns = Columns({"family (n)", "VGSR", "VGCC", "paper: VGSR", "VGCC"}),
      .rows = {}};
  for (const Evaluation& evaluation : others) {
    const auto summaries = study::SummariseAll(
        study::Restrict(evaluation, {"direct", "vgsr", "vgcc"}, [](const auto&) { return true; }));
    std::optional<double> vgsr;
    std::optional<double> vgcc;
    if (evaluation.robot == "go2" && evaluation.plan.family == "holdout") {
      vgsr = 0.038, vgcc = -0.080;
    } else if (evaluation.robot == "h1" && evaluation.plan.family == "harder") {
      vgsr = 0.044, vgcc = -0.047;
    }
    table.rows.push_back({fmt::format("{} {} ({})", evaluation.robot, evaluation.plan.family,
                                      summaries.front().episodes),
                          SignedPercent(summaries[1].effort / summaries[0].effort - 1.0),
                          SignedPercent(summaries[2].effort / summaries[0].effort - 1.0),
                          SignedPercent(vgsr), SignedPercent(vgcc)});
  }
  return table;
}

}  // namespace

report::Section RetrievalSection(std::span<const Evaluation> evaluations) {
  report::Section section{
      .id = "retrieval",
      .title = "Retrieval from an archive (VGSR)",
      .blocks = {AggregateTable(evaluations.front()), FiveTargetTable(evaluations.front())}};
  if (evaluations.size() > 1) section.blocks.emplace_back(TransferTable(evaluations.subspan(1)));
  return section;
}

}  // namespace gonogo::paper
