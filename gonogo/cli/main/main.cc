// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "gonogo/base/nearest.h"
#include "gonogo/base/text.h"
#include "gonogo/cli/terminal/interrupt.h"
#include "gonogo/cli/verb.h"

namespace gonogo::cli {
namespace {

constexpr const char* kPurpose =
    "gonogo: is a learned command adapter worth it? Answers GO, NO-GO or ABSTAIN.";

void AddCommonFlags(CLI::App& verb, CommonOptions& options) {
  static const std::map<std::string, ColorMode> kModes = {
      {"auto", ColorMode::kAuto}, {"always", ColorMode::kAlways}, {"never", ColorMode::kNever}};
  verb.add_option("--jobs", options.jobs, "Threads; 0 = all cores. Never changes the result")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str()
      ->group("Common");
  verb.add_flag("--json", options.json, "Print one JSON object instead of tables")->group("Common");
  verb.add_flag("--quiet", options.quiet, "No progress and no remarks")->group("Common");
  verb.add_option_function<std::string>(
          "--color", [&](const std::string& mode) { options.color = kModes.at(mode); },
          "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->option_text("MODE")
      ->group("Common");
}

const CLI::App* FindVerb(const CLI::App& app, const std::string& name) {
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == name) return verb;
  }
  return nullptr;
}

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

/// CLI11 says that an argument is unexpected; we also say which one was probably meant.
std::string Suggestion(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) return "";
  const CLI::App* verb = FindVerb(app, argv[1]);
  if (verb == nullptr) return DidYouMean(argv[1], VerbNames(app));
  const std::vector<std::string> known = FlagNames(*verb);
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    const std::string flag = word.substr(0, word.find('='));
    if (!flag.starts_with("--")) continue;
    if (std::find(known.begin(), known.end(), flag) == known.end()) return DidYouMean(flag, known);
  }
  return "";
}

int Main(int argc, char** argv) {
  // Arguments, names of files above all, end up in JSON.
  for (int i = 1; i < argc; ++i) {
    if (IsText(argv[i])) continue;
    fmt::print(stderr, "gonogo: argument '{}' is not UTF-8 text\n", Excerpt(argv[i]));
    return kExitUsage;
  }
  CLI::App app(kPurpose, "gonogo");
  app.require_subcommand(1);
  app.set_version_flag("--version", "see 'gonogo version'");
  app.footer(std::string("'gonogo VERB --help' shows a verb's flags and examples.\n") +
             kExitCodeHelp);
  CommonOptions options;
  std::vector<std::pair<CLI::App*, std::unique_ptr<Verb>>> verbs;
  for (std::unique_ptr<Verb>& verb : AllVerbs()) {
    CLI::App* declared = verb->Declare(app);
    AddCommonFlags(*declared, options);
    verbs.emplace_back(declared, std::move(verb));
  }
  if (argc == 1) {
    fmt::print("{}", app.help());
    return kExitUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    const CLI::App* verb = FindVerb(app, argv[1]);
    if (verb != nullptr && argc == 2) {  // a verb alone asks how it is used
      fmt::print(stderr, "{}", verb->help("gonogo"));
      return kExitUsage;
    }
    const bool unknown = argv[1][0] != '-' && verb == nullptr;
    fmt::print(stderr, "gonogo: {}{}\nTry 'gonogo {}--help'.\n",
               unknown ? fmt::format("unknown verb '{}'", argv[1]) : error.what(),
               Suggestion(app, argc, argv), verb == nullptr ? "" : verb->get_name() + " ");
    return kExitUsage;
  }
  const Context context = {options, Terminal(options.color, options.quiet),
                           InstallInterruptHandler()};
  for (const auto& [declared, verb] : verbs) {
    if (!declared->parsed()) continue;
    const Result<ExitCode> result = verb->Run(context);
    if (result.ok()) {
      if (std::ferror(stdout) == 0) return result.value();
      fmt::print(stderr, "gonogo: standard output: cannot write\n");
      return kExitIo;
    }
    fmt::print(stderr, "gonogo: {}\n", result.error().message);
    return ExitCodeOf(result.error().kind);
  }
  return kExitUsage;
}

}  // namespace
}  // namespace gonogo::cli

int main(int argc, char** argv) {
  // A failed check has said what it found.
  std::signal(SIGABRT, [](int) { std::_Exit(gonogo::cli::kExitBug); });
  try {
    return gonogo::cli::Main(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "gonogo: not enough memory\n");
    return gonogo::cli::kExitIo;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gonogo bug: %s\n", error.what());
    return gonogo::cli::kExitBug;
  }
}
