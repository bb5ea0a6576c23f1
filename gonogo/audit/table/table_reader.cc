// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/table_reader.h"

#include <array>
#include <fstream>

#include "gonogo/audit/table/check_table.h"
#include "gonogo/audit/table/internal/csv_columns.h"
#include "gonogo/audit/table/internal/hdf5_table.h"
#include "gonogo/audit/table/internal/long_table.h"
#include "gonogo/io/file.h"
#include "gonogo/io/file_stamp.h"
#include "gonogo/io/foreign/open_rows.h"
#include "gonogo/io/hdf5/hdf5_file.h"
#include "gonogo/io/sha256.h"
#include "gonogo/io/stream.h"

namespace gonogo::audit {
namespace {

constexpr std::string_view kHdf5Signature = "\x89HDF\r\n\x1a\n";

Result<OutcomeTable> ReadHdf5(const std::filesystem::path& path, const Protocol& protocol,
                              TableScope scope) {
  const io::Hdf5File file = GONOGO_TRY(io::Hdf5File::Open(path));
  OutcomeTable table = GONOGO_TRY(internal::ReadHdf5Table(file, protocol));
  return MakeTable(std::move(table), scope, path.string());
}

io::Decimal DecimalOf(const TableColumns& columns) {
  if (columns.decimal == ".") return io::Decimal::kPoint;
  return columns.decimal == "," ? io::Decimal::kComma : io::Decimal::kFound;
}

Result<OutcomeTable> ReadCsv(io::CsvReader& reader, const Protocol& protocol) {
  const internal::CsvColumns columns = GONOGO_TRY(
      internal::FindColumns(reader.header(), protocol.table, protocol.actions, reader.name()));
  internal::LongTable rows(columns, reader);
  while (true) {
    const bool more = GONOGO_TRY(reader.Next());
    if (!more) break;
    GONOGO_TRY(rows.AddRow());
  }
  OutcomeTable table = GONOGO_TRY(rows.Pivot(protocol));
  for (const std::string& remark : reader.remarks()) {
    table.notes.push_back(fmt::format("{}: {}", reader.name(), remark));
  }
  return MakeTable(std::move(table), TableScope::kWhole, reader.name());
}

}  // namespace

bool IsHdf5Table(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) return false;  // looking would eat a pipe
  std::array<char, kHdf5Signature.size()> start{};
  std::ifstream file(path, std::ios::binary);
  return file.read(start.data(), start.size()) &&
         std::string_view(start.data(), start.size()) == kHdf5Signature;
}

Result<TableFile> ReadTable(const std::filesystem::path& path, const Protocol& protocol) {
  if (io::IsStream(path.string())) {
    return UsageError("{}: a table is read from a pipe by 'gonogo audit' only; expected a file",
                      path.string());
  }
  // Else refits of one table could be kept under the hash of another.
  return io::WhileUnchanged({path}, [&]() -> Result<TableFile> {
    TableFile read{.table = {}, .name = path.string(), .file = path};
    const bool wide = IsHdf5Table(path);
    if (wide) read.table = GONOGO_TRY(ReadHdf5(path, protocol, TableScope::kWhole));
    const io::MappedFile file = GONOGO_TRY(io::MappedFile::Open(path));
    if (!wide) read.table = GONOGO_TRY(ParseCsvTable(file.bytes(), read.name, protocol));
    read.sha256 = io::Sha256Hex(file.bytes());
    return read;
  });
}

Result<TableFile> ReadTableOrStream(const std::string& path, const Protocol& protocol) {
  if (!io::IsStream(path)) return ReadTable(path, protocol);
  const std::string bytes = GONOGO_TRY(io::ReadStream(path));
  OutcomeTable table =
      GONOGO_TRY(ParseCsvTable(bytes, path == "-" ? "standard input" : path, protocol));
  return TableFile{
      .table = std::move(table), .name = path, .file = {}, .sha256 = io::Sha256Hex(bytes)};
}

Result<OutcomeTable> ReadPart(const std::filesystem::path& path, const Protocol& protocol) {
  return io::WhileUnchanged({path}, [&] { return ReadHdf5(path, protocol, TableScope::kPart); });
}

Result<OutcomeTable> ParseCsvTable(std::string_view bytes, std::string name,
                                   const Protocol& protocol) {
  if (bytes.starts_with(kHdf5Signature)) {
    return InputError("{}: an HDF5 table has to be a file; only CSV is read from a pipe", name);
  }
  io::CsvReader reader =
      GONOGO_TRY(io::ReadRows(bytes, std::move(name), DecimalOf(protocol.table)));
  return ReadCsv(reader, protocol);
}

Result<std::optional<Protocol>> ReadDeclaration(const std::filesystem::path& path) {
  if (!IsHdf5Table(path)) return std::optional<Protocol>();
  const io::Hdf5File file = GONOGO_TRY(io::Hdf5File::Open(path));
  if (!file.HasAttribute("/", "declaration")) return std::optional<Protocol>();
  const std::string text = GONOGO_TRY(file.ReadText("/", "declaration"));
  Protocol protocol = GONOGO_TRY(ParseProtocol(text, path.string() + ": declaration"));
  return std::optional<Protocol>(std::move(protocol));
}

}  // namespace gonogo::audit
