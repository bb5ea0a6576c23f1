// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/ensemble_file.h"

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
  Result<io::Hdf5File> created = io::Hdf5File::Create(path);
  if (!created.ok()) return created.error();
  io::Hdf5File& file = created.value();
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
  const Result<std::string> schema = file.ReadText("/", "schema");
  if (!schema.ok()) return schema.error();
  if (schema.value() != kSchema) {
    return InputError("{}: attribute 'schema' is '{}', expected '{}'", file.name(), schema.value(),
                      kSchema);
  }
  Result<std::vector<std::string>> kinds = file.ReadTexts("/", "kinds");
  if (!kinds.ok()) return kinds.error();
  Result<io::Array<std::int32_t>> sizes = file.Read<std::int32_t>("/sizes");
  if (!sizes.ok()) return sizes.error();
  Result<io::Array<double>> statistics = file.Read<double>("/statistics");
  if (!statistics.ok()) return statistics.error();
  Result<io::Array<float>> parameters = file.Read<float>("/parameters");
  if (!parameters.ok()) return parameters.error();
  const Result<std::string> sha256 = file.ReadText("/", "sha256");
  if (!sha256.ok()) return sha256.error();
  Contents contents{std::move(kinds.value()), std::move(sizes.value().values),
                    std::move(statistics.value().values), std::move(parameters.value().values)};
  if (Fingerprint(contents) != sha256.value()) {
    return InputError("{}: contents do not match their sha256 attribute {}: the file was altered",
                      file.name(), sha256.value());
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
  if (const Status status = CheckSizes(contents, file); !status.ok()) return status.error();
  MlpShape shape{.sizes = {contents.sizes.begin(), contents.sizes.end()}};
  const Result<int> hidden = IndexOf(kActivations, contents.kinds[0], file);
  if (!hidden.ok()) return hidden.error();
  const Result<int> output = IndexOf(kActivations, contents.kinds[1], file);
  if (!output.ok()) return output.error();
  shape.hidden = static_cast<Activation>(hidden.value());
  shape.output = static_cast<Activation>(output.value());
  Ensemble ensemble;
  for (std::size_t j = 2; j < contents.kinds.size(); ++j) {
    const Result<int> loss = IndexOf(kLosses, contents.kinds[j], file);
    if (!loss.ok()) return loss.error();
    ensemble.losses.push_back(static_cast<Loss>(loss.value()));
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
  if (Status status = Write(Flatten(ensemble), ensemble.members.size(), temporary); !status.ok()) {
    return status;
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) return IoError("{}: cannot be replaced: {}", path.string(), error.message());
  return {};
}

Result<Ensemble> LoadEnsemble(const std::filesystem::path& path) {
  const Result<io::Hdf5File> file = io::Hdf5File::Open(path);
  if (!file.ok()) return file.error();
  const Result<Contents> contents = Read(file.value());
  if (!contents.ok()) return contents.error();
  return Unflatten(contents.value(), file.value().name());
}

}  // namespace gonogo::nn
