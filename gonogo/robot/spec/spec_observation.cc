// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "gonogo/robot/spec/spec_sections.h"

namespace gonogo::robot {
namespace {

using io::TomlNode;

/// Reads "oldest_first" or "newest_first", "first" or "zero" under the names `order` and `fill`.
void ReadHistoryForm(const TomlNode& node, const char* order, const char* fill, bool& newest_first,
                     bool& zero_filled) {
  newest_first =
      node.Choice(order, "oldest_first", {"oldest_first", "newest_first"}) == "newest_first";
  zero_filled = node.Choice(fill, "first", {"first", "zero"}) == "zero";
}

/// Reads frames, order and fill: how often whole frames of these terms are kept.
FrameHistory ReadFrames(const TomlNode& node, std::span<const ObservationTerm> terms) {
  FrameHistory frames;
  frames.count = static_cast<int>(node.IntegerIn("frames", 1, 1, 1000));
  ReadHistoryForm(node, "order", "fill", frames.newest_first, frames.zero_filled);
  const bool own = std::any_of(terms.begin(), terms.end(),
                               [](const ObservationTerm& term) { return term.history > 1; });
  if (own && frames.count > 1) {
    node.Fail("frames", "terms have a history of their own; give one or the other");
  }
  return frames;
}

constexpr double kNoClip = std::numeric_limits<double>::infinity();

constexpr int kTerms = static_cast<int>(TermKind::kFootContact) + 1;

std::size_t TermWidth(const ObservationTerm& term, const RobotSpec& spec) {
  switch (term.kind) {
    case TermKind::kJointPos:
    case TermKind::kJointVel:
    case TermKind::kLastAction:
      return term.joints.empty() ? spec.joints.size() : term.joints.size();
    case TermKind::kHeightScan:
      return static_cast<std::size_t>(spec.scan.size());
    case TermKind::kGaitPhase: {
      const bool one = term.phase == PhaseValues::kSin || term.phase == PhaseValues::kCos;
      return (one ? 1 : 2) * term.phase_offsets.size();
    }
    case TermKind::kCommand:
      return spec.channels.size();
    case TermKind::kConstant:
      return term.value.size();
    case TermKind::kFootContact:
      return term.feet.size();
    default:
      return 3;
  }
}

TermKind ReadTermKind(const TomlNode& node) {
  std::vector<std::string> names;
  for (int kind = 0; kind < kTerms; ++kind) {
    names.emplace_back(TermName(static_cast<TermKind>(kind)));
  }
  const std::string name = node.Require("term").Choice("term", names.front(), names);
  return static_cast<TermKind>(std::ranges::find(names, name) - names.begin());
}

Cadence ReadCadence(const TomlNode& node, const RobotSpec& spec) {
  Cadence cadence;
  if (node.Has("frequency")) {
    cadence.frequency = ReadFrequency(node, spec);
    cadence.period_s = 1.0 / std::max(cadence.frequency->nominal, 1e-9);
    cadence.rest_below = node.NumberIn("rest_below", cadence.rest_below, 0.0, 100.0);
    return cadence;
  }
  cadence.period_s = node.Require("period").NumberIn("period", 1.0, 1e-3, 60.0);
  if (node.Has("slow_period")) {
    cadence.slow_period_s = node.NumberIn("slow_period", 1.0, cadence.period_s, 60.0);
  }
  cadence.full_speed = node.NumberIn("full_speed", cadence.full_speed, 1e-3, 100.0);
  cadence.rest_below = node.NumberIn("rest_below", cadence.rest_below, 0.0, 100.0);
  return cadence;
}

void ReadPhase(const TomlNode& node, const RobotSpec& spec, ObservationTerm& term) {
  term.cadence = ReadCadence(node, spec);
  static const std::vector<std::string> orders{"sin_cos", "cos_sin", "sin", "cos"};
  const std::string values = node.Choice("values", "sin_cos", orders);
  term.phase = static_cast<PhaseValues>(std::ranges::find(orders, values) - orders.begin());
  term.phase_offsets = node.Numbers("offsets", {0.0});
  if (term.phase_offsets.empty()) node.Fail("offsets", "expected at least one number, in turns");
}

void ReadSubset(const TomlNode& node, const RobotSpec& spec, ObservationTerm& term) {
  for (const std::string& name : node.Strings("joints", {})) {
    const auto at = std::find(spec.joints.begin(), spec.joints.end(), name);
    if (at == spec.joints.end()) {
      node.Fail("joints", fmt::format("joints.order has no \"{}\"", name));
      return;
    }
    term.joints.push_back(static_cast<int>(at - spec.joints.begin()));
  }
}

/// The frame of a site instead of the root's.
void ReadSite(const TomlNode& node, RobotSpec& spec, ObservationTerm& term) {
  if (!node.Has("site")) return;
  if (node.Has("at")) node.Fail("at", "a term is given at a point of the root or at a site");
  const std::string name = node.String("site", "");
  const auto at = std::find(spec.sites.begin(), spec.sites.end(), name);
  term.site = static_cast<int>(at - spec.sites.begin());
  if (at == spec.sites.end()) spec.sites.push_back(name);
  term.at_com = false;
}

void ReadFeet(const TomlNode& node, const RobotSpec& spec, ObservationTerm& term) {
  for (const std::string& name : node.Strings("feet", spec.feet)) {
    const auto at = std::find(spec.feet.begin(), spec.feet.end(), name);
    if (at == spec.feet.end()) {
      node.Fail("feet", fmt::format("robot.feet has no \"{}\"", name));
      return;
    }
    term.feet.push_back(static_cast<int>(at - spec.feet.begin()));
  }
  if (term.feet.empty()) node.Fail("term", "needs at least one foot in robot.feet");
  term.contact_n = node.NumberIn("threshold", term.contact_n, 0.0, 1e6);
}

/// What a kind of term has of its own.
void ReadOwnKeys(const TomlNode& node, RobotSpec& spec, ObservationTerm& term) {
  switch (term.kind) {
    case TermKind::kLastAction:
      term.smoothed = node.Bool("smoothed", false);
      if (term.smoothed && spec.action_smoothing == 0.0) {
        node.Fail("smoothed", "needs joints.action_smoothing");
      }
      return ReadSubset(node, spec, term);
    case TermKind::kJointPos:
    case TermKind::kJointVel:
      return ReadSubset(node, spec, term);
    case TermKind::kFootContact:
      return ReadFeet(node, spec, term);
    case TermKind::kBaseAngVel:
    case TermKind::kProjectedGravity:
    case TermKind::kEuler:
      return ReadSite(node, spec, term);
    case TermKind::kGaitPhase:
      return ReadPhase(node, spec, term);
    case TermKind::kConstant:
      term.value = node.Require("value").Numbers("value", {});
      if (term.value.empty()) node.Fail("value", "expected at least one number");
      return;
    case TermKind::kBaseLinVel: {
      term.at_com = !node.Has("at");
      const std::vector<double> point = node.NumbersFor("at", 3, {0.0, 0.0, 0.0});
      std::copy(point.begin(), point.end(), term.point_B.begin());
      return ReadSite(node, spec, term);
    }
    default:
      return;
  }
}

ObservationTerm ReadTerm(const TomlNode& node, RobotSpec& spec) {
  ObservationTerm term;
  term.kind = ReadTermKind(node);
  ReadOwnKeys(node, spec, term);
  const std::size_t width = TermWidth(term, spec);
  if (width == 0 && term.kind == TermKind::kHeightScan) {
    node.Fail("term", "needs [height_scan] with points");
  }
  term.scale = node.NumbersFor("scale", width, std::vector<double>(width, 1.0));
  const std::vector<double> clip = node.NumbersFor("clip", 2, {-kNoClip, kNoClip});
  term.clip_low = clip[0];
  term.clip_high = clip[1];
  if (!(clip[0] < clip[1])) node.Fail("clip", "expected [low, high] with low below high");
  term.noise = node.NumberIn("noise", 0.0, 0.0, 1e3);
  term.history = static_cast<int>(node.IntegerIn("history", 1, 1, 1000));
  ReadHistoryForm(node, "history_order", "history_fill", term.newest_first, term.zero_filled);
  return term;
}

/// The input that each [[observation]] names, in their order.
class InputNames {
 public:
  void Add(const io::TomlNode& term);
  [[nodiscard]] bool any() const { return any_; }
  [[nodiscard]] const std::vector<std::string>& all() const { return names_; }

