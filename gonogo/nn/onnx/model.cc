// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/model.h"

#include <algorithm>
#include <utility>

#include "gonogo/base/check.h"
#include "gonogo/io/file.h"
#include "gonogo/nn/onnx/internal/operator.h"

namespace gonogo::nn {
namespace {

// Rows run together: enough to reuse each weight many times, few enough that all activations of a
// policy stay in the second-level cache. A multiple of the kernel's six.
constexpr std::size_t kBlockRows = 48;

std::vector<OnnxPort> Describe(const std::vector<graph::Port>& ports) {
  std::vector<OnnxPort> described;
  for (const graph::Port& port : ports) {
    described.push_back({port.name, port.shape, graph::Extent(port.shape, 0, port.shape.size())});
  }
  return described;
}

bool Reads(const graph::Ref& ref, const graph::Ref& computed) {
  return !ref.constant && ref.offset == computed.offset && ref.size == computed.size;
}

/// The first step `value op constants` or, for commutative ones, `constants op value`.
const graph::BinaryStep* ConstantStepOn(const graph::ExecutionPlan& plan, const graph::Ref& value) {
  for (const graph::Step& step : plan.steps) {
    const auto* binary = std::get_if<graph::BinaryStep>(&step);
    if (binary == nullptr) continue;
    const bool commutes =
        binary->op == graph::BinaryOp::kAdd || binary->op == graph::BinaryOp::kMul;
    if (Reads(binary->a, value) && binary->b.constant) return binary;
    if (commutes && Reads(binary->b, value) && binary->a.constant) return binary;
  }
  return nullptr;
}

std::vector<float> Constants(const graph::ExecutionPlan& plan, const graph::BinaryStep& step) {
  const graph::Ref& ref = step.b.constant ? step.b : step.a;
  const auto values = std::span(plan.constants).subspan(ref.offset, ref.size);
  return {values.begin(), values.end()};
}

/// The normaliser a plan applies to its first input: a subtraction (or addition) of constants, then
/// a division by (or multiplication with) constants. Nothing if the graph begins otherwise.
std::optional<InputNormaliser> FindNormaliser(const graph::ExecutionPlan& plan) {
  if (plan.inputs.empty()) return std::nullopt;
  const graph::BinaryStep* shift = ConstantStepOn(plan, plan.inputs[0]);
  if (shift == nullptr) return std::nullopt;
  if (shift->op != graph::BinaryOp::kSub && shift->op != graph::BinaryOp::kAdd) return std::nullopt;
  const graph::BinaryStep* stretch = ConstantStepOn(plan, shift->out);
  if (stretch == nullptr) return std::nullopt;
  if (stretch->op != graph::BinaryOp::kDiv && stretch->op != graph::BinaryOp::kMul)
    return std::nullopt;
  InputNormaliser normaliser{Constants(plan, *shift), Constants(plan, *stretch)};
  const std::size_t size = plan.inputs[0].size;
  if (normaliser.mean.size() != size || normaliser.scale.size() != size) return std::nullopt;
  if (shift->op == graph::BinaryOp::kAdd) {
    for (float& value : normaliser.mean) value = -value;
  }
  if (stretch->op == graph::BinaryOp::kMul) {
    for (float& value : normaliser.scale) value = 1.0F / value;
  }
  return normaliser;
}

}  // namespace

struct OnnxModel::Content {
  graph::ExecutionPlan plan;
  std::vector<OnnxPort> inputs;
  std::vector<OnnxPort> outputs;
  std::map<std::string, std::string> metadata;
  std::optional<InputNormaliser> normaliser;
};

Result<OnnxModel> OnnxModel::Read(std::string_view bytes, std::string_view name,
                                  const std::filesystem::path* directory) {
  const auto where = directory == nullptr ? std::nullopt : std::optional(*directory);
  Result<graph::Graph> graph = graph::ReadGraph(bytes, where);
  if (!graph.ok())
    return Error{graph.error().kind, fmt::format("{}: {}", name, graph.error().message)};
  Result<graph::Compiled> compiled = graph::Compile(graph.value());
  if (!compiled.ok()) return InputError("{}: {}", name, compiled.error().message);
  auto content = std::make_shared<Content>();
  content->plan = std::move(compiled.value().plan);
  content->inputs = Describe(compiled.value().inputs);
  content->outputs = Describe(compiled.value().outputs);
  content->normaliser = FindNormaliser(content->plan);
  content->metadata = std::move(graph.value().metadata);
  return OnnxModel(std::move(content));
}

Result<OnnxModel> OnnxModel::Load(const std::filesystem::path& file) {
  const io::MappedFile mapped = GONOGO_TRY(io::MappedFile::Open(file));
  const std::filesystem::path directory = file.parent_path();
  return Read(mapped.bytes(), file.string(), &directory);
}

Result<OnnxModel> OnnxModel::Parse(std::string_view bytes, std::string_view name) {
  return Read(bytes, name, nullptr);
}

const std::vector<OnnxPort>& OnnxModel::inputs() const { return content_->inputs; }
const std::vector<OnnxPort>& OnnxModel::outputs() const { return content_->outputs; }
const std::map<std::string, std::string>& OnnxModel::metadata() const { return content_->metadata; }
const std::optional<InputNormaliser>& OnnxModel::normaliser() const { return content_->normaliser; }

void OnnxModel::Run(std::span<const std::span<const float>> inputs,
                    std::span<const std::span<float>> outputs, Scratch& scratch) const {
  GONOGO_CHECK(inputs.size() == content_->inputs.size());
  GONOGO_CHECK(outputs.size() == content_->outputs.size());
  const std::size_t rows = outputs[0].size() / content_->outputs[0].size;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    GONOGO_CHECK(inputs[i].size() == rows * content_->inputs[i].size);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    GONOGO_CHECK(outputs[i].size() == rows * content_->outputs[i].size);
  }
  const std::size_t needed = std::min(rows, kBlockRows) * content_->plan.row_floats;
  if (scratch.arena_.size() < needed) scratch.arena_.resize(needed);
  for (std::size_t first = 0; first < rows; first += kBlockRows) {
    RunBlock(inputs, outputs, first, std::min(kBlockRows, rows - first), scratch.arena_.data());
  }
}

void OnnxModel::RunBlock(std::span<const std::span<const float>> inputs,
                         std::span<const std::span<float>> outputs, std::size_t first,
                         std::size_t rows, float* arena) const {
  const graph::ExecutionPlan& plan = content_->plan;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const graph::Ref& ref = plan.inputs[i];
    std::copy_n(inputs[i].data() + first * ref.size, rows * ref.size, arena + ref.offset * rows);
  }
  graph::Execute(plan, arena, rows);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const graph::Ref& ref = plan.outputs[i];
    float* const out = outputs[i].data() + first * ref.size;
    if (!ref.constant) {
      std::copy_n(arena + ref.offset * rows, rows * ref.size, out);
      continue;
    }
    for (std::size_t row = 0; row < rows; ++row) {
      std::copy_n(plan.constants.data() + ref.offset, ref.size, out + row * ref.size);
    }
  }
}

}  // namespace gonogo::nn
