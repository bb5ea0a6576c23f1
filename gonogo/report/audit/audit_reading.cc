// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/audit_reading.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gonogo/report/audit/estimand.h"
#include "gonogo/report/audit/story.h"
#include "gonogo/report/text/number_text.h"
#include "gonogo/report/text/words.h"

namespace gonogo::report::internal {
namespace {

std::string LowerTitle(const Channel& channel) {
  std::string title = DescribeEstimand(channel.key).title;
  if (title != channel.key) title[0] = static_cast<char>(std::tolower(title[0]));
  return title;
}

std::vector<std::string> TitlesIn(const Rule& rule, ChannelState state) {
  std::vector<std::string> titles;
  for (const Channel& channel : rule.channels) {
    if (channel.state == state) titles.push_back("the " + LowerTitle(channel));
  }
  return titles;
}

std::string Headline(const Json& result, const Rule& rule) {
  const std::string decision = TextAt(result, "decision");
  if (decision == "GO") {
    return "Worth building: the adapter saves cost beyond any fixed action, saves it by choosing "
           "where to act, and stays within the violation limit.";
  }
  const std::vector<std::string> failed = TitlesIn(rule, ChannelState::kRefuted);
  const std::vector<std::string> open = TitlesIn(rule, ChannelState::kUnresolved);
  if (decision == "NO-GO") {
    return "Not worth building under this protocol: even the favourable end of the interval misses "
           "the threshold for " +
           JoinWords(failed) + ".";
  }
  if (decision == "ABSTAIN") {
    return "The data do not settle it: the threshold lies inside the interval of " +
           JoinWords(open) + ".";
  }
  if (const Json& obstacle = At(result, "no_decision"); obstacle.is_object()) {
    return "No decision can rest on this table: " + TextAt(obstacle, "reason") + ".";
  }
  const std::string reading = TextAt(result, "reading");
  return "No formal decision: the result describes the data, because it rests on no declaration "
         "that came before them or does not keep to it." +
         (reading.empty() ? "" : " The intervals by themselves would read " + reading + ".");
}

std::string StatusLine(const Json& result, const Rule& rule) {
  const std::string status = TextAt(result, "status");
  std::string line = status == "confirmatory" ? "Confirmatory" : "Descriptive";
  const Json& folds = At(result, "folds");
  if (folds.is_array() && !folds.empty()) {
    std::size_t queries = 0;
    for (const Json& fold : folds) queries += CountAt(fold, "queries").value_or(0);
    line += fmt::format(" · {}, {}", Counted(folds.size(), "cluster"),
                        Counted(queries, "query", "queries"));
  }
  const Json& refits = At(At(result, "replicates"), "H_dep");
  if (refits.is_array()) line += fmt::format(" · {} refits", refits.size());
  if (IsChoices(result)) {
    line += " · given choices";
  } else if (const std::string learner = TextAt(result, "source"); !learner.empty()) {
    line += " · " + learner + " learner";
  }
  if (!rule.name.empty()) line += " · " + rule.name + " rule";
  if (At(result, "complete") == Json(false)) line += " · incomplete run";
  return line;
}

/// How far the deciding bound is from the GO side; negative when it is there.
double Gap(const Channel& channel) {
  const double bound = channel.satisfying_bound().value_or(NAN);
  return channel.above ? channel.threshold - bound : bound - channel.threshold;
}

bool PointIsOnGoSide(const Channel& channel) {
  if (!channel.point) return false;
  return channel.above ? *channel.point > channel.threshold : *channel.point <= channel.threshold;
}

/// Fewer clusters than this decide nothing.
double LeastClusters(const Json& result) {
  return NumberAt(At(result, "protocol"), "min_clusters").value_or(0.0);
}

/// The resolution diagnostic is about the paper's intervals: it says something of a channel only
/// where it asks for more clusters too.
std::string MoreClusters(const Channel& channel, const Rule& rule, const Json& result) {
  const Json& resolution = At(result, "resolution");
  if (!resolution.is_array()) return "";
  const auto there = static_cast<double>(At(result, "folds").size());
  for (const Json& item : resolution) {
    const std::optional<double> clusters = NumberAt(item, "clusters");
    if (TextAt(item, "channel") != channel.key || !clusters) continue;
    if (*clusters <= std::max(there, LeastClusters(result))) return "";
    return fmt::format(
        " {} {:.0f} clusters would give it an even chance (there are {}).",
        !rule.name.empty() && rule.name != "paper" ? "By the paper's intervals about" : "About",
        *clusters, there);
  }
  return "";
}

std::string Missing(const Channel& channel, const Rule& rule, const Json& result) {
  const std::string title = DescribeEstimand(channel.key).title;
  if (!channel.satisfying_bound()) return title + ": there is no interval to judge.";
  if (Gap(channel) < 0.0) {
    return fmt::format(
        "{}: the {} bound of {} is on the right side of {}, but the rule does not "
        "rely on it.",
        title, channel.above ? "lower" : "upper", Percent(channel.satisfying_bound()),
        Percent(channel.threshold));
  }
  std::string text =
      fmt::format("{}: the {} bound is {} and has to {} {}; {} are missing.", title,
                  channel.above ? "lower" : "upper", Percent(channel.satisfying_bound()),
                  channel.above ? "rise above" : "fall to or below", Percent(channel.threshold),
                  Points(Gap(channel)));
  if (PointIsOnGoSide(channel)) {
    return text +
           fmt::format(
               " The estimate of {} is on the right side already, so a narrower interval "
               "could settle it.",
               Percent(channel.point)) +
           MoreClusters(channel, rule, result);
  }
  if (!channel.point) return text;
  return text + fmt::format(
                    " The estimate itself is {}: if that is the truth, more clusters of the same "
                    "kind will not help, only {}.",
                    Percent(channel.point),
                    channel.above ? "better features or better actions"
                                  : "a more careful adapter or safer actions");
}

}  // namespace

Banner VerdictBanner(const Json& result, const Rule& rule) {
  const std::string decision = TextAt(result, "decision");
  Cell word = DecisionBadge(decision);
  if (decision.empty() && !At(result, "no_decision").is_object()) word.text = "Descriptive";
  return {.word = word, .headline = Headline(result, rule), .status = StatusLine(result, rule)};
}

std::string WhatEligibleMeans(const Json& result) {
  const Json& table = At(result, "table");
  if (At(result, "log").is_object()) return "";  // its words say it
  if (At(table, "eligible_given") == Json(true))
    return "Which actions break a constraint was given with the table.";
  const bool timeless = At(table, "time") == Json(false);
  const bool successless = At(table, "success") == Json(false);
  if (timeless && successless) {
    return "Neither time nor success was recorded: no action breaks a constraint anywhere.";
  }
  if (timeless) return "No time was recorded: only a lost success breaks a constraint.";
  if (successless) return "No success was recorded: only taking too long breaks a constraint.";
  return "";
}

std::string WhoseEstimates(const Json& result, const std::vector<Rule>& rules) {
  const std::string kind = TextAt(result, "intervals");
  std::string text =
      kind == "choices" ? "The choices are taken as they are; the intervals resample clusters."
      : kind == "folds"
          ? "Every cluster is judged by an adapter trained on the others; the intervals resample "
            "these fitted folds and leave the uncertainty of the learner out."
          : "Every cluster is judged by an adapter trained on the others; the intervals come from "
            "refits on resampled clusters.";
  if (rules.size() > 1) {
    text += fmt::format(
        " These are the paper's estimates; those of the {} rule stand under “The conditions of a "
        "GO”.",
        rules[0].name == "paper" ? rules[1].name : rules[0].name);
  }
  return text;
}

std::string ReadChannel(const Channel& channel) {
  std::vector<std::string> sentences{channel.question, DescribeEstimand(channel.key).meaning,
                                     "There is no interval."};
  if (channel.lower && channel.upper) {
    sentences.back() = fmt::format("Estimated at {}, between {} and {}.", Percent(channel.point),
                                   Percent(channel.lower), Percent(channel.upper));
  }
  std::string text;
  for (const std::string& sentence : sentences) {
    if (!sentence.empty()) text += (text.empty() ? "" : " ") + sentence;
  }
  return text;
}

std::vector<std::string> WhatWouldChange(const Rule& rule, const Json& result) {
  if (const Json& obstacle = At(result, "no_decision"); obstacle.is_object()) {
    return Texts(At(obstacle, "check"));
  }
  std::vector<std::string> items;
  const Channel* closest = nullptr;
  for (const Channel& channel : rule.channels) {
    if (channel.state == ChannelState::kNotRead) {
      items = {"Nothing was decided: there are fewer clusters than declared."};
      break;
    }
    if (channel.state != ChannelState::kSatisfied) {
      items.push_back(Missing(channel, rule, result));
    } else if (closest == nullptr || Gap(channel) > Gap(*closest)) {
      closest = &channel;
    }
  }
  if (items.empty() && closest != nullptr) {
    items.push_back(fmt::format(
        "Every threshold is met. The closest one is {}, whose {} bound of {} is {} on the "
        "right side of {}.",
        "the " + LowerTitle(*closest), closest->above ? "lower" : "upper",
        Percent(closest->satisfying_bound()), Points(-Gap(*closest)), Percent(closest->threshold)));
  }
  if (TextAt(result, "status") == "descriptive") {
    items.insert(items.begin(),
                 "Status: the result is descriptive, as said above; only a confirmatory one "
                 "decides.");
  }
  return items;
}

std::string Disagreement(const std::vector<Rule>& rules) {
  std::string out;
  for (const Rule& rule : rules) {
    if (rule.decision == rules[0].decision) continue;
    out += fmt::format("The rules disagree: {} says {}, {} says {}. ", rules[0].name,
                       DecisionBadge(rules[0].decision).text, rule.name,
                       DecisionBadge(rule.decision).text);
  }
  if (!out.empty()) out += "Treat the verdict as fragile and look at the intervals.";
  return out;
}

}  // namespace gonogo::report::internal