 private:
  std::vector<std::string> names_;
  bool any_ = false;
};

/// An input while it is read: its terms are not sorted yet.
struct OpenInput {
  std::string name;
  std::vector<ObservationTerm> terms;
  FrameHistory frames;
};

OpenInput* FindInput(std::vector<OpenInput>& inputs, const std::string& name) {
  const auto at = std::find_if(inputs.begin(), inputs.end(),
                               [&](const OpenInput& input) { return input.name == name; });
  return at == inputs.end() ? nullptr : &*at;
}

std::string NamesOf(const std::vector<OpenInput>& inputs) {
  std::string names;
  for (const OpenInput& input : inputs) names += (names.empty() ? "" : ", ") + input.name;
  return names;
}

void ReadInput(const TomlNode& node, std::vector<OpenInput>& inputs) {
  const std::string name = node.Require("name").String("name", "");
  OpenInput* input = FindInput(inputs, name);
  if (node.Has("like")) {
    const OpenInput* other = FindInput(inputs, node.String("like", ""));
    if (other == nullptr || input != nullptr) {
      node.Fail("like", input != nullptr
                            ? fmt::format("[[observation]] gives {} terms of its own", name)
                            : "found no input of that name; there are " + NamesOf(inputs));
      return;
    }
    std::vector<ObservationTerm> terms = other->terms;
    inputs.push_back({name, std::move(terms), {}});
    input = &inputs.back();
  }
  if (input == nullptr) {
    node.Fail("name", fmt::format("no [[observation]] has input = \"{}\"; there are {}. An input "
                                  "with the terms of another has like = \"…\"",
                                  name, NamesOf(inputs)));
    return;
  }
  input->frames = ReadFrames(node, input->terms);
}

void InputNames::Add(const TomlNode& term) {
  names_.push_back(term.String("input", ""));
  const bool named = !names_.back().empty();
  if (names_.size() > 1 && named != any_) {
    term.Fail("input", "some terms name their input and others do not");
  }
  any_ = any_ || named;
}

/// Sorts the terms by the inputs they name and reads what [[input]] says about those.
void ReadInputs(const TomlNode& root, const InputNames& names, RobotSpec& spec) {
  std::vector<OpenInput> inputs;
  for (std::size_t i = 0; i < spec.observation.size(); ++i) {
    OpenInput* input = FindInput(inputs, names.all()[i]);
    if (input == nullptr) input = &inputs.emplace_back(OpenInput{names.all()[i], {}, {}});
    input->terms.push_back(spec.observation[i]);
  }
  if (root.Has("history")) {
    root.Fail("history", "is of an observation with one input; give frames in [[input]]");
  }
  for (const TomlNode& node : root.Tables("input")) ReadInput(node, inputs);
  spec.observation.clear();
  for (OpenInput& input : inputs) {
    spec.inputs.push_back({input.name, static_cast<int>(input.terms.size()), input.frames});
    spec.observation.insert(spec.observation.end(), input.terms.begin(), input.terms.end());
  }
}

}  // namespace

void ReadObservation(const TomlNode& root, RobotSpec& spec) {
  root.Require("observation");
  InputNames names;
  for (const TomlNode& node : root.Tables("observation")) {
    spec.observation.push_back(ReadTerm(node, spec));
    names.Add(node);
    const Cadence& cadence = spec.observation.back().cadence;
    if (cadence.follows_command() && cadence != *spec.cadence()) {
      node.Fail("term", "follows the command in another way than an earlier gait_phase term");
    }
  }
  if (names.any()) {
    ReadInputs(root, names, spec);
    return;
  }
  spec.frames = ReadFrames(root.Table("history"), spec.observation);
  if (root.Has("input")) root.Fail("input", "no [[observation]] says to which input it belongs");
}

void ReadEncoder(const TomlNode& node, RobotSpec& spec) {
  if (!node.Has("file")) {
    for (const char* key : {"inputs", "into", "place"}) {
      if (node.Has(key)) node.Require("file");
    }
    return;
  }
  EncoderSpec& encoder = spec.encoder;
  encoder.file = spec.file.parent_path() / node.String("file", "");
  encoder.inputs = node.Strings("inputs", {});
  for (const std::string& name : encoder.inputs) {
    const bool known =
        std::any_of(spec.inputs.begin(), spec.inputs.end(),
                    [&](const ObservationInput& input) { return input.name == name; });
    if (!known) {
      node.Fail("inputs", fmt::format("no [[observation]] has input = \"{}\"", name));
    }
  }
  encoder.into = node.String("into", "");
  encoder.before = node.Choice("place", "after", {"after", "before"}) == "before";
}

}  // namespace gonogo::robot
