// SPDX-License-Identifier: Apache-2.0
// report_preview RESULT.json > report.html — for looking at the page while working on it.
#include <fstream>
#include <iostream>

#include "gonogo/report/audit_page.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: report_preview RESULT.json\n";
    return 2;
  }
  std::ifstream file(argv[1]);
  std::cout << gonogo::report::AuditPage(nlohmann::json::parse(file));
}
