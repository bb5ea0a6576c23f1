// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gonogo/adapter/folder/adapter.h"

namespace gonogo::adapter {
namespace {

/// What stands first when the audit does not say GO.
constexpr const char* kWarning = R"(
> **Do not deploy this adapter on the strength of this export.** {} It was exported because somebody
> asked for it all the same (`--export-anyway`). The cheaper thing to do is to always take `{}`.
)";

constexpr const char* kUse = R"(
## What is here

| file | |
|---|---|
| `adapter.onnx` | the ensemble: input `features` [rows, {}], outputs {} [rows, {} members, {} actions]; normalisation is inside |
| `adapter.json` | the names of all features and actions, the constants of the gate, the verdict, where all of it comes from |

## How it chooses

For every action but the reference (`{}`) the members' predictions become a mean and a standard deviation sd (divisor: members
minus {}). An action passes the gate when its upper work estimate (mean + {} sd) is below 0{}{}. Of those that pass, the one with
the lowest upper work estimate is taken; if none passes, `{}`.

## How to use it

    gonogo rollout ROBOT --target 2,0 --controller adapter:THIS_FOLDER      # an adapter of a robot
    gonogo confirm THIS_FOLDER ROBOT                                        # does the gain survive in the closed loop?

    import gonogo                                                           # any adapter, from Python
    gonogo.Adapter.load("THIS_FOLDER").choose(features)

A feature row is {} numbers in the order of `features` in `adapter.json`{}. Both files carry hashes; a file that was
changed afterwards is refused.
)";

std::string QuotedList(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "`" : ", `") + name + "`";
  return text;
}

bool Predicts(const Manifest& manifest, std::string_view output) {
  for (const std::string& name : manifest.outputs) {
    if (name == output) return true;
  }
  return false;
}

}  // namespace

std::string ReadmeText(const Manifest& manifest) {
  const Layout& layout = manifest.layout;
  const Gate& gate = manifest.gate;
  std::string text = fmt::format("# An adapter trained by gonogo: {}\n\n**{}**\n",
                                 manifest.protocol.value("name", "audit"), manifest.VerdictText());
  if (!manifest.is_advised()) {
    text += fmt::format(kWarning, manifest.VerdictText(), manifest.best_fixed);
  }
  text += fmt::format("\nLearner {}, trained on all {} clusters ({} queries) of `{}`.\n",
                      manifest.learner, manifest.table.value("clusters", 0),
                      manifest.table.value("queries", 0),
                      manifest.table.value("file", std::string("a table in memory")));
  const std::string time =
      Predicts(manifest, "time")
          ? fmt::format(", its upper time estimate at most {}", gate.time_limit)
          : "";
  const std::string eligible =
      Predicts(manifest, "eligible")
          ? fmt::format(", its lower estimate of being eligible at least {}", gate.min_eligibility)
          : "";
  return text +
         fmt::format(kUse, layout.inputs(), QuotedList(manifest.outputs), manifest.members,
                     layout.candidates(), layout.actions.front(), gate.ddof, gate.z, time, eligible,
                     layout.actions.front(), layout.inputs(),
                     layout.action_features.empty()
                         ? ""
                         : ", then those of `action_features` for every action but the reference");
}

}  // namespace gonogo::adapter
