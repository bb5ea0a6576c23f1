// SPDX-License-Identifier: Apache-2.0
// Audits a table and writes its page: consumer TABLE.csv REPORT.html. Refits and result.json are
// kept in runs/consumer-HASH, so that an audit that was interrupted goes on, and looks at growing
// data are counted beside the table.
#include <fstream>
#include <iostream>

#include <gonogo/gonogo.h>

namespace {

gonogo::Result<gonogo::audit::AuditReport> Audit(const char* file) {
  gonogo::audit::Protocol protocol;
  protocol.name = "consumer";
  protocol.reference = "merge";
  protocol.learner.kind = gonogo::audit::LearnerKind::kRidge;
  protocol.bootstrap.refits = 20;
  gonogo::audit::TableFile table = GONOGO_TRY(gonogo::audit::ReadTable(file, protocol));
  return gonogo::audit::Run({.table = std::move(table), .protocol = protocol},
                            gonogo::audit::Everywhere({}));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: consumer TABLE.csv REPORT.html\n";
    return 2;
  }
  const gonogo::Result<gonogo::audit::AuditReport> report = Audit(argv[1]);
  if (!report.ok()) {
    std::cerr << report.error().message << "\n";
    return 3;
  }
  const nlohmann::json& json = report.value().json;
  std::cout << "reading: " << json["reading"].get<std::string>() << "\n";
  const gonogo::Result<std::string> page = gonogo::report::ResultPage(json, "result");
  if (!page.ok()) {
    std::cerr << page.error().message << "\n";
    return 3;
  }
  std::ofstream(argv[2]) << page.value();
  return 0;
}
