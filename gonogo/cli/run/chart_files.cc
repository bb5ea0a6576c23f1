// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/run/chart_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gonogo/io/file.h"
#include "gonogo/io/json/json.h"
#include "gonogo/report/viewer/base64.h"

namespace gonogo::cli {
namespace {

/// A folder of its own, removed at the end.
class Workplace {
 public:
  static Result<Workplace> Make() {
    std::error_code code;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(code);
    if (code) return IoError("no folder for temporary files: {}", code.message());
    std::string pattern = (parent / "gonogo-charts-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      return IoError("{}: cannot create the directory: {}", pattern, std::strerror(errno));
    }
    return Workplace(pattern);
  }
  Workplace(Workplace&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Workplace& operator=(Workplace&&) = delete;
  ~Workplace() {
    std::error_code code;
    if (!path_.empty()) std::filesystem::remove_all(path_, code);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit Workplace(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

Result<std::string> FindBrowser() {
  if (const char* named = std::getenv("GONOGO_BROWSER"); named != nullptr && *named != '\0') {
    return std::string(named);
  }
  const char* path = std::getenv("PATH");
  std::string folders = path == nullptr ? "" : path;
  std::replace(folders.begin(), folders.end(), ':', '\n');
  for (const char* name : {"chromium", "chromium-browser", "google-chrome", "chrome"}) {
    for (std::size_t at = 0; at < folders.size();) {
      const std::size_t end = std::min(folders.find('\n', at), folders.size());
      const std::string file = folders.substr(at, end - at) + "/" + name;
      if (::access(file.c_str(), X_OK) == 0) return file;
      at = end + 1;
    }
  }
  return InputError(
      "pictures of charts are drawn by Chromium, and none is installed; install it, name one with "
      "GONOGO_BROWSER, or save each chart from the page, with the buttons below it");
}

/// Runs the browser on `folder`/page.html; what it made of the page ends up in `folder`/dom.html.
Status Visit(const std::string& browser, const std::filesystem::path& folder) {
  std::vector<std::string> words = {browser,
                                    "--headless",
                                    "--disable-gpu",
                                    "--no-first-run",
                                    "--disable-background-networking",
                                    "--disable-component-update",
                                    "--disable-sync",
                                    "--hide-scrollbars",
                                    "--window-size=1200,2000",
                                    "--virtual-time-budget=20000",
                                    "--user-data-dir=" + (folder / "profile").string(),
                                    "--dump-dom",
                                    "file://" + (folder / "page.html").string() + "#export"};
  if (::geteuid() == 0) words.insert(words.begin() + 1, "--no-sandbox");  // it refuses root in one
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string output = (folder / "dom.html").string();
  const pid_t child = ::fork();
  if (child < 0) return IoError("{}: cannot start: {}", browser, std::strerror(errno));
  if (child == 0) {
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int nowhere = ::open("/dev/null", O_RDWR);
    ::dup2(nowhere, STDIN_FILENO);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::execv(browser.c_str(), arguments.data());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return IoError("{}: the browser failed to draw the page", browser);
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> ChartsIn(const std::string& dom) {
  constexpr std::string_view kBegin = "id=\"exported\">";
  const std::size_t found = dom.rfind(kBegin);
  if (found == std::string::npos) {
    return IoError("the browser did not finish drawing the charts");
  }
  const std::size_t begin = found + kBegin.size();
  const std::size_t end = dom.find("</script>", begin);
  const nlohmann::json charts =
      GONOGO_TRY(io::ParseJson(dom.substr(begin, end - begin), "the browser's answer"));
  std::vector<std::pair<std::string, std::string>> files;
  for (const nlohmann::json& item : charts) {
    const io::JsonObject chart = GONOGO_TRY(io::JsonObject::Open(item, "the browser's answer"));
    const auto name = GONOGO_TRY(chart.Get<std::string>("name"));
    const auto svg = GONOGO_TRY(chart.Get<std::string>("svg"));
    const auto url = GONOGO_TRY(chart.Get<std::string>("png"));
    const std::optional<std::string> png =
        report::internal::DecodeBase64(url.substr(std::min(url.find(',') + 1, url.size())));
    const bool named = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
    if (!png || !named) return IoError("the browser's answer: {}: expected a picture", name);
    files.emplace_back(name + ".png", *png);
    files.emplace_back(name + ".svg", svg);
  }
  return files;
}

Result<std::vector<std::string>> WriteCharts(const std::string& page,
                                             const std::filesystem::path& folder) {
  const std::string browser = GONOGO_TRY(FindBrowser());
  const Workplace place = GONOGO_TRY(Workplace::Make());
  GONOGO_TRY(io::WriteFile(place.path() / "page.html", page));
  GONOGO_TRY(Visit(browser, place.path()));
  const std::string dom = GONOGO_TRY(io::ReadFile(place.path() / "dom.html"));
  const auto files = GONOGO_TRY(ChartsIn(dom));
  GONOGO_TRY(io::MakeDirectory(folder));
  std::vector<std::string> names;
  for (const auto& [name, bytes] : files) {
    GONOGO_TRY(io::WriteFile(folder / name, bytes));
    names.push_back(name);
  }
  return names;
}

}  // namespace gonogo::cli
