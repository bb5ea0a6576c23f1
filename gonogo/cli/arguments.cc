// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/arguments.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <type_traits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gonogo/base/nearest.h"
#include "gonogo/cli/help_format.h"
#include "gonogo/io/csv.h"
#include "gonogo/report/text/text.h"

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

/// What is wrong with a word that should be a whole number of 0 or more; empty where nothing is.
std::string UnsignedFault(const std::string& word) {
  if (!word.starts_with('-')) return "";
  return fmt::format("found {}, expected a whole number of 0 or more", word);
}

std::string FiniteFault(const std::string& word) {
  const std::optional<double> number = io::ParseNumber(word);
  if (number.has_value() && std::isfinite(*number)) return "";
  return fmt::format("found {}, expected a finite number", word);
}

void Remark(const std::string& remark, CLI::Option& option) {
  option.description(option.get_description() + remark);
}

/// What stands for a value in the help.
template <class T>
constexpr const char* kValueWord = "TEXT";
template <>
constexpr const char* kValueWord<std::filesystem::path> = "PATH";
template <>
constexpr const char* kValueWord<std::vector<std::filesystem::path>> = "PATH";
template <>
constexpr const char* kValueWord<int> = "NUMBER";
template <>
constexpr const char* kValueWord<double> = "NUMBER";
template <>
constexpr const char* kValueWord<std::vector<double>> = "NUMBER";
template <>
constexpr const char* kValueWord<std::size_t> = "NUMBER";
template <>
constexpr const char* kValueWord<std::vector<std::size_t>> = "NUMBER";

/// Marks the heading of what only `--help-all` lists; it is taken off before help is shown.
constexpr char kRareMark = '\x01';
/// The heading of what this help does not list. (CLI11 leaves out options without a heading, but
/// then does not name them in its errors either.)
const std::string kUnlisted(1, kRareMark);

/// Shows what is marked as rare under its heading, or not at all.
template <class Listed>
void Settle(Listed& listed, bool show_all) {
  const std::string heading = listed.get_group();
  if (heading.starts_with(kRareMark)) listed.group(show_all ? heading.substr(1) : kUnlisted);
}

void SettleAll(CLI::App& app, bool show_all) {
  const auto settle_flags = [&](CLI::App& of) {
    for (CLI::Option* option : of.get_options()) Settle(*option, show_all);
  };
  settle_flags(app);
  for (CLI::App* verb : app.get_subcommands({})) {
    Settle(*verb, show_all);
    if (verb->get_group() == kUnlisted) verb->group("");
    settle_flags(*verb);
  }
}

/// Help in eighty columns, types as words.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string name = is_positional ? Upper(option->get_single_name()) : FlagName(*option);
    if (!is_positional && option->get_items_expected_max() > 0) {
      const std::string& value = option->get_option_text();
      name += " " + (value.empty() ? option->get_type_name() : value);
    }
    if (option->get_items_expected_max() > 1) name += " ...";
    std::string text = option->get_description();
    if (!is_positional && option->get_required()) text += " (required)";
    for (const CLI::Option* other : option->get_needs())
      text += " (needs " + FlagName(*other) + ")";
    if (!option->get_default_str().empty()) text += " [" + option->get_default_str() + "]";
    return HelpEntry(name, text);
  }
  std::string make_group(std::string heading, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    if (heading == kUnlisted) return "";
    return CLI::Formatter::make_group(std::move(heading), is_positional, std::move(options));
  }
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    // A group that is not listed leaves its empty line behind.
    for (std::size_t at = text.find("\n\n\n"); at != std::string::npos;
         at = text.find("\n\n\n", at)) {
      text.erase(at, 1);
    }
    return text;
  }
  std::string make_subcommand(const CLI::App* verb) const override {
    return HelpEntry(verb->get_name(), verb->get_description());
  }
  std::string make_footer(const CLI::App* app) const override {
    return FoldHelp(app->get_footer());
  }

 private:
  static std::string Upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
  }
  static std::string FlagName(const CLI::Option& option) {
    const std::vector<std::string>& names = option.get_lnames();
    std::string text = names.empty() ? option.get_name() : "--" + names.front();
    for (const std::string& letter : option.get_snames()) text = "-" + letter + ", " + text;
    return text;
  }
};

