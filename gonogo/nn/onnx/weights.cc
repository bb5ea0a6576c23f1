// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/weights.h"

#include <cstring>
#include <map>
#include <string>

#include <onnx/onnx_pb.h>

#include "gonogo/io/file.h"

namespace gonogo::nn {
namespace {

using Tensors = std::map<std::string, const ::onnx::TensorProto*>;

Status CopyTensor(const std::string& file, const Tensors& tensors, const std::string& name,
                  std::span<float> values) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) return InputError("{}: has no tensor {}", file, name);
  const std::string& raw = found->second->raw_data();
  if (raw.size() != values.size_bytes()) {
    return InputError("{}: tensor {} has {} bytes, expected {}", file, name, raw.size(),
                      values.size_bytes());
  }
  std::memcpy(values.data(), raw.data(), raw.size());
  return {};
}

}  // namespace

Status ReadOnnxWeights(const std::filesystem::path& file, Ensemble& ensemble) {
  const std::string bytes = GONOGO_TRY(io::ReadFile(file));
  ::onnx::ModelProto model;
  if (!model.ParseFromString(bytes)) return InputError("{}: not ONNX", file.string());
  Tensors tensors;
  for (const ::onnx::TensorProto& tensor : model.graph().initializer()) {
    tensors[tensor.name()] = &tensor;
  }
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) {
    Mlp<float>& member = ensemble.members[m];
    const std::string prefix = ensemble.members.size() > 1 ? fmt::format("member{}.", m) : "";
    for (int l = 0; l < member.shape().layers(); ++l) {
      const std::string name = fmt::format("{}layer{}", prefix, l);
      const std::size_t weights = member.bias_offset(l) - member.weight_offset(l);
      const auto biases = static_cast<std::size_t>(member.shape().sizes[l + 1]);
      Status copied = CopyTensor(file.string(), tensors, name + ".weight",
                                 member.parameters().subspan(member.weight_offset(l), weights));
      if (!copied.ok()) return copied;
      copied = CopyTensor(file.string(), tensors, name + ".bias",
                          member.parameters().subspan(member.bias_offset(l), biases));
      if (!copied.ok()) return copied;
    }
  }
  return {};
}

}  // namespace gonogo::nn
