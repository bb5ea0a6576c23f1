// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/checkpoint.h"

#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gonogo/io/file.h"

namespace gonogo::train {
namespace {

constexpr std::string_view kMagic = "gonogo training checkpoint 2\n";
constexpr std::string_view kMagic1 =
    "gonogo training checkpoint 1\n";  // knew no average and no inputs

/// Takes values and lists one after the other.
class Writer {
 public:
  explicit Writer(std::string_view magic) : bytes_(magic) {}

  template <typename T>
  requires std::is_arithmetic_v<T>
  void operator()(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  template <typename List>
  void operator()(const List& values) {
    (*this)(static_cast<std::uint64_t>(values.size()));
    bytes_.append(reinterpret_cast<const char*>(values.data()),
                  values.size() * sizeof(typename List::value_type));
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads what Writer wrote; once something is missing, everything after it is empty.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) {
    if (Take(sizeof(T))) std::memcpy(&value, taken_.data(), sizeof(T));
  }
  template <typename List>
  void operator()(List& values) {
    using T = typename List::value_type;
    std::uint64_t count = 0;
    (*this)(count);
    if (count > bytes_.size() / sizeof(T)) intact_ = false;
    if (!Take(count * sizeof(T))) return;
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), taken_.data(), taken_.size());
  }
  [[nodiscard]] bool complete() const { return intact_ && bytes_.empty(); }

 private:
  bool Take(std::size_t count) {
    if (count > bytes_.size()) intact_ = false;
    if (!intact_) return false;
    taken_ = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return true;
  }

  std::string_view bytes_;
  std::string_view taken_;
  bool intact_ = true;
};

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
  Writer writer(kMagic);
  VisitContents(checkpoint, /*first_version=*/false, writer);
  return io::WriteFile(file, writer.bytes());
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
  Reader reader(bytes.substr(kMagic.size()));
  Checkpoint checkpoint;
  VisitContents(checkpoint, first_version, reader);
  if (!reader.complete()) return InputError("{}: the checkpoint is damaged", file.string());
  return checkpoint;
}

}  // namespace gonogo::train
