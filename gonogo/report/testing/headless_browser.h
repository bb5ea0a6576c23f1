// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace gonogo::report::internal {

/// What a browser made of a page; for tests.
struct BrowserVisit {
  std::string dom;      ///< the document after its scripts ran, as HTML
  std::string console;  ///< every message the page wrote to the console, one per line
};

inline std::string ReadWhole(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The messages of the page among those of the browser and of its software rasteriser.
inline std::string ConsoleLines(const std::filesystem::path& log) {
  std::ifstream file(log);
  std::string console;
  for (std::string line; std::getline(file, line);) {
    const bool of_page = line.find("GL Driver Message") == std::string::npos;
    if (of_page && line.find("CONSOLE") != std::string::npos) console += line + "\n";
  }
  return console;
}

/// Opens the page in headless Chromium and lets it run for a few virtual seconds. Nothing when no
/// Chromium is installed.
inline std::optional<BrowserVisit> Visit(const std::string& html, const std::string& flags = "") {
  if (std::system("command -v chromium >/dev/null") != 0) return std::nullopt;
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / fmt::format("gonogo-page-{}", getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "page.html") << html;
  const std::string command = fmt::format(
      "cd '{}' && timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic "
      "--no-first-run --disable-background-networking --disable-component-update --disable-sync "
      "--user-data-dir=profile --virtual-time-budget=6000 --enable-logging=stderr {} "
      "--dump-dom page.html >dom.html 2>log.txt",
      folder.string(), flags);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  BrowserVisit visit{.dom = ReadWhole(folder / "dom.html"),
                     .console = ConsoleLines(folder / "log.txt")};
  std::filesystem::remove_all(folder);
  return visit;
}

}  // namespace gonogo::report::internal
