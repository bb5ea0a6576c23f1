// SPDX-License-Identifier: Apache-2.0
// Whatever a looks.json holds, a look is refused with a message or counted, and what is written
// then can be read again.
#include "fuzz/json_mutator.h"
#include "fuzz/scratch_folder.h"

#include "gonogo/audit/session/looks_ledger.h"
#include "gonogo/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo::fuzz;
  using gonogo::audit::LooksLedger;
  PutFile("looks.json", AsText(data, size));
  const LooksLedger ledger(ScratchFolder());
  const LooksLedger::Audit audit{
      .declaration = "d", .table = "t", .clusters = {{"a", "1"}, {"b", "2"}}};
  const gonogo::Result<LooksLedger::Look> look = ledger.Take(audit);
  if (!look.ok()) {
    GONOGO_CHECK(look.error().message.starts_with(ledger.file().string()));
    return 0;
  }
  GONOGO_CHECK(ledger.Record(audit, "{\"H_dep\":0.5}").ok());
  GONOGO_CHECK(!ledger.Take(audit).value().is_new);
  GONOGO_CHECK(ledger.Withdraw(audit).ok());
  return 0;
}
