// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gonogo/cli/terminal/exit_code.h"

// CLI11 takes nine seconds of every source that includes it: only arguments.cc does.
namespace CLI {  // NOLINT(readability-identifier-naming): CLI11 is called so
class App;
class Option;
}  // namespace CLI

namespace gonogo::cli {

/// One declared argument. Every call returns it again, so that what is said about it reads as a
/// sentence: `verb.Option("--seeds", seeds_, "Bootstrap seeds").Between(1, 100).ShowDefault()`.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}

  Argument& Required();
  /// The help shows the value that the variable holds now.
  Argument& ShowDefault();
  /// Refuses numbers outside of [least, most].
  Argument& Between(int least, int most);
  /// Refuses what is no number, and those that are not finite.
  Argument& Finite();
  /// Refuses other words.
  Argument& OneOf(const std::vector<std::string>& words);
  /// Several values may be written as one word, with commas.
  Argument& Commas();
  Argument& Exactly(int values);
  /// The heading under which the help lists it.
  Argument& Group(const std::string& heading);
  /// Only `--help-all` lists it: few people need it.
  Argument& Rare();
  /// What the help shows as its value, such as MODE.
  Argument& Value(const std::string& name);
  Argument& Needs(const Argument& other);
  Argument& Excludes(const Argument& other);

  /// The user wrote it; to be asked after parsing.
  [[nodiscard]] bool given() const;

 private:
  CLI::Option* option_;
};

/// The arguments of one verb. Variables given here are written to by CommandLine::Parse and must
/// live until then.
class Arguments {
 public:
  explicit Arguments(CLI::App* verb) : verb_(verb) {}

  /// A value known by its place. `T`: int, double, std::size_t, std::string, std::filesystem::path,
  /// or a vector of one of these but int. A std::size_t refuses a sign instead of wrapping around.
  template <class T>
  Argument Positional(const std::string& name, T& value, const std::string& help);
  /// `name` begins with "--"; types as above.
  template <class T>
  Argument Option(const std::string& name, T& value, const std::string& help);
  /// Sets `value` to true.
  Argument Flag(const std::string& name, bool& value, const std::string& help);
  /// Sets `value` to false.
  Argument OffFlag(const std::string& name, bool& value, const std::string& help);

  /// Another name of the verb, which no help lists.
  void Alias(const std::string& name);
  /// The heading under which the help lists the verb; where it is not for every day, only
  /// `--help-all` does.
  void List(const std::string& heading, bool everyday);

  /// The user called this verb; to be asked after parsing.
  [[nodiscard]] bool called() const;

 private:
  CLI::App* verb_;
};

/// What a program says instead of running a verb, because it was asked for help or was not
/// understood.
struct Reply {
  std::string text;
  bool is_error = false;  ///< belongs on stderr
  ExitCode code = kExitDone;
};

/// The words after `gonogo`.
class CommandLine {
 public:
  /// `version` is what `--version` prints.
  explicit CommandLine(const std::string& purpose, const std::string& version = "");
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// `examples` stand below the flags in the help, before the exit codes.
  Arguments AddVerb(const std::string& name, const std::string& purpose,
                    const std::string& examples = "");

  /// Refuses the verb of that name with this sentence: it is not in this build.
  void Refuse(const std::string& verb, const std::string& sentence);

  /// Writes into the declared variables. Nothing means: run the verb that was called.
  [[nodiscard]] std::optional<Reply> Parse(const std::vector<std::string>& words);

 private:
  [[nodiscard]] const CLI::App* Find(const std::string& verb) const;
  /// Which verb or flag was probably meant.
  [[nodiscard]] std::string Suggestion(const std::vector<std::string>& words) const;
  [[nodiscard]] Reply Refusal(const std::vector<std::string>& words,
                              const std::string& reason) const;

  std::unique_ptr<CLI::App> app_;
  std::map<std::string, std::string> refused_;  ///< what is said when a verb is called
};

}  // namespace gonogo::cli
