// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/report.h"

#include <filesystem>

#include "gonogo/io/file.h"
#include "gonogo/io/json.h"
#include "gonogo/report/result_page.h"

namespace gonogo::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  gonogo report runs/sorting-1a2b3c4d/result.json                  write report.html beside it
  gonogo report run/result.json --out page.html
  gonogo report run/result.json --control observable/result.json --control hidden/result.json

RESULT is what audit, control and calibrate write as result.json or print with --json. A control has to be one of the audited table.
)";

Result<nlohmann::json> ReadJson(const std::filesystem::path& path) {
  const Result<std::string> text = io::ReadFile(path);
  if (!text.ok()) return text.error();
  Result<nlohmann::json> json = io::ParseJson(text.value(), path.string());
  if (json.ok() && !json.value().is_object()) {
    return InputError("{}: expected a JSON object", path.string());
  }
  return json;
}

class ReportVerb : public Verb {
 public:
  CLI::App* Declare(CLI::App& app) override {
    CLI::App* verb = app.add_subcommand("report", "A result file in, its self-contained page out");
    verb->footer(std::string(kExamples) + kExitCodeHelp);
    verb->add_option("result", result_, "result.json of an audit, a control or a calibration")
        ->required();
    verb->add_option("--control", controls_, "Show this control in the report of an audit");
    verb->add_option("--out", out_, "The page [report.html beside the result]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    Result<nlohmann::json> result = ReadJson(result_);
    if (!result.ok()) return result.error();
    for (const std::string& path : controls_) {
      const Result<nlohmann::json> control = ReadJson(path);
      if (!control.ok()) return control.error();
      const Status attached = report::AttachControl(control.value(), path, result.value());
      if (!attached.ok()) return attached.error();
    }
    const Result<std::string> page = report::ResultPage(result.value(), result_.string());
    if (!page.ok()) return page.error();
    const std::filesystem::path out = out_.empty() ? result_.parent_path() / "report.html" : out_;
    if (Status written = io::WriteFile(out, page.value()); !written.ok()) return written.error();
    context.terminal.Say("report: " + out.string());
    return kExitDone;
  }

 private:
  std::filesystem::path result_;
  std::filesystem::path out_;
  std::vector<std::string> controls_;
};

}  // namespace

std::unique_ptr<Verb> MakeReportVerb() { return std::make_unique<ReportVerb>(); }

}  // namespace gonogo::cli
