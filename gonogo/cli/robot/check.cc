// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/check.h"

#include "gonogo/cli/robot/check_report.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/file.h"
#include "gonogo/study/check/check_json.h"
#include "gonogo/study/scene.h"

namespace gonogo::cli {
namespace {

constexpr const char* kCheckExamples = R"(
Examples:
  gonogo check robots/go2              is it described as its policy was trained?
  gonogo check my_robot --quick        what `gonogo study` looks at first
  gonogo check my_robot --json > check.json
  gonogo check my_robot --html check.html

Runs the policy on flat ground: standing, and each command channel alone in both directions. Looks at what the policy sees and does,
and at the time step. Then tries other descriptions (joint orders, signs, gains, gait period, decimation) and says which would walk
better. docs/reference/check.md lists what is suspicious and what is broken.
Two exit codes are its own: 23 for suspicious and 24 for broken.
)";

class CheckVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "check", "Find out whether a robot is described as its policy was trained", kCheckExamples);
    verb.Positional("robot", robot_, "The folder of the robot, which holds robot.toml").Required();
    verb.Option("--seconds", options_.seconds, "Length of every run").ShowDefault();
    verb.Flag("--quick", options_.quick, "Try other descriptions only if something is wrong");
    verb.Option("--html", html_, "A page to write as well, with a picture of told and done");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    const study::OpenedRobot opened = GONOGO_TRY(study::OpenRobot(robot_));
    const robot::RobotSpec& robot = opened.spec;
    const study::CheckReport report =
        GONOGO_TRY(study::CheckRobot(robot, opened.policy, options_, context.With({})));
    if (!html_.empty()) {
      GONOGO_TRY(io::WriteFile(html_, report::RenderPage(CheckPage(robot, report))));
    }
    if (context.options.json) {
      context.terminal.Print(study::ToJson(robot, report).dump(2) + "\n");
    } else {
      context.terminal.Print(CheckText(robot, report, context.terminal));
    }
    switch (report.verdict()) {
      case study::CheckVerdict::kOk:
        return kExitDone;
      case study::CheckVerdict::kSuspicious:
        return kExitSuspicious;
      case study::CheckVerdict::kBroken:
        return kExitBroken;
    }
    return kExitBug;
  }

 private:
  std::filesystem::path robot_;
  study::CheckOptions options_;
  std::filesystem::path html_;
};

}  // namespace

std::unique_ptr<Verb> MakeCheckVerb() { return std::make_unique<CheckVerb>(); }

}  // namespace gonogo::cli
