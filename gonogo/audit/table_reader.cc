// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table_reader.h"

#include <array>
#include <fstream>

#include "gonogo/audit/internal/csv_columns.h"
#include "gonogo/audit/internal/hdf5_table.h"
#include "gonogo/audit/internal/long_table.h"
#include "gonogo/io/csv.h"
#include "gonogo/io/hdf5_file.h"

namespace gonogo::audit {
namespace {

bool LooksLikeHdf5(const std::filesystem::path& path) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  std::array<char, kSignature.size()> start{};
  std::ifstream file(path, std::ios::binary);
  return file.read(start.data(), start.size()) &&
         std::string_view(start.data(), start.size()) == kSignature;
}

Result<OutcomeTable> RequireTwoClusters(Result<OutcomeTable> table, const std::string& name) {
  if (!table.ok() || table.value().num_clusters() >= 2) return table;
  return InputError("{}: found {} cluster(s), expected at least two independent ones", name,
                    table.value().num_clusters());
}

Result<OutcomeTable> ReadCsv(io::CsvReader& reader, const Protocol& protocol) {
  const Result<internal::CsvColumns> columns =
      internal::FindColumns(reader.header(), protocol.table, reader.name());
  if (!columns.ok()) return columns.error();
  internal::LongTable rows(columns.value(), reader);
  while (true) {
    const Result<bool> more = reader.Next();
    if (!more.ok()) return more.error();
    if (!more.value()) break;
    if (Status row = rows.AddRow(); !row.ok()) return row.error();
  }
  return RequireTwoClusters(rows.Pivot(protocol), reader.name());
}

}  // namespace

Result<OutcomeTable> ReadTable(const std::filesystem::path& path, const Protocol& protocol) {
  if (LooksLikeHdf5(path)) return RequireTwoClusters(ReadPart(path, protocol), path.string());
  Result<io::CsvReader> reader = io::CsvReader::Open(path);
  if (!reader.ok()) return reader.error();
  return ReadCsv(reader.value(), protocol);
}

Result<OutcomeTable> ReadPart(const std::filesystem::path& path, const Protocol& protocol) {
  const Result<io::Hdf5File> file = io::Hdf5File::Open(path);
  if (!file.ok()) return file.error();
  return internal::ReadHdf5Table(file.value(), protocol);
}

Result<OutcomeTable> ParseCsvTable(std::string_view bytes, std::string name,
                                   const Protocol& protocol) {
  Result<io::CsvReader> reader = io::CsvReader::Parse(bytes, std::move(name));
  if (!reader.ok()) return reader.error();
  return ReadCsv(reader.value(), protocol);
}

Result<std::optional<Protocol>> ReadDeclaration(const std::filesystem::path& path) {
  if (!LooksLikeHdf5(path)) return std::optional<Protocol>();
  const Result<io::Hdf5File> file = io::Hdf5File::Open(path);
  if (!file.ok()) return file.error();
  if (!file.value().HasAttribute("/", "declaration")) return std::optional<Protocol>();
  const Result<std::string> text = file.value().ReadText("/", "declaration");
  if (!text.ok()) return text.error();
  Result<Protocol> protocol = ParseProtocol(text.value(), path.string() + ": declaration");
  if (!protocol.ok()) return protocol.error();
  return std::optional<Protocol>(std::move(protocol).value());
}

}  // namespace gonogo::audit
