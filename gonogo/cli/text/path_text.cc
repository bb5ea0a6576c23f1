// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/text/path_text.h"

#include <fmt/format.h>

#include "gonogo/base/number_text.h"
#include "gonogo/report/text/text_table.h"
#include "gonogo/report/text/wrap.h"

namespace gonogo::cli {
namespace {

std::string NeededText(const audit::LookChannel& channel) {
  return fmt::format("{} {}", channel.above ? ">" : "<=", Percent(channel.threshold));
}

/// The bound that has to be on the GO side.
std::string WaitingBound(const audit::LookChannel& channel) {
  return Percent(channel.above ? channel.lower : channel.upper);
}

std::string ReadText(const audit::LookReading& look) {
  return look.reading.empty() ? "nothing" : look.reading;
}

}  // namespace

std::string PathText(const std::vector<audit::LookReading>& path, const Terminal& terminal) {
  if (path.empty()) return "";
  std::vector<std::string> columns = {"look", "clusters", "error"};
  for (const audit::LookChannel& channel : path.back().channels) {
    columns.push_back(fmt::format("{} {}", channel.name, NeededText(channel)));
  }
  columns.emplace_back("<reads");
  columns.emplace_back("GO next");
  columns.emplace_back("NO-GO next");
  report::TextTable table(columns);
  for (const audit::LookReading& look : path) {
    std::vector<std::string> row = {fmt::format("{} of {}", look.look, look.looks),
                                    std::to_string(look.clusters), Percent(look.alpha)};
    for (const audit::LookChannel& channel : look.channels) row.push_back(WaitingBound(channel));
    row.resize(3 + path.back().channels.size());
    row.push_back(ReadText(look));
    const bool goes_on = look.then == audit::AfterLook::kGoOn;
    row.push_back(goes_on ? Percent(look.later.front().go, 0) : "");
    row.push_back(goes_on ? Percent(look.later.front().no_go, 0) : "");
    table.AddRow(row);
  }
  const std::string what = report::Wrap(
      "The looks at growing data: at each the bound that a GO waits for, with the one-sided error "
      "that the look may spend, and about how likely the next one is to decide. After the last of "
      "them: " +
          audit::InWords(path.back()) + ".",
      terminal.prose_width(), 2);
  return table.Render(terminal.width()) + what + "\n";
}

std::string LookLine(const audit::LookReading& look) {
  std::string text =
      fmt::format("look {} of {}, {} clusters: ", look.look, look.looks, look.clusters);
  for (const audit::LookChannel& channel : look.channels) {
    text +=
        fmt::format("{} {} {} (needs {}), ", channel.name, channel.above ? "at least" : "at most",
                    WaitingBound(channel), NeededText(channel));
  }
  return text + fmt::format("reads {}; {}", ReadText(look), audit::InWords(look));
}

}  // namespace gonogo::cli
