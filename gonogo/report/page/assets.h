// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// Files of `web/`, compiled into the library (`cmake/GonogoWeb.cmake`).
namespace gonogo::report {

/// Style of every page.
[[nodiscard]] std::string_view PageCss();
/// Draws `<div data-chart>`; empty when gonogo was built without Node.js.
[[nodiscard]] std::string_view ChartsJs();
/// Style of the viewer, on top of the other.
[[nodiscard]] std::string_view ViewerCss();
/// The 3-D viewer; empty when gonogo was built without Node.js.
[[nodiscard]] std::string_view ViewerJs();

}  // namespace gonogo::report
