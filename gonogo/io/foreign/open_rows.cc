// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/foreign/open_rows.h"

#include <array>
#include <memory>

#include "gonogo/io/file.h"
#include "gonogo/io/foreign/json_lines.h"
#include "gonogo/io/foreign/to_utf8.h"
#include "gonogo/io/foreign/unpack.h"

namespace gonogo::io {
namespace {

struct OtherKind {
  std::string_view begins;
  std::string_view advice;
};

using namespace std::string_view_literals;

/// Files that are known by their first bytes to be nothing we read, and what makes a table of them.
constexpr std::array<OtherKind, 13> kKinds = {
    {{"PAR1"sv,
      "it is Parquet: python3 -c \"import pyarrow.parquet as p, pyarrow.csv as c; "
      "c.write_csv(p.read_table('FILE'), 'table.csv')\" makes a table of it, and in Python "
      "gonogo.Table.from_parquet reads it"},
     {"ARROW1"sv,
      "it is Feather (Arrow): python3 -c \"import pyarrow.feather as f, pyarrow.csv as c; "
      "c.write_csv(f.read_table('FILE'), 'table.csv')\" makes a table of it, and in Python "
      "gonogo.Table.from_parquet reads it"},
     {"FEA1"sv,
      "it is the first version of Feather: python3 -c \"import pandas; "
      "pandas.read_feather('FILE').to_csv('table.csv', index=False)\" makes a table of it"},
     {"PK\x03\x04"sv, "it is a zip archive or a spreadsheet: unpack it, or save the sheet as CSV"},
     {"\xd0\xcf\x11\xe0"sv, "it is a spreadsheet of an old kind: save the sheet as CSV"},
     {"BZh"sv, "it is packed by bzip2: bunzip2 FILE unpacks it"},
     {"\xfd\x37zXZ"sv, "it is packed by xz: unxz FILE unpacks it"},
     {"SQLite format 3"sv,
      "it is a SQLite database: sqlite3 -header -csv FILE \"select * from TABLE\" > table.csv"},
     {"\x93NUMPY"sv, "it is a NumPy array: gonogo.Table.from_numpy takes arrays in Python"},
     {"\x80\x04"sv, "it is a Python pickle: load it in Python and use gonogo.Table.from_pandas"},
     {"\x80\x05"sv, "it is a Python pickle: load it in Python and use gonogo.Table.from_pandas"},
     {"%PDF"sv, "it is a PDF, which has no columns"},
     {"["sv, "it is a JSON array: jq -c '.[]' FILE > table.jsonl writes one object a line"}}};

Status RefuseOtherKinds(std::string_view bytes, const std::string& name) {
  for (const OtherKind& kind : kKinds) {
    if (!bytes.starts_with(kind.begins)) continue;
    std::string advice(kind.advice);
    if (const std::size_t file = advice.find("FILE"); file != std::string::npos) {
      advice.replace(file, 4, name);
    }
    return InputError("{}: expected CSV, JSON lines or HDF5; {}", name, advice);
  }
  return {};
}

struct Held {
  MappedFile file;
};

Result<CsvReader> Read(std::string_view bytes, std::string name, Decimal decimal,
                       std::shared_ptr<const void> holder) {
  std::vector<std::string> remarks;
  const auto hold = [&](std::string text) {
    auto held = std::make_shared<const std::string>(std::move(text));
    bytes = *held;
    holder = std::move(held);
  };
  if (IsPacked(bytes)) hold(GONOGO_TRY(Unpack(bytes, name)));
  GONOGO_TRY(RefuseOtherKinds(bytes, name));
  std::optional<Recoded> recoded = GONOGO_TRY(ToUtf8(bytes, name));
  if (recoded.has_value()) {
    remarks.push_back("the text is read as " + recoded->from);
    hold(std::move(recoded->text));
  }
  CsvForm form;
  if (IsJsonLines(bytes)) {
    hold(GONOGO_TRY(CsvOfJsonLines(bytes, name)));
    form.header_line = 0;
  } else {
    form = GONOGO_TRY(FindCsvForm(bytes, decimal, name));
  }
  form.remarks.insert(form.remarks.begin(), remarks.begin(), remarks.end());
  return CsvReader::Parse(bytes, std::move(name), std::move(form), std::move(holder));
}

}  // namespace

Result<CsvReader> OpenRows(const std::filesystem::path& path, Decimal decimal) {
  auto held = std::make_shared<Held>(Held{GONOGO_TRY(MappedFile::Open(path))});
  const std::string_view bytes = held->file.bytes();
  return Read(bytes, path.string(), decimal, std::move(held));
}

Result<CsvReader> ReadRows(std::string_view bytes, std::string name, Decimal decimal) {
  return Read(bytes, std::move(name), decimal, nullptr);
}

}  // namespace gonogo::io
