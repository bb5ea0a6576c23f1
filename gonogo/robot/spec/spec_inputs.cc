// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/spec/spec_inputs.h"

#include <algorithm>

#include "gonogo/robot/spec/spec_observation.h"

namespace gonogo::robot {
namespace {

using io::TomlNode;

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

}  // namespace

void InputNames::Add(const TomlNode& term) {
  names_.push_back(term.String("input", ""));
  const bool named = !names_.back().empty();
  if (names_.size() > 1 && named != any_) {
    term.Fail("input", "some terms name their input and others do not");
  }
  any_ = any_ || named;
}

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
