// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace gonogo::team {

/// Bytes that came from another rank.
struct Parcel {
  int from = 0;
  std::string bytes;
};

/// Carries bytes between ranks. Parcels of one rank to another arrive whole and in the order in
/// which they were sent. Used by one thread of each rank at a time.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Never waits for the receiver.
  virtual void Send(int to, std::string bytes) = 0;
  /// Something that has arrived, if anything has; never waits.
  [[nodiscard]] virtual std::optional<Parcel> Receive() = 0;

  /// Everything sent has left this rank. Parcels leave only while `Receive` is called now and then.
  [[nodiscard]] virtual bool idle() const = 0;

  /// After every rank's last parcel was received; waits for the others.
  virtual void Finish() = 0;
  /// Ends all ranks now.
  [[noreturn]] virtual void Abort(int exit_code) = 0;
};

}  // namespace gonogo::team
