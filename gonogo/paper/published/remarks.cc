// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/published/remarks.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"
#include "gonogo/io/toml/toml.h"
#include "gonogo/paper/published/cells.h"

namespace gonogo::paper {
namespace {

constexpr int kMostTables = 20;
constexpr double kMostTolerance = 1e6;

RemarkedCell ReadCell(const io::TomlNode& node) {
  for (const char* key : {"table", "row", "column", "ours", "tolerance"}) node.Require(key);
  return {.table = static_cast<int>(node.IntegerIn("table", 1, 1, kMostTables)),
          .row = node.Strings("row", {}),
          .column = node.String("column", ""),
          .ours = node.Numbers("ours", {}),
          .tolerance = node.NumberIn("tolerance", 0.0, 0.0, kMostTolerance)};
}

Remark ReadRemark(const io::TomlNode& node) {
  for (const char* key : {"section", "about", "text"}) node.Require(key);
  Remark remark{
      .section = node.String("section", ""), .about = {}, .text = node.String("text", "")};
  for (const io::TomlNode& cell : node.Tables("about")) remark.about.push_back(ReadCell(cell));
  if (remark.about.empty()) node.Fail("about", "a remark must name a number");
  return remark;
}

bool Shows(const report::Section& section, const RemarkedCell& place) {
  const std::vector<double> shown =
      NumbersIn(CellText(section, {place.table, place.row, place.column}));
  if (shown.size() < place.ours.size()) return false;
  return std::equal(place.ours.begin(), place.ours.end(), shown.begin(),
                    [&](double a, double b) { return std::abs(a - b) <= place.tolerance; });
}

}  // namespace

Result<std::vector<Remark>> ReadRemarks(const DataFile& file) {
  const io::TomlDocument document =
      GONOGO_TRY(io::TomlDocument::Parse(file.text, std::string(file.name)));
  std::vector<Remark> remarks;
  for (const io::TomlNode& node : document.Root().Tables("remark")) {
    remarks.push_back(ReadRemark(node));
  }
  GONOGO_TRY(document.Finish());
  return remarks;
}

const std::vector<Remark>& Remarks() {
  static const std::vector<Remark> kRemarks = [] {
    Result<std::vector<Remark>> remarks = ReadRemarks(RemarksFile());
    GONOGO_CHECK(remarks.ok());  // it was compiled in: a test reads it
    return std::move(remarks).value();
  }();
  return kRemarks;
}

bool StillTrue(const Remark& remark, const report::Section& section) {
  return std::all_of(remark.about.begin(), remark.about.end(),
                     [&](const RemarkedCell& place) { return Shows(section, place); });
}

void AddRemarks(const std::vector<Remark>& remarks, report::Section& section) {
  bool outdated = false;
  for (const Remark& remark : remarks) {
    if (remark.section != section.id) continue;
    if (StillTrue(remark, section)) {
      section.blocks.emplace_back(report::Paragraph{remark.text});
    } else {
      outdated = true;
    }
  }
  if (outdated) {
    section.blocks.emplace_back(report::Paragraph{
        "A remark on this section was written for other results and is left out."});
  }
}

}  // namespace gonogo::paper
