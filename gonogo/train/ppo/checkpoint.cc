// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/checkpoint.h"

#include <string_view>

#include "gonogo/base/bytes.h"
#include "gonogo/io/file.h"

namespace gonogo::train {
namespace {

constexpr std::string_view kMagic = "gonogo training checkpoint 2\n";
constexpr std::string_view kMagic1 =
    "gonogo training checkpoint 1\n";  // knew no average and no inputs

/// The contents of a file in their order, named once for reading and writing. The first version
/// knew no average and no inputs.
template <typename Contents, typename Visit>
void VisitContents(Contents& checkpoint, bool first_version, Visit& visit) {
  visit(checkpoint.fingerprint);
  visit(checkpoint.iteration);
  visit(checkpoint.samples);
  auto& learner = checkpoint.learner;
  visit(learner.actor);
  visit(learner.critic);
  visit(learner.log_std);
  for (auto* moments :
       {&learner.actor_optimiser, &learner.std_optimiser, &learner.critic_optimiser}) {
    visit(moments->first_moment);
    visit(moments->second_moment);
    visit(moments->beta1_power);
    visit(moments->beta2_power);
  }
  visit(learner.learning_rate);
  if (first_version) return;
  visit(learner.average);
  visit(learner.input_scale);
  visit(learner.input_centre);
}

}  // namespace

Status SaveCheckpoint(const std::filesystem::path& file, const Checkpoint& checkpoint) {
  ByteWriter writer(kMagic);
  VisitContents(checkpoint, /*first_version=*/false, writer);
  return io::WriteFile(file, writer.Take());
}

Result<Checkpoint> LoadCheckpoint(const std::filesystem::path& file) {
  const std::string bytes = GONOGO_TRY(io::ReadFile(file));
  return ParseCheckpoint(bytes, file);
}

Result<Checkpoint> ParseCheckpoint(std::string_view bytes, const std::filesystem::path& file) {
  const bool first_version = bytes.starts_with(kMagic1);
  if (!bytes.starts_with(kMagic) && !first_version) {
    return InputError("{}: not a training checkpoint of this version", file.string());
  }
  ByteReader reader(bytes.substr(kMagic.size()));
  Checkpoint checkpoint;
  VisitContents(checkpoint, first_version, reader);
  if (!reader.intact() || !reader.at_end())
    return InputError("{}: the checkpoint is damaged", file.string());
  return checkpoint;
}

}  // namespace gonogo::train
