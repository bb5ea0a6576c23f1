// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <list>
#include <utility>

#include <mpi.h>
#include <time.h>

#include "gonogo/team/transport.h"

namespace gonogo::team {
namespace {

/// Only point-to-point messages: what ranks do together is decided above, where it can be tested
/// without MPI. Nothing here blocks, because MPI libraries wait by spinning and would take a core
/// from the computation.
class MpiTransport : public Transport {
 public:
  MpiTransport() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  void Send(int to, std::string bytes) override {
    Outgoing& outgoing = outgoing_.emplace_back(Outgoing{std::move(bytes), MPI_REQUEST_NULL});
    MPI_Isend(outgoing.bytes.data(), static_cast<int>(outgoing.bytes.size()), MPI_BYTE, to, kTag,
              MPI_COMM_WORLD, &outgoing.request);
  }

  [[nodiscard]] std::optional<Parcel> Receive() override {
    Forget();
    int there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &there, &message, &status);
    if (there == 0) return std::nullopt;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    Parcel parcel{.from = status.MPI_SOURCE, .bytes = std::string(count, '\0')};
    MPI_Mrecv(parcel.bytes.data(), count, MPI_BYTE, &message, &status);
    return parcel;
  }

  [[nodiscard]] bool idle() const override { return outgoing_.empty(); }

  void Finish() override {
    MPI_Request all = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    int done = 0;
    while (done == 0 || !outgoing_.empty()) {
      Forget();
      if (done == 0) MPI_Test(&all, &done, MPI_STATUS_IGNORE);
      const timespec pause{.tv_sec = 0, .tv_nsec = 200'000};
      nanosleep(&pause, nullptr);
    }
    MPI_Finalize();
  }

  [[noreturn]] void Abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 private:
  static constexpr int kTag = 1;

  struct Outgoing {
    std::string bytes;
    MPI_Request request;
  };

  /// Frees what has left.
  void Forget() {
    for (auto it = outgoing_.begin(); it != outgoing_.end();) {
      int done = 0;
      MPI_Test(&it->request, &done, MPI_STATUS_IGNORE);
      it = done != 0 ? outgoing_.erase(it) : std::next(it);
    }
  }

  int rank_ = 0;
  int size_ = 1;
  std::list<Outgoing> outgoing_;  // a list, so that buffers stay where MPI reads them
};

Transport* Connect() { return new MpiTransport; }

}  // namespace

extern "C" const MpiPlugin gonogo_mpi_plugin;
const MpiPlugin gonogo_mpi_plugin = {kMpiInterface, Connect};

}  // namespace gonogo::team
