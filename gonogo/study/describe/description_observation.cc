// SPDX-License-Identifier: Apache-2.0
// The observation of a first description, and where its numbers come from.
#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include "gonogo/study/describe/description_writer.h"

namespace gonogo::study {
namespace {

using robot::TermKind;

std::string Scaled(const std::vector<double>& numbers) {
  const bool same = std::all_of(numbers.begin(), numbers.end(),
                                [&](double number) { return number == numbers.front(); });
  if (same) return fmt::format("{}", numbers.front());
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

int SizeOfTerm(const TermFact& term, int joints) {
  const bool per_joint = term.kind == TermKind::kJointPos || term.kind == TermKind::kJointVel ||
                         term.kind == TermKind::kLastAction;
  const int all = term.joints.empty() ? joints : static_cast<int>(term.joints.size());
  const int width = per_joint                            ? all
                    : term.kind == TermKind::kGaitPhase  ? 2
                    : term.kind == TermKind::kHeightScan ? 17 * 11
                                                         : 3;
  return width * term.history;
}

}  // namespace

void DescriptionWriter::Observation() {
  const int size = static_cast<int>(policy_.inputs().front().size);
  const int joints = ActionCount();
  std::vector<TermFact> terms;
  std::string source;
  bool sure = false;
  int total = 0;
  if (facts_.terms) {
    terms = facts_.terms->value;
    for (const TermFact& term : terms) total += SizeOfTerm(term, joints);
    source = "Terms are " + facts_.terms->source + ".";
    sure = facts_.terms->sure;
  }
  robot::FrameHistory frames;
  if (facts_.frames) frames = facts_.frames->value;
  const bool fits = !terms.empty() && total * frames.count == size;
  const bool multiple =
      !terms.empty() && frames.count == 1 && total > 0 && size > total && size % total == 0;
  const bool keep = !terms.empty() && (sure || fits || multiple);
  if (!keep) {
    const ObservationGuess guess = GuessObservation(size, joints);
    terms.clear();
    for (const TermKind kind : guess.terms) terms.push_back({.kind = kind, .history = 1});
    for (TermFact& term : terms) term.history = guess.history;
    total = size - guess.missing;
    source =
        "CHECK The order and scales of the terms are a guess from that; MuJoCo Playground has the "
        "command last.";
    frames = {};
  }
  Line("");
  Remark("The policy takes {} numbers. {}{}", size, keep && !sure ? "CHECK " : "", source);
  const bool open = keep && !fits && multiple;  // its history is said by no file
  const int given = total * frames.count;
  if (!open && given != size) {
    Remark("CHECK These terms give {}: {} numbers are not explained.", given, size - given);
  }
  const bool scan = std::any_of(terms.begin(), terms.end(), [](const TermFact& term) {
    return term.kind == TermKind::kHeightScan;
  });
  if (scan) Line("[height_scan]\npoints = [17, 11]  # CHECK");
  for (TermFact& term : terms) {
    const auto scale = facts_.scales.find(term.kind);
    if (term.scale.empty() && scale != facts_.scales.end()) {
      term.scale = scale->second.value;
      term.source = scale->second.source;
    }
    if (open) term.history = size / total;
    Term(term, !open);
  }
  OtherInputs();
  if (frames.count > 1) {
    Line("[history]\nframes = {}  # {}", frames.count, facts_.frames->source);
    if (frames.newest_first) Line("order = \"newest_first\"  # {}", facts_.frames->source);
    if (frames.zero_filled) Line("fill = \"zero\"  # CHECK {} (its code)", facts_.dialect);
  } else if (open || (!keep && terms.front().history > 1)) {
    Remark("CHECK Some policies keep whole frames instead: [history] with frames = {}.",
           terms.front().history);
  }
}

void DescriptionWriter::Term(const TermFact& term, bool sure) {
  Line("[[observation]]\nterm = \"{}\"", robot::TermName(term.kind));
  if (HasSeveralInputs()) Line("input = \"{}\"", policy_.inputs().front().name);
  const bool plain =
      std::all_of(term.scale.begin(), term.scale.end(), [](double scale) { return scale == 1.0; });
  if (!plain) Line("scale = {}  # {}", Scaled(term.scale), term.source);
  if (term.clip.size() == 2) {
    Line("clip = [{}, {}]  # {}", term.clip[0], term.clip[1], term.source);
  } else if (term.kind == TermKind::kHeightScan) {
    Line("clip = [-1, 1]  # CHECK");
  }
  if (term.kind == TermKind::kGaitPhase) {
    if (term.period_s && *term.period_s > 0.0) {
      Line("period = {:.6g}  # {}", *term.period_s,
           term.source.empty() ? "s, of its params" : term.source);
    } else {
      Line("period = 0.8  # CHECK s of one stride");
    }
    if (term.cos_first) Line("values = \"cos_sin\"  # CHECK {} (its code)", facts_.dialect);
  }
  if (!term.joints.empty()) {
    std::string names;
    for (const std::string& joint : term.joints) {
      names += (names.empty() ? "\"" : ", \"") + joint + "\"";
    }
    Line("joints = [{}]", names);
  }
  if (term.history > 1) Line("history = {}{}", term.history, sure ? "" : "  # CHECK by its size");
  if (term.newest_first) Line("history_order = \"newest_first\"");
}

/// Whether the policy takes several observations; otherwise further inputs are recurrent state.
bool DescriptionWriter::HasSeveralInputs() const {
  const auto& in = policy_.inputs();
  const auto& out = policy_.outputs();
  if (in.size() != out.size()) return in.size() > 1;
  for (std::size_t i = 1; i < in.size(); ++i) {
    if (in[i].size != out[i].size) return true;
  }
  return false;
}

void DescriptionWriter::OtherInputs() {
  if (!HasSeveralInputs()) return;
  const nn::OnnxPort& first = policy_.inputs().front();
  for (std::size_t i = 1; i < policy_.inputs().size(); ++i) {
    const nn::OnnxPort& other = policy_.inputs()[i];
    if (other.size % first.size != 0) {
      Remark(
          "CHECK The policy also takes \"{}\" of {} numbers: give its [[observation]] terms, "
          "each with",
          other.name, other.size);
      Remark("input = \"{}\".", other.name);
      continue;
    }
    Remark("CHECK The policy also takes \"{}\" of {} numbers, {} times as many as \"{}\":",
           other.name, other.size, other.size / first.size, first.name);
    Remark("probably its frames, now and before.");
    Line("[[input]]\nname = \"{}\"\nlike = \"{}\"\nframes = {}", other.name, first.name,
         other.size / first.size);
    Line("order = \"oldest_first\"  # CHECK or newest_first");
    Line("fill = \"first\"  # CHECK or zero");
  }
}

}  // namespace gonogo::study
