// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "gonogo/cli/run/chart_files.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/file.h"
#include "gonogo/io/json/json.h"
#include "gonogo/report/result_page.h"

namespace gonogo::cli {
namespace {

constexpr const char* kReportExamples = R"(
Examples:
  gonogo report runs/sorting-1a2b3c4d                              write report.html beside its result.json
  gonogo report run/result.json --out page.html
  gonogo report run/result.json --png figures                      every chart as PNG and SVG, for papers and slides
  gonogo report run/result.json --control observable/result.json --control hidden/result.json

RESULT is what audit, validate and calibrate write as result.json or print with --json. A control has to be one of the audited table.
)";

Result<nlohmann::json> ReadJson(const std::filesystem::path& path) {
  const std::string text = GONOGO_TRY(io::ReadFile(path));
  Result<nlohmann::json> json = io::ParseJson(text, path.string());
  if (json.ok() && !json.value().is_object()) {
    return InputError("{}: expected a JSON object", path.string());
  }
  return json;
}

class ReportVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "report", "Make the page of a result again, or pictures of its charts", kReportExamples);
    verb.Positional("result", result_,
                    "The folder of an audit, a control or a calibration, or its result.json")
        .Required();
    verb.Option("--control", controls_, "Also show this control of the same table");
    verb.Option("--png", pictures_,
                "Write every chart as PNG and SVG into this folder; needs Chromium");
    verb.Option("--out", out_, "The page [report.html beside the result]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    std::error_code failure;
    if (std::filesystem::is_directory(result_, failure)) result_ /= "result.json";
    nlohmann::json result = GONOGO_TRY(ReadJson(result_));
    for (const std::string& path : controls_) {
      const nlohmann::json control = GONOGO_TRY(ReadJson(path));
      GONOGO_TRY(report::AttachControl(control, path, result));
    }
    const std::string page = GONOGO_TRY(report::ResultPage(result, result_.string()));
    if (!pictures_.empty()) {
      const std::vector<std::string> names = GONOGO_TRY(WriteCharts(page, pictures_));
      for (const std::string& name : names) {
        context.terminal.Print((pictures_ / name).string() + "\n");
      }
      if (out_.empty()) return kExitDone;
    }
    const std::filesystem::path out = out_.empty() ? result_.parent_path() / "report.html" : out_;
    GONOGO_TRY(io::WriteFile(out, page));
    context.terminal.Say("report: " + out.string());
    return kExitDone;
  }

 private:
  std::filesystem::path result_;
  std::filesystem::path out_;
  std::filesystem::path pictures_;
  std::vector<std::string> controls_;
};

}  // namespace

std::unique_ptr<Verb> MakeReportVerb() { return std::make_unique<ReportVerb>(); }

}  // namespace gonogo::cli
