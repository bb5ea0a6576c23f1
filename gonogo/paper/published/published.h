// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"

/// What the paper prints (`experiments/paper/*.toml`), asked for by table, row and column.
namespace gonogo::paper {

/// A file of `experiments/paper/`, compiled into the library (`cmake/GonogoEmbed.cmake`).
struct DataFile {
  std::string_view name;
  std::string_view text;
};

/// The files that hold published numbers.
[[nodiscard]] std::span<const DataFile> PublishedFiles();

/// `remarks.toml`.
[[nodiscard]] DataFile RemarksFile();

/// `findings.toml`.
[[nodiscard]] DataFile FindingsFile();

/// \cond One function per file; use the ones above.
[[nodiscard]] std::string_view AblationToml();
[[nodiscard]] std::string_view ArchivedAuditToml();
[[nodiscard]] std::string_view ChartsJson();
[[nodiscard]] std::string_view CompensationToml();
[[nodiscard]] std::string_view ConfirmatoryAuditToml();
[[nodiscard]] std::string_view CoverageToml();
[[nodiscard]] std::string_view FindingsToml();
[[nodiscard]] std::string_view FrontierToml();
[[nodiscard]] std::string_view RemarksToml();
[[nodiscard]] std::string_view ResponseModelToml();
[[nodiscard]] std::string_view RetrievalToml();
[[nodiscard]] std::string_view TerrainToml();
/// \endcond

/// One table of the paper, or the numbers of a passage of its text. A row that is not there was not
/// published (another robot, another method) and neither was an empty place in a row that is; a
/// column that the table does not declare is our mistake and ends the program.
struct PublishedTable {
  /// One place of a table. Never copied: it remembers whether it was asked for.
  struct Entry {
    std::string text;
    std::vector<double> numbers;
    mutable std::atomic<bool> asked = false;
  };
  using Row = std::map<std::string, Entry, std::less<>>;

  std::string label;  ///< where the paper prints it: "tab:coverage"
  std::string robot;  ///< the only one it is about; empty: see the rows
  std::map<std::string, std::string, std::less<>> units;  ///< of every column
  std::map<std::string, Row, std::less<>> rows;

  [[nodiscard]] bool Has(std::string_view row) const { return rows.find(row) != rows.end(); }

  /// As the paper prints it: "0.771", "0.60 [-0.18, 1.22]", "7 of 10", "NO-GO".
  [[nodiscard]] std::optional<std::string> Text(std::string_view row,
                                                std::string_view column) const;
  /// The first number there, in the unit of the column.
  [[nodiscard]] std::optional<double> Number(std::string_view row, std::string_view column) const;
  /// All numbers there: a point and its interval. Empty when there is none.
  [[nodiscard]] std::vector<double> Numbers(std::string_view row, std::string_view column) const;
  /// The first number of a column in percent as a share: "-10.5" is −0.105.
  [[nodiscard]] std::optional<double> Share(std::string_view row, std::string_view column) const;

 private:
  [[nodiscard]] const Entry* Find(std::string_view row, std::string_view column) const;
};

using PublishedTables = std::map<std::string, PublishedTable, std::less<>>;

/// Adds the tables of one file.
[[nodiscard]] Status ReadPublished(const DataFile& file, PublishedTables& tables);

/// Every table of every file.
[[nodiscard]] const PublishedTables& AllPublished();

/// The table of that name, which must be there.
[[nodiscard]] const PublishedTable& Published(std::string_view name);

/// The same, or one without rows when it is about another robot.
[[nodiscard]] const PublishedTable& Published(std::string_view name, std::string_view robot);

/// The numbers in a text as people print them, a true minus sign included: "−2.3 % [−4, 1]" has
/// three. Digits behind a letter ("Go2") belong to a name, and so does a hyphen ("scale-0.90").
[[nodiscard]] std::vector<double> NumbersIn(std::string_view text);

/// One row of Table "coverage", with the harder Go2 targets of Section 4.3 as one more family.
struct PublishedCoverage {
  std::optional<double> success;
  std::optional<double> effort;
  std::optional<double> change;    ///< of the effort against direct control, as printed; a share
  std::optional<double> height_m;  ///< at the end
};

/// Empty for a robot, family or method that the paper did not run.
[[nodiscard]] PublishedCoverage FindPublishedCoverage(const std::string& robot,
                                                      const std::string& family,
                                                      const std::string& method);

}  // namespace gonogo::paper
