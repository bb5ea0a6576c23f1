// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/file.h"
#include "gonogo/study/collect/collect_config.h"

namespace gonogo::cli {
namespace {

constexpr const char* kDeclareExamples = R"(
Examples:
  gonogo declare audit.toml                       print the fingerprint
  gonogo declare audit.toml --out declared.toml   write every declared value, defaults spelled out
  gonogo declare --keys                           every key there is, its default and what it means

Declare before collecting. Put the fingerprint into the table while its outcomes are written: the column declaration_sha256 of a
CSV, or the attributes declaration and declaration_sha256 of an HDF5 file. An audit of a table without it is descriptive.
)";

class DeclareVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "declare", "Fix a protocol before there are data: print its fingerprint", kDeclareExamples);
    verb.Positional("protocol", protocol_, "The protocol, such as audit.toml");
    verb.Option("--out", out_, "Also write the protocol with every value spelled out");
    verb.Flag("--keys", keys_, "Print a table of all keys that a protocol can have");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    if (keys_) {
      context.terminal.Print(study::KeyTable());
      return kExitDone;
    }
    if (protocol_.empty())
      return UsageError(
          "give a protocol such as audit.toml, or --keys; 'gonogo declare --help' shows examples");
    const audit::Protocol protocol = GONOGO_TRY(study::LoadProtocol(protocol_));
    const std::string text = audit::CanonicalText(protocol);
    const std::string fingerprint = audit::Fingerprint(protocol);
    if (!out_.empty()) {
      GONOGO_TRY(io::WriteFile(out_, text));
    }
    if (context.options.json) {
      const nlohmann::json json = {{"schema", "gonogo.declaration/1"},
                                   {"name", protocol.name},
                                   {"declaration", text},
                                   {"declaration_sha256", fingerprint}};
      context.terminal.Print(json.dump(2) + "\n");
    } else {
      context.terminal.Print(fingerprint + "\n");
    }
    return kExitDone;
  }

 private:
  std::string protocol_;
  std::string out_;
  bool keys_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeDeclareVerb() { return std::make_unique<DeclareVerb>(); }

}  // namespace gonogo::cli
