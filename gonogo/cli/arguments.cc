// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/arguments.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gonogo/base/nearest.h"

namespace gonogo::cli {
namespace {

std::vector<std::string> VerbNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> FlagNames(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

Argument& Argument::Required() {
  option_->required();
  return *this;
}

Argument& Argument::ShowDefault() {
  option_->capture_default_str();
  return *this;
}

Argument& Argument::Between(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Argument& Argument::OneOf(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words));
  return *this;
}

Argument& Argument::Commas() {
  option_->delimiter(',');
  return *this;
}

Argument& Argument::Exactly(int values) {
  option_->expected(values);
  return *this;
}

Argument& Argument::Group(const std::string& heading) {
  option_->group(heading);
  return *this;
}

Argument& Argument::Value(const std::string& name) {
  option_->option_text(name);
  return *this;
}

Argument& Argument::Needs(const Argument& other) {
  option_->needs(other.option_);
  return *this;
}

Argument& Argument::Excludes(const Argument& other) {
  option_->excludes(other.option_);
  return *this;
}

bool Argument::given() const { return option_->count() > 0; }

template <class T>
Argument Arguments::Positional(const std::string& name, T& value, const std::string& help) {
  return Argument(verb_->add_option(name, value, help));
}

template <class T>
Argument Arguments::Option(const std::string& name, T& value, const std::string& help) {
  return Argument(verb_->add_option(name, value, help));
}

#define GONOGO_ARGUMENT_TYPE(T)                                                        \
  template Argument Arguments::Positional(const std::string&, T&, const std::string&); \
  template Argument Arguments::Option(const std::string&, T&, const std::string&)
GONOGO_ARGUMENT_TYPE(int);
GONOGO_ARGUMENT_TYPE(double);
GONOGO_ARGUMENT_TYPE(std::size_t);
GONOGO_ARGUMENT_TYPE(std::string);
GONOGO_ARGUMENT_TYPE(std::filesystem::path);
GONOGO_ARGUMENT_TYPE(std::vector<double>);
GONOGO_ARGUMENT_TYPE(std::vector<std::size_t>);
GONOGO_ARGUMENT_TYPE(std::vector<std::string>);
GONOGO_ARGUMENT_TYPE(std::vector<std::filesystem::path>);
#undef GONOGO_ARGUMENT_TYPE

Argument Arguments::Flag(const std::string& name, bool& value, const std::string& help) {
  return Argument(verb_->add_flag(name, value, help));
}

Argument Arguments::OffFlag(const std::string& name, bool& value, const std::string& help) {
  return Argument(verb_->add_flag("!" + name, value, help));
}

bool Arguments::called() const { return verb_->parsed(); }

CommandLine::CommandLine(const std::string& purpose)
    : app_(std::make_unique<CLI::App>(purpose, "gonogo")) {
  app_->require_subcommand(1);
  app_->set_version_flag("--version", "see 'gonogo version'");
  app_->footer(std::string("'gonogo VERB --help' shows a verb's flags and examples.\n") +
               kExitCodeHelp);
}

CommandLine::~CommandLine() = default;

Arguments CommandLine::AddVerb(const std::string& name, const std::string& purpose,
                               const std::string& examples) {
  CLI::App* verb = app_->add_subcommand(name, purpose);
  if (!examples.empty()) verb->footer(examples + kExitCodeHelp);
  return Arguments(verb);
}

std::optional<Reply> CommandLine::Parse(const std::vector<std::string>& words) {
  if (words.empty()) return Reply{.text = app_->help(), .code = kExitUsage};
  try {
    app_->parse(
        std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 wants the last first
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return Refusal(words, error.what());
    std::ostringstream text;  // it was asked for help or for the version
    app_->exit(error, text, text);
    return Reply{.text = text.str()};
  }
  return std::nullopt;
}

Reply CommandLine::Refusal(const std::vector<std::string>& words, const std::string& reason) const {
  const std::string& first = words.front();
  const CLI::App* verb = Find(first);
  if (verb != nullptr && words.size() == 1) {  // a verb alone asks how it is used
    return {.text = verb->help("gonogo"), .is_error = true, .code = kExitUsage};
  }
  const bool unknown = verb == nullptr && !first.starts_with('-');
  return {.text = fmt::format("gonogo: {}{}\nTry 'gonogo {}--help'.\n",
                              unknown ? fmt::format("unknown verb '{}'", first) : reason,
                              Suggestion(words), verb == nullptr ? "" : first + " "),
          .is_error = true,
          .code = kExitUsage};
}

const CLI::App* CommandLine::Find(const std::string& verb) const {
  const CLI::App& app = *app_;
  for (const CLI::App* candidate : app.get_subcommands({})) {
    if (candidate->get_name() == verb) return candidate;
  }
  return nullptr;
}

std::string CommandLine::Suggestion(const std::vector<std::string>& words) const {
  const CLI::App* verb = Find(words.front());
  if (verb == nullptr) return DidYouMean(words.front(), VerbNames(*app_));
  const std::vector<std::string> known = FlagNames(*verb);
  for (const std::string& word : words) {
    const std::string flag = word.substr(0, word.find('='));
    if (!flag.starts_with("--")) continue;
    if (std::find(known.begin(), known.end(), flag) == known.end()) return DidYouMean(flag, known);
  }
  return "";
}

}  // namespace gonogo::cli