template <class T>
Argument Added(CLI::Option* option) {
  option->type_name(kValueWord<T>);
  if constexpr (std::is_same_v<T, std::size_t> || std::is_same_v<T, std::vector<std::size_t>>) {
    option->check(CLI::Validator([](std::string& word) { return UnsignedFault(word); }, ""));
  }
  return Argument(option);
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
  const std::string range = fmt::format("{} to {}", least, most);
  const auto fault = [least, most, range](std::string& word) -> std::string {
    const std::optional<double> number = io::ParseNumber(word);
    if (number && *number >= least && *number <= most) return "";
    return fmt::format("found {}, expected a number from {}", word, range);
  };
  option_->check(CLI::Validator(fault, ""));
  Remark(fmt::format(" ({})", range), *option_);
  return *this;
}

Argument& Argument::Finite() {
  option_->check(CLI::Validator([](std::string& word) { return FiniteFault(word); }, ""));
  return *this;
}

Argument& Argument::OneOf(const std::vector<std::string>& words) {
  const std::string known = report::JoinWords(words, "or");
  const auto fault = [words, known](std::string& word) -> std::string {
    if (std::find(words.begin(), words.end(), word) != words.end()) return "";
    return fmt::format("found {}, expected {}{}", word, known, DidYouMean(word, words));
  };
  option_->check(CLI::Validator(fault, ""));
  if (option_->get_description().find(words.front()) == std::string::npos) {
    Remark(": " + known, *option_);
  }
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

Argument& Argument::Rare() {
  option_->group(kRareMark + option_->get_group());
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
  return Added<T>(verb_->add_option(name, value, help));
}

template <class T>
Argument Arguments::Option(const std::string& name, T& value, const std::string& help) {
  return Added<T>(verb_->add_option(name, value, help));
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

void Arguments::Alias(const std::string& name) { verb_->alias(name); }

void Arguments::List(const std::string& heading, bool everyday) {
  verb_->group(everyday ? heading : kRareMark + heading);
}

bool Arguments::called() const { return verb_->parsed(); }

CommandLine::CommandLine(const std::string& purpose, const std::string& version)
    : app_(std::make_unique<CLI::App>(purpose, "gonogo")) {
  const auto formatter = std::make_shared<HelpFormatter>();
  formatter->label("SUBCOMMAND", "VERB");
  formatter->label("Subcommands", "Verbs");
  formatter->label("Positionals", "Arguments");
  app_->formatter(formatter);
  app_->require_subcommand(1);
  app_->set_version_flag("--version", version);
  app_->footer(
      std::string("'gonogo VERB --help' shows the flags of a verb and examples. '--help-all', with "
                  "or without a verb, also shows what few people need.\n\n") +
      kExitCodeHelp);
}

CommandLine::~CommandLine() = default;

Arguments CommandLine::AddVerb(const std::string& name, const std::string& purpose,
                               const std::string& examples) {
  CLI::App* verb = app_->add_subcommand(name, purpose);
  if (!examples.empty()) verb->footer(examples + "\n" + kExitCodeHelp);
  return Arguments(verb);
}

void CommandLine::Refuse(const std::string& verb, const std::string& sentence) {
  refused_[verb] = sentence;
}

std::optional<Reply> CommandLine::Parse(const std::vector<std::string>& words) {
  const bool show_all = std::find(words.begin(), words.end(), "--help-all") != words.end();
  SettleAll(*app_, show_all);
  if (words.empty()) return Reply{.text = app_->help(), .code = kExitUsage};
  if (const auto refused = refused_.find(words.front()); refused != refused_.end()) {
    return Reply{.text = "gonogo: " + refused->second + "\n", .is_error = true, .code = kExitUsage};
  }
  try {
    std::vector<std::string> rest(words.rbegin(), words.rend());  // CLI11 wants the last first
    std::replace(rest.begin(), rest.end(), std::string("--help-all"), std::string("--help"));
    app_->parse(std::move(rest));
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
    if (candidate->check_name(verb)) return candidate;
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
