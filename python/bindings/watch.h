// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <nanobind/nanobind.h>

#include "gonogo/base/parallel/execution.h"

namespace gonogo::python {

/// Runs `work` on a thread of its own, without the interpreter's lock. Meanwhile the calling thread
/// looks after the interpreter twenty times a second: it hands the latest count to `progress` (a
/// callable of two numbers, or None) and lets Python handle signals. Ctrl-C, or an exception of
/// `progress`, asks the work to stop, waits until it has kept what it finished, and raises.
/// `glance`, if there is one, is called as often on the calling thread, and once more at the end.
void Watch(int jobs, const nanobind::object& progress,
           const std::function<void(const Execution&)>& work,
           const std::function<void()>& glance = {});

}  // namespace gonogo::python
