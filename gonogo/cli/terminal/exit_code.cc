// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/terminal/exit_code.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <unistd.h>

#include "gonogo/io/file.h"

namespace gonogo::cli {

ExitCode ExitCodeOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return kExitUsage;
    case ErrorKind::kInput:
      return kExitInput;
    case ErrorKind::kIo:
      return kExitIo;
    case ErrorKind::kInterrupted:
      return kExitInterrupted;
  }
  return kExitBug;
}

std::stop_token InstallInterruptHandler() {
  // Leaked on purpose: the watcher thread outlives main.
  static auto* source = new std::stop_source;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    int signal = 0;
    sigwait(&signals, &signal);
    source->request_stop();
    sigwait(&signals, &signal);
    std::_Exit(kExitInterrupted);
  }).detach();
  return source->get_token();
}

void InstallCutFileHandler() {
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = [](int, siginfo_t* info, void*) {
    // Only what a signal handler may call.
    const char* file = io::MappedFileAt(info->si_addr);
    for (const char* part : {"gonogo: ", file != nullptr ? file : "a file",
                             ": became shorter while it was read; run the same command again when "
                             "it is whole\n"}) {
      (void)!::write(STDERR_FILENO, part, std::strlen(part));
    }
    std::_Exit(kExitIo);
  };
  if (::sigaction(SIGBUS, &action, nullptr) == 0) io::AllowMapping();
}

}  // namespace gonogo::cli
