// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "gonogo/base/glossary.h"
#include "gonogo/report/audit/sections.h"

/// The verdict in plain words.
namespace gonogo::report::internal {
namespace {

std::string TitleOf(const ResultNode& channel) {
  return std::string(Describe(channel["name"].text()).title);
}

std::string LowerTitle(const ResultNode& channel) {
  std::string title = TitleOf(channel);
  if (title != channel["name"].text()) title[0] = static_cast<char>(std::tolower(title[0]));
  return "the " + title;
}

std::string TitlesIn(const Rule& rule, std::string_view state) {
  std::vector<std::string> titles;
  for (const ResultNode& channel : rule.channels) {
    if (StateOf(channel) == state) titles.push_back(LowerTitle(channel));
  }
  return JoinWords(titles);
}

Text Headline(const ResultNode& result, const Rule& rule) {
  const std::string decision = result["decision"].text();
  if (decision == "GO") {
    return "Worth building: the adapter saves cost beyond any fixed action, saves it by choosing "
           "where to act, and stays within the violation limit.";
  }
  if (decision == "NO-GO") {
    return "Not worth building under this protocol: even the favourable end of the interval misses "
           "the threshold for " +
           TitlesIn(rule, "refuted") + ".";
  }
  if (decision == "ABSTAIN") {
    return "The data do not settle it: the threshold lies inside the interval of " +
           TitlesIn(rule, "unresolved") + ".";
  }
  if (const ResultNode obstacle = result["no_decision"]; obstacle.is_object()) {
    return Say("No decision can rest on this table: {}.", Quote(obstacle["reason"]));
  }
  const std::string reading = result["reading"].text();
  return "No formal decision: the result describes the data, because it rests on no declaration "
         "that came before them or does not keep to it." +
         (reading.empty() ? "" : " The intervals by themselves would read " + reading + ".");
}

constexpr double kUsualClusters = 20.0;  // that a decision takes when nobody says otherwise

/// What kind of data it is about, and how far the limit of clusters was lowered for a decision.
Text AboutTheTable(const ResultNode& result) {
  const ResultNode table = result["table"];
  Text text =
      Say("{} ({}), {}, {}", Counted(table["clusters"], "cluster"),
          Quote(result["protocol"]["cluster"]), Counted(table["queries"], "query", "queries"),
          Counted(table["actions"], "action"));
  const ResultNode limit = result["protocol"]["min_clusters"];
  if (result["decision"].text().empty() ||
      limit.number().value_or(kUsualClusters) >= kUsualClusters) {
    return text;
  }
  return text + Say("; declared to need {} clusters, not {}", Count(limit), Constant("20"));
}

Text HowIntervalsWereMade(const ResultNode& result, const Rule& deciding) {
  const std::string kind = result["intervals"].text();
  if (kind == "choices") return "from resampled clusters";
  if (kind == "folds") return "from resampled folds, without the uncertainty of the learner";
  const Text refits =
      Say("{} complete refits on resampled clusters", Count(Size(result["replicates"]["H_dep"])));
  const ResultNode fits = deciding.node["fits"];
  if (!fits.number()) return Say("from {}", refits);
  return Say("from {} fits that each leave two clusters out and {}", Count(fits), refits);
}

/// What the numbers of the conditions are, in a sentence.
Text HowItWasMade(const ResultNode& result, const Rule& deciding) {
  const bool given = result["intervals"] == "choices";
  // Less error where it is spent over looks, which the paper's rule does not do.
  const ResultNode look = result["look_share"];
  const bool spends = deciding.name != "paper" && look.is_object();
  return Say("A {} result of {}. Points and {} intervals are those of {}, {}, {}.",
             result["status"] == "confirmatory" ? "confirmatory" : "descriptive",
             given ? Text("the given choices") : "the learner " + Quote(result["source"]),
             ShortPercent(spends ? look["level"] : result["level"]), NameOf(deciding),
             AboutWhom(deciding, given), HowIntervalsWereMade(result, deciding));
}

/// "saves 0.93 % of the cost" or "costs 1.30 % more"; `many` adapts the verb to a plural.
Text SavedOrLost(const ResultNode& gain, bool many) {
  const bool lost =
      gain.number().value_or(0.0) < 0.0 && !(Percent(gain) == Percent(SourcedNumber(0.0, "")));
  if (lost) return Say("{} {} more", many ? "cost" : "costs", Percent(Negated(gain)));
  return Say("{} {} of the cost", many ? "save" : "saves", Percent(gain));
}

/// How the fixed action was chosen, and which one it was. Rules that are about the adapter which
/// would ship compare it with one action, the one that all clusters choose; the paper's chooses it
/// anew in every fold.
Text FixedAction(const ResultNode& result, const Rule& rule) {
  const ResultNode shipped = rule.node["reference"]["shipped"];
  if (!shipped.text().empty()) {
    return Say("that action is “{}”, which all clusters together choose", Quote(shipped));
  }
  const ResultNode folds = result["folds"];
  std::map<std::string, ResultNode> actions;
  for (const ResultNode& fold : folds.items()) {
    actions.emplace(fold["reference"].text(), fold["reference"]);
  }
  actions.erase("");
  const Text text = "that action was chosen anew for every cluster from the other clusters";
  if (actions.empty()) return text;
  if (actions.size() == 1) {
    return Say("{} and was always “{}”", text, Quote(actions.begin()->second));
  }
  std::vector<Text> words;
  for (const auto& [name, node] : actions) {
    words.push_back(
        Say("“{}” for {}", Quote(node), Counted(CountWhere(folds, "reference", name), "cluster")));
  }
  return Say("{} ({})", text, JoinWords(words));
}

/// What was found, in paragraphs that hold the numbers of one rule each: first what the rule that
/// decides estimates, then what could be had in hindsight.
std::vector<Text> Summary(const ResultNode& result, const Rule& rule) {
  const auto cross_fit = [&](const char* key) { return result["estimates"][key]["point"]; };
  const auto by_rule = [&](const char* key) {
    const ResultNode point = ChannelNamed(rule.channels, key)["point"];
    return point.number() ? point : cross_fit(key);
  };
  const bool given = IsChoices(result);
  const Text who = given ? "the given choices" : "the learned adapter";
  Text found;
  if (const ResultNode gain = by_rule("H_total"); gain.number()) {
    const ResultNode name = result["protocol"]["reference"];
    found +=
        Say("Compared with always using {}, {}{} {}. ",
            name.text().empty() ? Text("the reference action") : Say("“{}”", Quote(name)), who,
            given ? "" : ", judged on clusters it was not trained on,", SavedOrLost(gain, given));
  }
  if (const ResultNode gain = by_rule("H_dep"); gain.number()) {
    found += Say("Compared with the best fixed action, {} {}; {}. ", who, SavedOrLost(gain, given),
                 FixedAction(result, rule));
  }
  if (const ResultNode gain = by_rule("H_alloc"); gain.number()) {
    found += Say("Compared with the same actions chosen as often but at random queries, {} {}. ",
                 who, SavedOrLost(gain, given));
  }
  if (const ResultNode share = by_rule("q"); share.number()) {
    found += Say("In {} of the queries the chosen action breaks a constraint.", Percent(share));
  }
  if (!found.empty() && !rule.name.empty()) {
    found = Say("These are the estimates of {}, which decides. {}", NameOf(rule), found);
  }
  Text possible;
  if (const ResultNode gain = cross_fit("H_avail"); gain.number()) {
    possible +=
        Say("What could be had at most, seen in hindsight: an oracle that knew every outcome "
            "beforehand would save {} of the cost. ",
            Percent(gain));
  }
  if (const ResultNode gain = cross_fit("H_global"); gain.number()) {
    possible +=
        Say("One action for all clusters, picked with all outcomes in view, would save {}{}.",
            Percent(gain),
            by_rule("H_dep").number() ? "; the fixed action above was picked by another criterion, "
                                        "so the two need not add up"
                                      : "");
  }
  return {found, possible};
}

/// How far the bound is from the GO side; negative when it is there.
SourcedNumber Gap(const ResultNode& channel) {
  const ResultNode bound = GoBound(channel);
  return NeedsAbove(channel) ? Difference(channel["threshold"], bound)
                             : Difference(bound, channel["threshold"]);
}

bool PointIsOnGoSide(const ResultNode& channel) {
  const double point = channel["point"].number().value_or(NAN);
  const double threshold = channel["threshold"].number().value_or(0.0);
  return NeedsAbove(channel) ? point > threshold : point <= threshold;
}

/// The resolution diagnostic says something of a channel only where it asks for more clusters than
/// there are and than are declared.
Text MoreClusters(const ResultNode& channel, const ResultNode& result) {
  const ResultNode folds = result["folds"];
  const double enough = std::max(static_cast<double>(folds.size()),
                                 result["protocol"]["min_clusters"].number().value_or(0.0));
  for (const ResultNode& item : result["resolution"].items()) {
    const ResultNode clusters = item["clusters"];
    if (item["channel"].text() != channel["name"].text() || !clusters.number()) continue;
    if (*clusters.number() <= enough) return "";
    return Say(" About {} clusters would give it an even chance (there are {}).", Count(clusters),
               Count(Size(folds)));
  }
  return "";
}

Text Missing(const ResultNode& channel, const ResultNode& result) {
  const std::string title = TitleOf(channel);
  const ResultNode bound = GoBound(channel);
  const std::string end = NeedsAbove(channel) ? "lower" : "upper";
  if (!bound.number()) return title + ": there is no interval to judge.";
  if (Gap(channel).value < 0.0) {
    return Say(
        "{}: the {} bound of {} is on the right side of {}, but the rule does not rely on it.",
        title, end, Percent(bound), Percent(channel["threshold"]));
  }
  const Text text = Say("{}: the {} bound is {} and has to {} {}; {} are missing.", title, end,
                        Percent(bound), NeedsAbove(channel) ? "rise above" : "fall to or below",
                        Percent(channel["threshold"]), Points(Gap(channel)));
  if (PointIsOnGoSide(channel)) {
    return text +
           Say(" The estimate of {} is on the right side already, so a narrower interval could "
               "settle it.",
               Percent(channel["point"])) +
           MoreClusters(channel, result);
  }
  if (!channel["point"].number()) return text;
  return text + Say(" The estimate itself is {}: if that is the truth, more clusters of the same "
                    "kind will not help, only {}.",
                    Percent(channel["point"]),
                    NeedsAbove(channel) ? "better features or better actions"
                                        : "a more careful adapter or safer actions");
}

/// One sentence per channel that stands between this result and a GO: which bound has to move, how
/// far, and whether more clusters can move it. Where all are met: how close the closest is. Before
/// them, that a descriptive result decides nothing.
std::vector<Text> WhatWouldChange(const Rule& rule, const ResultNode& result) {
  std::vector<Text> items;
  const ResultNode* closest = nullptr;
  for (const ResultNode& channel : rule.channels) {
    const std::string state = StateOf(channel);
    if (state == "not read") {
      items = {"Nothing was decided: there are fewer clusters than declared."};
      break;
    }
    if (state != "satisfied") {
      items.push_back(Missing(channel, result));
    } else if (closest == nullptr || Gap(channel).value > Gap(*closest).value) {
      closest = &channel;
    }
  }
  if (items.empty() && closest != nullptr) {
    SourcedNumber room = Gap(*closest);
    room.value = -room.value.value_or(NAN);
    room.from = "negated(" + room.from + ")";
    items.push_back(Say(
        "Every threshold is met. The closest one is {}, whose {} bound of {} is {} on the right "
        "side of {}.",
        LowerTitle(*closest), NeedsAbove(*closest) ? "lower" : "upper", Percent(GoBound(*closest)),
        Points(room), Percent((*closest)["threshold"])));
  }
  if (result["status"] == "descriptive") {
    items.insert(items.begin(),
                 "Status: the result is descriptive, as said above; only a confirmatory one "
                 "decides.");
  }
  return items;
}

/// What "eligible" meant in this table where it is less than success and time together.
void AddWhatWasRecorded(const ResultNode& result, Section& section) {
  const ResultNode table = result["table"];
  const auto is = [&](const char* key, bool value) { return table[key].json() == Json(value); };
  const auto note = [&](const char* text) {
    section.blocks.push_back(Paragraph{.text = text, .name = "notes"});
  };
  if (is("eligible_given", true)) {
    note("Which actions break a constraint was given with the table.");
    return;
  }
  if (result["log"].is_object()) return;  // its words say it
  if (is("time", false) && is("success", false)) {
    note(
        "Neither time nor success is looked at, so no choice can break a constraint: q is 0 by "
        "construction.");
    return;
  }
  if (is("time", false)) note("No time was recorded, so no action counts as too slow.");
  if (is("success", false)) note("No success was recorded, so no action counts as failed.");
}

void AddNotes(const ResultNode& notes, Tone tone, const char* label, const std::string& but_not,
              Section& section) {
  for (const ResultNode& note : notes.items()) {
    if (!but_not.empty() && note == but_not) continue;
    section.blocks.push_back(Paragraph{Quote(note), tone, "notes", label});
  }
}

bool IsSatisfied(const Rule& rule) {
  return std::all_of(rule.channels.begin(), rule.channels.end(),
                     [](const ResultNode& channel) { return StateOf(channel) == "satisfied"; });
}

void AddWhatWasAsked(const ResultNode& result, const Rule& deciding, Section& section) {
  const ResultNode question = result["question"];
  if (!question.text().starts_with("The question is about")) {
    section.blocks.push_back(Paragraph{
        Say("The question is about clusters that nobody has seen yet: whole ones are held out, "
            "each one {}.",
            Quote(result["protocol"]["cluster"]))});
  }
  if (!question.text().empty()) {
    section.blocks.push_back(Paragraph{.text = Quote(question), .name = "question"});
  }
  if (const ResultNode words = result["log"]["words"]; !words.text().empty()) {
    section.blocks.push_back(Paragraph{.text = Quote(words), .name = "log"});
  }
  section.blocks.push_back(Paragraph{.text = HowItWasMade(result, deciding), .name = "how"});
  if (result["status"] == "confirmatory") {
    section.blocks.push_back(Paragraph{
        "Confirmatory means that the table carries the fingerprint of this protocol and that the "
        "protocol was not changed since. It does not prove that the protocol came first: that "
        "rests "
        "on who collected the outcomes, and on whatever outside their hands holds the fingerprint, "
        "such as a commit or a tag that others have."});
  }
}

}  // namespace

Cell VerdictCell(const ResultNode& summary) {
  const ResultNode decision = summary["decision"];
  if (!summary["no_decision"].json().is_null()) return {Text("NO DECISION"), Tone::kWarn};
  if (!decision.text().empty()) return DecisionBadge(decision);
  const std::string reading = summary["reading"].text();
  return {Text("DESCRIPTIVE"), Tone::kNeutral,
          reading.empty() ? Text(" (no decision)")
                          : Say(" (no decision; the intervals would read {})", reading)};
}

Banner VerdictBanner(const ResultNode& result, const Rule& deciding) {
  return {.word = VerdictCell(result),
          .headline = Headline(result, deciding),
          .status = AboutTheTable(result)};
}

Section ReadingSection(const ResultNode& result, const Rule& deciding) {
  Section section{.id = "reading", .title = "In plain words"};
  AddWhatWasAsked(result, deciding, section);
  for (Text& text : Summary(result, deciding)) {
    if (!text.empty()) section.blocks.push_back(Paragraph{std::move(text)});
  }
  AddWhatWasRecorded(result, section);
  const ResultNode obstacle = result["no_decision"];
  if (obstacle.is_object()) {
    section.blocks.push_back(
        Paragraph{Quote(obstacle["reason"]) + ".", Tone::kWarn, "notes", "no decision"});
    section.blocks.push_back(Paragraph{"What to check:"});
    section.blocks.push_back(List{Quotes(obstacle["check"]), "notes", "check"});
  }
  AddNotes(result["reasons"], Tone::kOpen, "descriptive", obstacle["reason"].text(), section);
  if (!obstacle.is_object()) {
    section.blocks.push_back(Paragraph{
        IsSatisfied(deciding) ? "How close it was:" : "For a GO, this would have to change:"});
    section.blocks.push_back(List{WhatWouldChange(deciding, result)});
  }
  if (result["adapter_rules"].filled()) {
    section.blocks.push_back(
        Paragraph{.text = "The adapter that would ship, trained on all clusters, in full:",
                  .name = "adapter"});
    section.blocks.push_back(List{Quotes(result["adapter_rules"]), "adapter rules"});
  }
  AddNotes(result["warnings"], Tone::kWarn, "warning", "", section);
  return section;
}

}  // namespace gonogo::report::internal
