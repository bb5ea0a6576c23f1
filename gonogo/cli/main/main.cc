// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gonogo/base/processor.h"
#include "gonogo/base/text.h"
#include "gonogo/cli/arguments.h"
#include "gonogo/cli/run/ranks.h"
#include "gonogo/cli/terminal/exit_code.h"
#include "gonogo/cli/verb.h"

#if defined(__ELF__)
namespace {
// Before the initialisers of the libraries that we are linked with: MuJoCo's would end on a
// processor that lacks what it needs.
[[gnu::used,
  gnu::section(".preinit_array")]] void (*const kBeforeLibraries)() = &gonogo::RequireProcessor;
}  // namespace
#endif

namespace gonogo::cli {
namespace {

constexpr const char* kPurpose =
    "gonogo: is a learned adapter, which chooses between actions, worth it?\n"
    "Answers GO, NO-GO or ABSTAIN from outcomes of every action at the same states.";

/// The flags that every verb takes; `color` receives the word after --color.
void AddCommonFlags(Arguments verb, CommonOptions& options, std::string& color) {
  verb.Option("--jobs", options.jobs,
              "Threads to use; 0 means all cores. It never changes the result")
      .Between(0, 1024)
      .ShowDefault()
      .Group("Common");
  verb.Flag("--json", options.json, "Print one JSON object instead of tables").Group("Common");
  verb.Flag("--quiet", options.quiet, "Say nothing but the result").Group("Common");
  verb.Option("--color", color, "Whether to colour the output: auto, always or never")
      .OneOf({"auto", "always", "never"})
      .Value("MODE")
      .Group("Common")
      .Rare();
}

ColorMode ColorModeOf(const std::string& word) {
  if (word == "always") return ColorMode::kAlways;
  return word == "never" ? ColorMode::kNever : ColorMode::kAuto;
}

Error OutputError() { return IoError("standard output: cannot write"); }

int RunVerb(Verb& verb, Context& context) {
  Result<Ranks> ranks = Ranks::Join(verb, context);
  if (!ranks.ok()) return SayError(ranks.error());
  Result<ExitCode> result = verb.Run(context);
  if (result.ok() && std::ferror(stdout) != 0) result = OutputError();
  return ranks.value().End(result);
}

int Main(int argc, char** argv) {
  // Arguments, names of files above all, end up in JSON.
  for (int i = 1; i < argc; ++i) {
    if (IsText(argv[i])) continue;
    Speak(fmt::format("gonogo: argument '{}' is not UTF-8 text\n", Excerpt(argv[i])));
    return kExitUsage;
  }
  CommandLine program(kPurpose, VersionLine());
  CommonOptions options;
  std::string color;
  VerbList list = AllVerbs();
  std::vector<std::pair<Arguments, std::unique_ptr<Verb>>> verbs;
  for (ListedVerb& listed : list.verbs) {
    Arguments declared = listed.verb->Declare(program);
    declared.List(listed.heading, listed.everyday);
    AddCommonFlags(declared, options, color);
    verbs.emplace_back(declared, std::move(listed.verb));
  }
  for (const MissingVerb& verb : list.missing) program.Refuse(verb.name, verb.reason);
  if (const std::optional<Reply> reply = program.Parse({argv + 1, argv + argc})) {
    if (reply->is_error) {
      Speak(reply->text);
      return reply->code;
    }
    const Terminal terminal(ColorMode::kNever, /*quiet=*/false);
    terminal.Print(reply->text);
    return std::ferror(stdout) != 0 ? SayError(OutputError()) : reply->code;
  }
  options.color = ColorModeOf(color);
  Context context = {options, Terminal(options.color, options.quiet), InstallInterruptHandler()};
  for (const auto& [declared, verb] : verbs) {
    if (declared.called()) return RunVerb(*verb, context);
  }
  return kExitUsage;
}

}  // namespace
}  // namespace gonogo::cli

int main(int argc, char** argv) {
  // A failed check has said what it found.
  std::signal(SIGABRT, [](int) { std::_Exit(gonogo::cli::kExitBug); });
  // Files that may not grow any more make writing fail, instead of ending the program without a
  // word.
  std::signal(SIGXFSZ, SIG_IGN);
  gonogo::cli::InstallCutFileHandler();
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
