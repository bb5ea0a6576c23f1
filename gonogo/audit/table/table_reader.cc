// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/table_reader.h"

#include <array>
#include <fstream>

#include "gonogo/audit/table/check_table.h"
#include "gonogo/audit/table/internal/csv_columns.h"
#include "gonogo/audit/table/internal/hdf5_table.h"
#include "gonogo/audit/table/internal/long_table.h"
#include "gonogo/io/csv.h"
#include "gonogo/io/hdf5/hdf5_file.h"

namespace gonogo::audit {
namespace {

bool LooksLikeHdf5(const std::filesystem::path& path) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  std::array<char, kSignature.size()> start{};
  std::ifstream file(path, std::ios::binary);
  return file.read(start.data(), start.size()) &&
         std::string_view(start.data(), start.size()) == kSignature;
}

Result<OutcomeTable> ReadHdf5(const std::filesystem::path& path, const Protocol& protocol,
                              TableScope scope) {
  const io::Hdf5File file = GONOGO_TRY(io::Hdf5File::Open(path));
  OutcomeTable table = GONOGO_TRY(internal::ReadHdf5Table(file, protocol));
  return MakeTable(std::move(table), scope, path.string());
}

Result<OutcomeTable> ReadCsv(io::CsvReader& reader, const Protocol& protocol) {
  const internal::CsvColumns columns =
      GONOGO_TRY(internal::FindColumns(reader.header(), protocol.table, reader.name()));
  internal::LongTable rows(columns, reader);
  while (true) {
    const bool more = GONOGO_TRY(reader.Next());
    if (!more) break;
    GONOGO_TRY(rows.AddRow());
  }
  OutcomeTable table = GONOGO_TRY(rows.Pivot(protocol));
  return MakeTable(std::move(table), TableScope::kWhole, reader.name());
}

}  // namespace

Result<OutcomeTable> ReadTable(const std::filesystem::path& path, const Protocol& protocol) {
  if (LooksLikeHdf5(path)) return ReadHdf5(path, protocol, TableScope::kWhole);
  io::CsvReader reader = GONOGO_TRY(io::CsvReader::Open(path));
  return ReadCsv(reader, protocol);
}

Result<OutcomeTable> ReadPart(const std::filesystem::path& path, const Protocol& protocol) {
  return ReadHdf5(path, protocol, TableScope::kPart);
}

Result<OutcomeTable> ParseCsvTable(std::string_view bytes, std::string name,
                                   const Protocol& protocol) {
  io::CsvReader reader = GONOGO_TRY(io::CsvReader::Parse(bytes, std::move(name)));
  return ReadCsv(reader, protocol);
}

Result<std::optional<Protocol>> ReadDeclaration(const std::filesystem::path& path) {
  if (!LooksLikeHdf5(path)) return std::optional<Protocol>();
  const io::Hdf5File file = GONOGO_TRY(io::Hdf5File::Open(path));
  if (!file.HasAttribute("/", "declaration")) return std::optional<Protocol>();
  const std::string text = GONOGO_TRY(file.ReadText("/", "declaration"));
  Protocol protocol = GONOGO_TRY(ParseProtocol(text, path.string() + ": declaration"));
  return std::optional<Protocol>(std::move(protocol));
}

}  // namespace gonogo::audit
