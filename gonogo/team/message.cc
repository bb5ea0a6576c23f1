// SPDX-License-Identifier: Apache-2.0
#include "gonogo/team/message.h"

#include <bit>

namespace gonogo::team {

std::string Pack(Kind kind, std::uint64_t round, std::string_view body) {
  std::string head = BodyWriter().Word(round).Take();
  return std::string(1, static_cast<char>(kind)).append(head).append(body);
}

std::optional<Message> Unpack(std::string_view bytes, int from) {
  constexpr std::size_t kHead = 1 + sizeof(std::uint64_t);
  if (bytes.size() < kHead || bytes[0] < 0 || bytes[0] > static_cast<char>(Kind::kFinished)) {
    return std::nullopt;
  }
  BodyReader head(bytes.substr(1, sizeof(std::uint64_t)));
  return Message{.kind = static_cast<Kind>(bytes[0]),
                 .round = head.Word(),
                 .body = std::string(bytes.substr(kHead)),
                 .from = from};
}

BodyWriter& BodyWriter::Word(std::uint64_t word) {
  for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>(word >> (8 * i) & 0xFFU);
  return *this;
}

BodyWriter& BodyWriter::Real(double value) { return Word(std::bit_cast<std::uint64_t>(value)); }

BodyWriter& BodyWriter::Text(std::string_view text) {
  Word(text.size());
  bytes_.append(text);
  return *this;
}

BodyWriter& BodyWriter::Put(const Error& error) {
  return Word(static_cast<std::uint64_t>(error.kind)).Text(error.message);
}

std::string_view BodyReader::Take(std::size_t count) {
  if (count > bytes_.size()) {
    intact_ = false;
    bytes_ = {};
    return {};
  }
  const std::string_view taken = bytes_.substr(0, count);
  bytes_.remove_prefix(count);
  return taken;
}

std::uint64_t BodyReader::Word() {
  std::uint64_t word = 0;
  const std::string_view taken = Take(8);
  for (std::size_t i = taken.size(); i > 0; --i) {
    word = word << 8U | static_cast<unsigned char>(taken[i - 1]);
  }
  return word;
}

double BodyReader::Real() { return std::bit_cast<double>(Word()); }

std::string BodyReader::Text() {
  const std::uint64_t size = Word();
  return std::string(Take(size));
}

Error BodyReader::TakeError() {
  const std::uint64_t kind = Word();
  std::string message = Text();
  return {static_cast<ErrorKind>(kind), std::move(message)};
}

}  // namespace gonogo::team
