// SPDX-License-Identifier: Apache-2.0
#include "watch.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "raise.h"

namespace py = nanobind;

namespace gonogo::python {
namespace {

constexpr std::chrono::milliseconds kGlance(50);

/// The work and what is known of it from outside.
class Worker {
 public:
  Worker(int jobs, const std::function<void(const Execution&)>& work)
      : thread_([this, jobs, &work](const std::stop_token& stop) {
          try {
            work(
                {.jobs = jobs, .stop = stop, .progress = [this](std::size_t done, std::size_t all) {
                   const std::lock_guard lock(mutex_);
                   // Threads report in any order.
                   if (all != all_ || done > done_) done_ = done;
                   all_ = all;
                 }});
          } catch (...) {
            failure_ = std::current_exception();
          }
          const std::lock_guard lock(mutex_);
          finished_ = true;
          changed_.notify_all();
        }) {}

  /// True when the work is over; waits for that at most so long.
  bool WaitFor(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return finished_; });
  }
  void StopAndWait() {
    thread_.request_stop();
    while (!WaitFor(std::chrono::hours(1))) {
    }
  }
  [[nodiscard]] std::pair<std::size_t, std::size_t> Count() {
    const std::lock_guard lock(mutex_);
    return {done_, all_};
  }
  /// Once it is over.
  [[nodiscard]] const std::exception_ptr& failure() const { return failure_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t done_ = 0;
  std::size_t all_ = 0;
  bool finished_ = false;
  std::exception_ptr failure_;
  std::jthread thread_;  // last: it uses all the others
};

/// Tells the count if it changed.
class Reporter {
 public:
  explicit Reporter(const py::object& progress) : progress_(progress) {}
  void Tell(std::pair<std::size_t, std::size_t> count) {
    if (progress_.is_none() || count == told_) return;
    told_ = count;
    progress_(count.first, count.second);
  }

 private:
  const py::object& progress_;
  std::pair<std::size_t, std::size_t> told_{0, 0};
};

/// The sentence about what was kept, where the work says one.
std::optional<std::string> KeptSentence(const std::exception_ptr& failure) {
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const RaisedError& error) {
    if (error.kind() == ErrorKind::kInterrupted) return error.what();
  } catch (...) {
  }
  return std::nullopt;
}

}  // namespace

void Watch(int jobs, const py::object& progress, const std::function<void(const Execution&)>& work,
           const std::function<void()>& glance) {
  if (jobs < 0) throw RaisedError(UsageError("jobs is {}, expected 0 (all cores) or more", jobs));
  Worker worker(jobs, work);
  Reporter reporter(progress);
  bool finished = false;
  while (!finished) {
    {
      const py::gil_scoped_release release;
      finished = worker.WaitFor(kGlance);
    }
    try {
      if (PyErr_CheckSignals() != 0) throw py::python_error();
      reporter.Tell(worker.Count());
      if (glance) glance();
    } catch (py::python_error& raised) {
      {
        const py::gil_scoped_release release;
        worker.StopAndWait();
      }
      const std::optional<std::string> kept = KeptSentence(worker.failure());
      if (raised.matches(PyExc_KeyboardInterrupt) && kept.has_value()) {
        throw RaisedError({ErrorKind::kInterrupted, *kept});
      }
      throw;
    }
  }
  if (worker.failure()) std::rethrow_exception(worker.failure());
}

}  // namespace gonogo::python
