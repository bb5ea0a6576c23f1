// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "gonogo/base/bytes.h"
#include "gonogo/base/result.h"
#include "gonogo/team/transport.h"

namespace gonogo::team {

/// What ranks say to each other. A round is one call of a function of `Team`; ranks count alike.
enum class Kind : std::uint8_t {
  kHello,     ///< to rank 0: in this round, with this identity
  kWork,      ///< from rank 0: units to do
  kResults,   ///< to rank 0: units that are done
  kFailed,    ///< to rank 0: an error; of any round
  kEnd,       ///< from rank 0: the round is over, well or with an error
  kPart,      ///< a part of what every rank gets at the end of a round
  kAlive,     ///< nothing new
  kFinished,  ///< to rank 0: this rank is through
};

struct Message {
  Kind kind = Kind::kAlive;
  std::uint64_t round = 0;
  std::string body;
  int from = 0;
};

[[nodiscard]] std::string Pack(Kind kind, std::uint64_t round, std::string_view body);
/// Nothing when the bytes are no message.
[[nodiscard]] std::optional<Message> Unpack(std::string_view bytes, int from);

/// Puts words and texts one after the other.
class BodyWriter {
 public:
  BodyWriter& Word(std::uint64_t word) { return Write(word); }
  BodyWriter& Real(double value) { return Write(value); }
  BodyWriter& Text(std::string_view text) { return Write(text); }
  BodyWriter& Put(const Error& error) {
    return Word(static_cast<std::uint64_t>(error.kind)).Text(error.message);
  }
  [[nodiscard]] std::string Take() { return bytes_.Take(); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

 private:
  template <typename T>
  BodyWriter& Write(const T& value) {
    bytes_(value);
    return *this;
  }

  ByteWriter bytes_;
};

/// Reads them back; what is not there reads as zero or empty, and `intact` says so.
class BodyReader {
 public:
  explicit BodyReader(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t Word() { return Read<std::uint64_t>(); }
  double Real() { return Read<double>(); }
  std::string Text() { return Read<std::string>(); }
  Error TakeError() {
    const auto kind = static_cast<ErrorKind>(Word());
    return {kind, Text()};
  }
  [[nodiscard]] bool at_end() const { return bytes_.at_end(); }
  [[nodiscard]] bool intact() const { return bytes_.intact(); }

 private:
  template <typename T>
  T Read() {
    T value{};
    bytes_(value);
    return value;
  }

  ByteReader bytes_;
};

/// Messages over a transport, round by round: what belongs to a later round waits until this rank
/// is there, what is left of an earlier one is dropped. News of failures do not wait.
class Messenger {
 public:
  explicit Messenger(Transport& transport) : transport_(transport) {}

  [[nodiscard]] int rank() const { return transport_.rank(); }
  [[nodiscard]] int size() const { return transport_.size(); }

  void Send(int to, Kind kind, std::uint64_t round, std::string_view body = {});
  /// The next message of this round; never waits.
  [[nodiscard]] std::optional<Message> Next(std::uint64_t round);

  /// Sends `bytes` to the ranks below this one in a binomial tree rooted at rank 0, in parts. Each
  /// of them passes them on, so that no rank sends more than log2(size) copies.
  void SendDown(std::uint64_t round, std::string_view bytes);
  /// Passes a part on that came from above.
  void PassDown(const Message& part);
  /// Waits until everything sent has left, but no longer than that.
  void Flush(std::chrono::duration<double> longest);

  /// Ranks that are through, with what they said on leaving.
  [[nodiscard]] const std::map<int, std::string>& finished() const { return finished_; }
  [[nodiscard]] std::uint64_t bytes_moved() const { return bytes_moved_; }  ///< here, both ways

 private:
  void Fetch();

  Transport& transport_;
  std::deque<Message> waiting_;
  std::map<int, std::string> finished_;
  std::uint64_t bytes_moved_ = 0;
};

}  // namespace gonogo::team
