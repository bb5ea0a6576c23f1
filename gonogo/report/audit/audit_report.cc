// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/audit_report.h"

#include <array>

#include <fmt/format.h>

#include "gonogo/report/audit/sections.h"
#include "gonogo/report/page/section_text.h"

namespace gonogo::report {
namespace {

using namespace internal;  // NOLINT(google-build-using-namespace): this file is its only reader

Section ControlSection(const ResultNode& result) {
  Section section{.id = "controls", .title = "Calibration controls"};
  const std::optional<double> threshold = result["thresholds"]["delta_alloc"].number();
  for (const ResultNode& control : result["controls"].items()) {
    for (Block& block : ControlBlocks(control, threshold)) {
      section.blocks.push_back(std::move(block));
    }
  }
  return section;
}

Section ProvenanceSection(const ResultNode& result) {
  Section section{.id = "provenance", .title = "Protocol and provenance"};
  const auto add = [&](Table table) {
    if (!table.rows.empty()) section.blocks.push_back(std::move(table));
  };
  const ResultNode protocol = result["protocol"];
  add(FactsTable("What was declared", protocol, {"declared"}));
  Table declared = FactsTable("Everything declared, key by key", protocol["declared"]);
  declared.folded = true;
  add(std::move(declared));
  add(FactsTable("The table of outcomes", result["table"]));
  const ResultNode provenance = result["provenance"];
  add(FactsTable("How the outcomes were collected", provenance["collection"]));
  // The protocol and the collection stand above.
  Table numbers = FactsTable("Where the numbers come from", provenance, {"protocol", "collection"});
  if (const ResultNode print = result["fingerprint"]; !print.text().empty()) {
    numbers.rows.push_back({"fingerprint", Quote(print)});
  }
  add(std::move(numbers));
  return section;
}

/// A block of the report as a terminal shows it; they come in this order.
struct TerminalPart {
  const char* name;
  std::size_t indent = 2;
  bool dim = false;
  bool wrapped = true;
  bool line_before = false;
  bool line_after = false;
  bool captioned = false;
};

constexpr std::array kTerminal{
    TerminalPart{.name = "question", .indent = 0},
    TerminalPart{.name = "log", .indent = 0},
    TerminalPart{.name = "how", .indent = 0, .dim = true, .line_after = true},
    TerminalPart{.name = "channels"},
    TerminalPart{.name = "glossary", .dim = true, .line_after = true},
    TerminalPart{.name = "price curve", .captioned = true},
    TerminalPart{.name = "price curve in words", .dim = true, .line_after = true},
    TerminalPart{.name = "actions", .line_after = true},
    TerminalPart{.name = "rules", .line_after = true},
    TerminalPart{.name = "looks"},
    TerminalPart{.name = "looks in words", .line_after = true},
    TerminalPart{.name = "diagnostics"},
    TerminalPart{.name = "adapter"},
    TerminalPart{.name = "adapter rules", .indent = 4},
    TerminalPart{.name = "notes"},
    TerminalPart{.name = "learners", .line_before = true, .captioned = true},
    TerminalPart{.name = "seeds", .line_before = true, .captioned = true},
    TerminalPart{.name = "ablation", .line_before = true, .captioned = true},
    TerminalPart{.name = "other question", .indent = 0, .wrapped = false, .line_before = true},
    TerminalPart{.name = "map", .line_before = true, .captioned = true},
    TerminalPart{.name = "points"},
    TerminalPart{.name = "claims", .wrapped = false}};

/// Writes blocks of one name.
class TerminalWriter {
 public:
  TerminalWriter(const TerminalPart& part, const TextLook& look) : part_(part), look_(look) {}

  std::string operator()(const Paragraph& paragraph) const {
    return paragraph.name == part_.name
               ? Line(Labelled(paragraph.label, paragraph.tone) + paragraph.text.plain)
               : "";
  }
  std::string operator()(const List& list) const {
    std::string out;
    if (list.name != part_.name) return out;
    for (const Text& item : list.items) {
      out += Line(Labelled(list.label, Tone::kPlain) + item.plain);
    }
    return out;
  }
  std::string operator()(const Table& table) const {
    if (table.name != part_.name) return "";
    return (part_.captioned ? table.caption.plain + "\n" : "") + TableText(table, look_);
  }
  std::string operator()(const Chart& /*chart*/) const { return ""; }
  std::string operator()(const Cards& /*cards*/) const { return ""; }

 private:
  /// "warning: " in its colour; labels of other notes are plain.
  [[nodiscard]] std::string Labelled(const std::string& label, Tone tone) const {
    if (label.empty()) return "";
    return (tone == Tone::kWarn ? look_.Paint(Style::kWarning, label + ":") : label + ":") + " ";
  }
  [[nodiscard]] std::string Line(const std::string& text) const {
    const std::string lines = part_.wrapped ? Wrap(text, look_.prose_width(), part_.indent)
                                            : std::string(part_.indent, ' ') + text + "\n";
    return part_.dim ? look_.Paint(Style::kDim, lines) : lines;
  }

  const TerminalPart& part_;
  const TextLook& look_;
};

/// The verdict and what it is about, on one line where it fits.
std::string HeadText(const Page& page, const TextLook& look) {
  if (!page.banner) return "";
  const std::string verdict = CellText(page.banner->word, look);
  const std::string about = look.Paint(Style::kBold, page.title) + ": " + page.banner->status.plain;
  const std::string line = verdict + "  " + about;
  if (DisplayWidth(line) <= look.width) return line + "\n";
  return Wrap(verdict, look.width) + Wrap(about, look.width);
}

}  // namespace

Page MakeAuditPage(const nlohmann::json& json) {
  const ResultNode result(json);
  const std::vector<Rule> rules = ReadRules(result);
  const ResultNode protocol = result["protocol"];
  Page page{.title = protocol["name"].text("Audit"), .kicker = "gonogo audit"};
  page.subtitle = Say("Is a learned adapter worth it over “{}”?", Quote(protocol["reference"]));
  page.banner = VerdictBanner(result, rules[0]);
  page.sections = {ReadingSection(result, rules[0]), ChannelSection(result, rules[0])};
  const auto add = [&](std::optional<Section> section) {
    if (section) page.sections.push_back(std::move(*section));
  };
  add(PathSection(result["path"]));
  add(TrustSection(rules[0]));
  add(LogSection(result));
  add(OtherRulesSection(result, rules));
  add(PriceCurveSection(result));
  for (Section& section : EvidenceSections(result, rules)) add(std::move(section));
  for (Section& section : ComparisonSections(result)) add(std::move(section));
  if (result["controls"].filled()) add(ControlSection(result));
  add(ProvenanceSection(result));
  page.attachment = Attachment{.file_name = "result.json", .content = json};
  page.footer = {
      Say("gonogo {} · result schema {}", Quote(result["version"]), Quote(result["schema"]))};
  return page;
}

std::string PageText(const Page& page, const TextLook& look) {
  std::string out = HeadText(page, look);
  for (const TerminalPart& part : kTerminal) {
    std::string text;
    for (const Section& section : page.sections) {
      for (const Block& block : section.blocks) {
        text += std::visit(TerminalWriter(part, look), block);
      }
    }
    if (text.empty()) continue;
    out += (part.line_before ? "\n" : "") + text + (part.line_after ? "\n" : "");
  }
  return out;
}

}  // namespace gonogo::report
