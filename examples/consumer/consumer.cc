// SPDX-License-Identifier: Apache-2.0
// Audits a table and writes its page: consumer TABLE.csv REPORT.html
#include <fstream>
#include <iostream>

#include <gonogo/gonogo.h>

namespace {

gonogo::Result<gonogo::audit::AuditResult> Audit(const char* file) {
  gonogo::audit::Protocol protocol;
  protocol.name = "consumer";
  protocol.reference = "merge";
  protocol.learner.kind = gonogo::audit::LearnerKind::kRidge;
  protocol.bootstrap.refits = 20;
  const gonogo::audit::OutcomeTable table = GONOGO_TRY(gonogo::audit::ReadTable(file, protocol));
  return gonogo::audit::RunAudit(table, protocol, {}, {});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: consumer TABLE.csv REPORT.html\n";
    return 2;
  }
  const gonogo::Result<gonogo::audit::AuditResult> result = Audit(argv[1]);
  if (!result.ok()) {
    std::cerr << result.error().message << "\n";
    return 3;
  }
  const nlohmann::json json = gonogo::audit::ToJson(result.value());
  std::cout << "reading: " << json["reading"].get<std::string>() << "\n";
  const gonogo::Result<std::string> page = gonogo::report::ResultPage(json, "result");
  if (!page.ok()) {
    std::cerr << page.error().message << "\n";
    return 3;
  }
  std::ofstream(argv[2]) << page.value();
  return 0;
}
