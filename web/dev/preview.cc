// SPDX-License-Identifier: Apache-2.0
// report_preview RESULT.json > report.html, or report_preview --viewer > viewer.html: for looking
// at the pages while working on them.
#include <fstream>
#include <iostream>
#include <string_view>

#include "gonogo/report/audit_page.h"
#include "gonogo/report/internal/example_scene.h"
#include "gonogo/report/viewer_page.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: report_preview RESULT.json | --viewer\n";
    return 2;
  }
  if (std::string_view(argv[1]) == "--viewer") {
    std::cout << gonogo::report::ViewerPage(gonogo::report::internal::ExampleScene());
    return 0;
  }
  std::ifstream file(argv[1]);
  std::cout << gonogo::report::AuditPage(nlohmann::json::parse(file));
}
