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

class Writer {
 public:
  template <typename T>
  void Value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  template <typename T>
  void Array(std::span<const T> values) {
    Value(static_cast<std::uint64_t>(values.size()));
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  void Floats(const std::vector<float>& values) { Array(std::span<const float>(values)); }
  [[nodiscard]] std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

// Reads what Writer wrote; once something is missing, everything after it is empty.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T Value() {
    T value{};
    if (Take(sizeof(T))) std::memcpy(&value, taken_.data(), sizeof(T));
    return value;
  }
  template <typename Container>
  Container Array() {
    using T = typename Container::value_type;
    const auto count = Value<std::uint64_t>();
    if (count > bytes_.size() / sizeof(T) || !Take(count * sizeof(T))) {
      intact_ = false;
      return {};
    }
    Container values(count, T{});
    if (count > 0) std::memcpy(values.data(), taken_.data(), taken_.size());
    return values;
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

void Write(const nn::AdamW<float>::State& state, Writer& writer) {
  writer.Floats(state.first_moment);
  writer.Floats(state.second_moment);
  writer.Value(state.beta1_power);
  writer.Value(state.beta2_power);
}

nn::AdamW<float>::State ReadAdam(Reader& reader) {
  nn::AdamW<float>::State state;
  state.first_moment = reader.Array<std::vector<float>>();
  state.second_moment = reader.Array<std::vector<float>>();
  state.beta1_power = reader.Value<double>();
  state.beta2_power = reader.Value<double>();
  return state;
}

}  // namespace

Status SaveCheckpoint(const std::filesystem::path& file, const Checkpoint& checkpoint) {
  Writer writer;
  writer.bytes().append(kMagic);
  writer.Array(std::span<const char>(checkpoint.fingerprint));
  writer.Value(checkpoint.iteration);
  writer.Value(checkpoint.samples);
  const PpoLearner::State& learner = checkpoint.learner;
  writer.Floats(learner.actor);
  writer.Floats(learner.critic);
  writer.Floats(learner.log_std);
  Write(learner.actor_optimiser, writer);
  Write(learner.std_optimiser, writer);
  Write(learner.critic_optimiser, writer);
  writer.Value(learner.learning_rate);
  writer.Floats(learner.average);
  writer.Floats(learner.input_scale);
  writer.Floats(learner.input_centre);
  return io::WriteFile(file, writer.bytes());
}

Result<Checkpoint> LoadCheckpoint(const std::filesystem::path& file) {
  const std::string bytes = GONOGO_TRY(io::ReadFile(file));
  return ParseCheckpoint(bytes, file);
}

Result<Checkpoint> ParseCheckpoint(std::string_view bytes, const std::filesystem::path& file) {
  if (!bytes.starts_with(kMagic) && !bytes.starts_with(kMagic1)) {
    return InputError("{}: not a training checkpoint of this version", file.string());
  }
  Reader reader(bytes.substr(kMagic.size()));
  Checkpoint checkpoint;
  checkpoint.fingerprint = reader.Array<std::string>();
  checkpoint.iteration = reader.Value<std::int64_t>();
  checkpoint.samples = reader.Value<std::int64_t>();
  PpoLearner::State& learner = checkpoint.learner;
  learner.actor = reader.Array<std::vector<float>>();
  learner.critic = reader.Array<std::vector<float>>();
  learner.log_std = reader.Array<std::vector<float>>();
  learner.actor_optimiser = ReadAdam(reader);
  learner.std_optimiser = ReadAdam(reader);
  learner.critic_optimiser = ReadAdam(reader);
  learner.learning_rate = reader.Value<double>();
  if (bytes.starts_with(kMagic)) {
    learner.average = reader.Array<std::vector<float>>();
    learner.input_scale = reader.Array<std::vector<float>>();
    learner.input_centre = reader.Array<std::vector<float>>();
  }
  if (!reader.complete()) return InputError("{}: the checkpoint is damaged", file.string());
  return checkpoint;
}

}  // namespace gonogo::train
