// SPDX-License-Identifier: Apache-2.0
#include "gonogo/team/messenger.h"

#include <algorithm>
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

void Messenger::Send(int to, Kind kind, std::uint64_t round, std::string_view body) {
  std::string bytes = Pack(kind, round, body);
  bytes_moved_ += bytes.size();
  transport_.Send(to, std::move(bytes));
}

void Messenger::Fetch() {
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

std::optional<Message> Messenger::Next(std::uint64_t round) {
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

void Messenger::SendDown(std::uint64_t round, std::string_view bytes) {
  for (std::size_t begin = 0; begin < bytes.size(); begin += kPartBytes) {
    PassDown({.kind = Kind::kPart,
              .round = round,
              .body = std::string(bytes.substr(begin, kPartBytes))});
  }
}

void Messenger::PassDown(const Message& part) {
  // The children of rank r are r + 1, r + 2, r + 4, … below its lowest set bit.
  for (int step = 1; step < size() && (rank() & step) == 0; step *= 2) {
    if (rank() + step < size()) Send(rank() + step, Kind::kPart, part.round, part.body);
  }
}

void Messenger::Flush(std::chrono::duration<double> longest) {
  const auto begin = std::chrono::steady_clock::now();
  while (true) {
    Fetch();
    if (transport_.idle() || std::chrono::steady_clock::now() - begin > longest) return;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

}  // namespace gonogo::team
