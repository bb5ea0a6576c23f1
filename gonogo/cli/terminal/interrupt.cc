// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/terminal/interrupt.h"

#include <csignal>
#include <cstdlib>
#include <thread>

#include "gonogo/cli/terminal/exit_code.h"

namespace gonogo::cli {

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

}  // namespace gonogo::cli
