// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/ensemble_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include "gonogo/io/hdf5_file.h"
#include "gonogo/io/sha256.h"

namespace gonogo::nn {
namespace {

constexpr std::string_view kSchema = "gonogo-ensemble/1";
constexpr std::array<std::string_view, 4> kActivations = {"identity", "relu", "elu", "tanh"};
constexpr std::array<std::string_view, 3> kLosses = {"squared-error", "smooth-l1",
                                                     "binary-cross-entropy"};

/// Everything a file holds besides the schema, in the order it is fingerprinted.
struct Contents {
  std::vector<std::string> kinds;  // activation of hidden layers, of outputs, then one loss each
  std::vector<std::int32_t> sizes;
  std::vector<double> statistics;  // input mean, input scale, target mean, target scale
  std::vector<float> parameters;   // member after member
};

template <typename T>
void AppendBytes(const std::vector<T>& values, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

std::string Fingerprint(const Contents& contents) {
  std::string bytes;
  for (const std::string& kind : contents.kinds) bytes += kind + '\n';
  AppendBytes(contents.sizes, bytes);
  AppendBytes(contents.statistics, bytes);
  AppendBytes(contents.parameters, bytes);
  return io::Sha256Hex(bytes);
}

Contents Flatten(const Ensemble& ensemble) {
  const MlpShape& shape = ensemble.members.front().shape();
  Contents contents;
  contents.kinds = {std::string(kActivations[static_cast<int>(shape.hidden)]),
                    std::string(kActivations[static_cast<int>(shape.output)])};
  for (const Loss loss : ensemble.losses) {
    contents.kinds.emplace_back(kLosses[static_cast<int>(loss)]);
  }
  contents.sizes.assign(shape.sizes.begin(), shape.sizes.end());
  for (const std::vector<double>* part : {&ensemble.input.mean, &ensemble.input.scale,
                                          &ensemble.target.mean, &ensemble.target.scale}) {
    contents.statistics.insert(contents.statistics.end(), part->begin(), part->end());
  }
  for (const Mlp<float>& member : ensemble.members) {
    contents.parameters.insert(contents.parameters.end(), member.parameters().begin(),
                               member.parameters().end());
  }
  return contents;
}

Status Write(const Contents& contents, std::size_t members, const std::filesystem::path& path) {
  io::Hdf5File created = GONOGO_TRY(io::Hdf5File::Create(path));
  io::Hdf5File& file = created;
  const std::array<std::size_t, 2> shape = {members, contents.parameters.size() / members};
  const std::array<std::size_t, 1> sizes = {contents.sizes.size()};
  const std::array<std::size_t, 1> statistics = {contents.statistics.size()};
  for (const Status& status :
       {file.WriteText("/", "schema", kSchema),
        file.WriteText("/", "sha256", Fingerprint(contents)),
        file.WriteTexts("/", "kinds", contents.kinds),
        file.Write<std::int32_t>("/sizes", sizes, contents.sizes),
        file.Write<double>("/statistics", statistics, contents.statistics),
        file.Write<float>("/parameters", shape, contents.parameters), file.Close()}) {
    if (!status.ok()) return status;
  }
  return {};
}

Result<Contents> Read(const io::Hdf5File& file) {
  const std::string schema = GONOGO_TRY(file.ReadText("/", "schema"));
  if (schema != kSchema) {
    return InputError("{}: attribute 'schema' is '{}', expected '{}'", file.name(), schema,
                      kSchema);
  }
  std::vector<std::string> kinds = GONOGO_TRY(file.ReadTexts("/", "kinds"));
  io::Array<std::int32_t> sizes = GONOGO_TRY(file.Read<std::int32_t>("/sizes"));
  io::Array<double> statistics = GONOGO_TRY(file.Read<double>("/statistics"));
  io::Array<float> parameters = GONOGO_TRY(file.Read<float>("/parameters"));
  const std::string sha256 = GONOGO_TRY(file.ReadText("/", "sha256"));
  Contents contents{std::move(kinds), std::move(sizes.values), std::move(statistics.values),
                    std::move(parameters.values)};
  if (Fingerprint(contents) != sha256) {
    return InputError("{}: contents do not match their sha256 attribute {}: the file was altered",
                      file.name(), sha256);
  }
  return contents;
}

template <typename Names>
Result<int> IndexOf(const Names& names, const std::string& name, const std::string& file) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return InputError("{}: unknown entry '{}' in 'kinds'", file, name);
  return static_cast<int>(found - names.begin());
}

/// Whoever wrote a matching fingerprint may still have written nonsense.
Status CheckSizes(const Contents& contents, const std::string& file) {
  const bool sizes_ok = contents.sizes.size() >= 2 &&
                        std::ranges::all_of(contents.sizes, [](int size) { return size > 0; });
  if (!sizes_ok) return InputError("{}: 'sizes' must be at least two positive numbers", file);
  const auto inputs = static_cast<std::size_t>(contents.sizes.front());
  const auto outputs = static_cast<std::size_t>(contents.sizes.back());
  const std::size_t count =
      MlpShape{.sizes = {contents.sizes.begin(), contents.sizes.end()}}.parameter_count();
  if (contents.kinds.size() != 2 + outputs || contents.parameters.empty() ||
      contents.statistics.size() != 2 * (inputs + outputs) ||
      contents.parameters.size() % count != 0) {
    return InputError(
        "{}: {} kinds, {} statistics and {} parameters do not fit {} inputs, {} "
        "outputs and {} parameters a member",
        file, contents.kinds.size(), contents.statistics.size(), contents.parameters.size(), inputs,
        outputs, count);
  }
  return {};
}

Result<Ensemble> Unflatten(const Contents& contents, const std::string& file) {
  GONOGO_TRY(CheckSizes(contents, file));
  MlpShape shape{.sizes = {contents.sizes.begin(), contents.sizes.end()}};
  const int hidden = GONOGO_TRY(IndexOf(kActivations, contents.kinds[0], file));
  const int output = GONOGO_TRY(IndexOf(kActivations, contents.kinds[1], file));
  shape.hidden = static_cast<Activation>(hidden);
  shape.output = static_cast<Activation>(output);
  Ensemble ensemble;
  for (std::size_t j = 2; j < contents.kinds.size(); ++j) {
    const int loss = GONOGO_TRY(IndexOf(kLosses, contents.kinds[j], file));
    ensemble.losses.push_back(static_cast<Loss>(loss));
  }
  auto next = contents.statistics.begin();
  const auto take = [&](int count) {
    next += count;
    return std::vector<double>(next - count, next);
  };
  ensemble.input.mean = take(shape.inputs());
  ensemble.input.scale = take(shape.inputs());
  ensemble.target.mean = take(shape.outputs());
  ensemble.target.scale = take(shape.outputs());
  const std::size_t count = shape.parameter_count();
  for (std::size_t first = 0; first < contents.parameters.size(); first += count) {
    ensemble.members.emplace_back(shape);
    std::copy_n(contents.parameters.begin() + static_cast<std::ptrdiff_t>(first), count,
                ensemble.members.back().parameters().begin());
  }
  return ensemble;
}

}  // namespace

Status SaveEnsemble(const Ensemble& ensemble, const std::filesystem::path& path) {
  GONOGO_CHECK(!ensemble.members.empty());
  std::filesystem::path temporary = path;
  temporary += ".tmp";
  GONOGO_TRY(Write(Flatten(ensemble), ensemble.members.size(), temporary));
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) return IoError("{}: cannot be replaced: {}", path.string(), error.message());
  return {};
}

Result<Ensemble> LoadEnsemble(const std::filesystem::path& path) {
  const io::Hdf5File file = GONOGO_TRY(io::Hdf5File::Open(path));
  const Contents contents = GONOGO_TRY(Read(file));
  return Unflatten(contents, file.name());
}

}  // namespace gonogo::nn
