// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

/// The one function of gonogo_mpi.so. Program and plugin are of one build: the plugin says of which
/// before anything else is called.

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

struct MpiPlugin {
  const char* interface_version;  ///< kMpiInterface of the plugin's build
  Transport* (*connect)();        ///< starts MPI; the transport lives as long as the process
};

/// Changes with every change of `Transport` or `MpiPlugin`.
inline constexpr const char* kMpiInterface = "gonogo-mpi/1";
inline constexpr const char* kMpiEntry = "gonogo_mpi_plugin";

}  // namespace gonogo::team
