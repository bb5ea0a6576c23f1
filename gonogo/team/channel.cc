// SPDX-License-Identifier: Apache-2.0
#include "gonogo/team/channel.h"

#include <algorithm>
#include <bit>
#include <thread>

#include "gonogo/base/check.h"

namespace gonogo::team {
namespace {

constexpr std::size_t kPartBytes = std::size_t{16} << 20U;  // MPI counts bytes in an int

}  // namespace

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

void Channel::Send(int to, Kind kind, std::uint64_t round, std::string_view body) {
  std::string bytes = Pack(kind, round, body);
  bytes_moved_ += bytes.size();
  transport_.Send(to, std::move(bytes));
}

void Channel::Fetch() {
  while (const std::optional<Parcel> parcel = transport_.Receive()) {
    bytes_moved_ += parcel->bytes.size();
    std::optional<Message> message = Unpack(parcel->bytes, parcel->from);
    GONOGO_CHECK(message.has_value());
    if (message->kind == Kind::kFinished) {
      finished_[message->from] = std::move(message->body);
    } else {
      waiting_.push_back(*std::move(message));
    }
  }
}

std::optional<Message> Channel::Next(std::uint64_t round) {
  Fetch();
  std::erase_if(waiting_, [&](const Message& message) {
    return message.round < round && message.kind != Kind::kFailed;
  });
  const auto due = std::find_if(waiting_.begin(), waiting_.end(), [&](const Message& message) {
    return message.round <= round || message.kind == Kind::kFailed;
  });
  if (due == waiting_.end()) return std::nullopt;
  Message message = std::move(*due);
  waiting_.erase(due);
  return message;
}

void Channel::SendDown(std::uint64_t round, std::string_view bytes) {
  for (std::size_t begin = 0; begin < bytes.size(); begin += kPartBytes) {
    PassDown({.kind = Kind::kPart,
              .round = round,
              .body = std::string(bytes.substr(begin, kPartBytes))});
  }
}

void Channel::PassDown(const Message& part) {
  // The children of rank r are r + 1, r + 2, r + 4, … below its lowest set bit.
  for (int step = 1; step < size() && (rank() & step) == 0; step *= 2) {
    if (rank() + step < size()) Send(rank() + step, Kind::kPart, part.round, part.body);
  }
}

void Channel::Flush(std::chrono::duration<double> longest) {
  const auto begin = std::chrono::steady_clock::now();
  while (true) {
    Fetch();
    if (transport_.idle() || std::chrono::steady_clock::now() - begin > longest) return;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

}  // namespace gonogo::team
