// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/ranges.h>

#include "gonogo/nn/onnx/torchscript.h"
#include "gonogo/nn/onnx/torchscript/interpreter.h"
#include "gonogo/nn/onnx/torchscript/pickle.h"

namespace gonogo::nn {
namespace torchscript {
namespace {

constexpr std::size_t kMostCode = std::size_t{16} << 20U;    // bytes of all files together
constexpr std::size_t kMostPickle = std::size_t{64} << 20U;  // bytes
constexpr std::size_t kMostCandidates = 60;                  // sizes of an input that are tried
constexpr std::size_t kMostAttempts = 4000;

/// What an archive holds before its program is gone through.
struct Script {
  ZipArchive archive;
  std::string folder;  ///< all its files are in this one
  Program program;
};

/// A tensor that a module keeps, by its path.
struct Buffer {
  Object* module = nullptr;
  std::string key;
  ScriptTensor* tensor = nullptr;
};

Result<Script> OpenScript(std::string_view bytes) {
  Script script{GONOGO_TRY(ZipArchive::Parse(bytes)), {}, {}};
  constexpr std::string_view kData = "/data.pkl";
  for (const auto& [path, entry] : script.archive.entries()) {
    if (path.ends_with(kData)) script.folder = path.substr(0, path.size() - kData.size() + 1);
  }
  if (script.folder.empty()) {
    return InputError("a zip archive without a data.pkl: PyTorch did not write it");
  }
  std::size_t code = 0;
  for (const auto& [path, entry] : script.archive.entries()) {
    if (!path.starts_with(script.folder + "code/__torch__") || !path.ends_with(".py")) continue;
    const std::string text = GONOGO_TRY(script.archive.Read(path, kMostCode));
    code += text.size();
    if (code > kMostCode) return InputError("it has more than {} bytes of code", kMostCode);
    GONOGO_TRY(ReadCode(path.substr(script.folder.size()), text, script.program));
  }
  if (script.program.classes.empty()) {
    return InputError(
        "weights alone, without the network they belong to (torch.save). Export the policy with "
        "torch.jit.script(policy).save(\"policy.pt\"), or with torch.onnx.export");
  }
  return script;
}

/// All tensors of a module and of those inside it; modules that are shared count once.
void FindBuffers(Object& module, const std::string& path, std::set<const Object*>& seen,
                 std::map<std::string, Buffer>& buffers) {
  constexpr std::size_t kMostModules = 5000;
  if (seen.size() > kMostModules || path.size() > 500 || !seen.insert(&module).second) return;
  for (auto& [key, value] : module.attributes) {
    if (auto* const* tensor = std::get_if<ScriptTensor*>(&value)) {
      buffers[path + key] = {&module, key, *tensor};
    } else if (auto* const* inner = std::get_if<Object*>(&value)) {
      FindBuffers(**inner, path + key + ".", seen, buffers);
    }
  }
}

/// What came of going through the program once.
struct Attempt {
  std::string bytes;           ///< the ONNX file, or …
  std::string refusal;         ///< … why there is none
  long nodes = 0;              ///< how far it came
  std::set<std::string> kept;  ///< paths of tensors that `forward` writes to
};

class Converter {
 public:
  explicit Converter(const Script& script) : script_(script) {}

  Status ReadSizes() {
    Heap heap;
    Object* root = GONOGO_TRY(Root(heap));
    const auto type = script_.program.classes.find(root->type);
    if (type == script_.program.classes.end() || !type->second.methods.contains("forward")) {
      return InputError("{} has no method forward", root->type);
    }
    for (const Function::Parameter& parameter : type->second.methods.at("forward").parameters) {
      if (!parameter.has_default) names_.push_back(parameter.name);
    }
    if (names_.size() < 2) return InputError("its forward takes no tensor");
    names_.erase(names_.begin());  // self
    std::set<const Object*> seen;
    std::map<std::string, Buffer> buffers;
    FindBuffers(*root, "", seen, buffers);
    for (const auto& [path, buffer] : buffers) {
      const Shape& shape = buffer.tensor->shape;
      if (!shape.empty() && shape.back() > 1) sizes_.insert(shape.back());
    }
    if (names_.size() > 1) {  // what is joined with something else is shorter than any weight
      const std::set<std::int64_t> whole = sizes_;
      for (const std::int64_t size : whole) {
        for (const std::int64_t part : whole) {
          if (size - part > 1) sizes_.insert(size - part);
        }
      }
    }
    return {};
  }

  Result<std::string> Convert(const std::vector<std::int64_t>& given) {
    if (!given.empty()) {
      if (given.size() != names_.size()) {
        return InputError("{} sizes are given, its forward takes {} ({})", given.size(),
                          names_.size(), fmt::join(names_, ", "));
      }
      Attempt attempt = Try(given);
      if (attempt.bytes.empty()) return InputError("{}", attempt.refusal);
      return std::move(attempt.bytes);
    }
    if (names_.size() > 2 || sizes_.empty() || sizes_.size() > kMostCandidates) {
      return UnknownSizes();
    }
    return Search();
  }

 private:
  Result<Object*> Root(Heap& heap) {
    const std::string data =
        GONOGO_TRY(script_.archive.Read(script_.folder + "data.pkl", kMostPickle));
    const Result<Value> value = ReadPickle(data, script_.folder + "data/", heap);
    if (!value.ok()) return InputError("data.pkl: {}", value.error().message);
    const auto* root = std::get_if<Object*>(&value.value());
    if (root == nullptr) return InputError("data.pkl holds no module");
    return *root;
  }

  Result<std::vector<Value>> Constants(Heap& heap) {
    const std::string name = script_.folder + "constants.pkl";
    if (!script_.archive.entries().contains(name)) return std::vector<Value>();
    const std::string data = GONOGO_TRY(script_.archive.Read(name, kMostPickle));
    const Result<Value> value = ReadPickle(data, script_.folder + "constants/", heap);
    if (!value.ok()) return InputError("constants.pkl: {}", value.error().message);
    const auto* list = std::get_if<Sequence*>(&value.value());
    return list == nullptr ? std::vector<Value>() : (*list)->items;
  }

  [[nodiscard]] Error UnknownSizes() const {
    return InputError(
        "the sizes of its inputs ({}) cannot be found; give them, as with gonogo convert --inputs "
        "45",
        fmt::join(names_, ", "));
  }

  /// Every combination of sizes that its weights suggest: exactly one may fit.
  Result<std::string> Search() {
    std::vector<std::vector<std::int64_t>> combinations(1);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      std::vector<std::vector<std::int64_t>> longer;
      for (const auto& before : combinations) {
        for (const std::int64_t size : sizes_) {
          longer.push_back(before);
          longer.back().push_back(size);
        }
      }
      combinations = std::move(longer);
    }
    if (combinations.size() > kMostAttempts) return UnknownSizes();
    Attempt found;
    Attempt furthest;
    std::vector<std::string> fitting;
    for (const auto& sizes : combinations) {
      Attempt attempt = Try(sizes);
      if (!attempt.bytes.empty()) {
        fitting.push_back(ToString(sizes));
        found = std::move(attempt);
        // A program that takes a part of what it is given fits longer inputs, too.
        for (std::size_t i = 0; i < sizes.size(); ++i) {
          std::vector<std::int64_t> longer = sizes;
          ++longer[i];
          if (!Try(longer).bytes.empty()) fitting.push_back(ToString(longer));
        }
      } else if (furthest.refusal.empty() || attempt.nodes > furthest.nodes) {
        furthest = std::move(attempt);
      }
    }
    if (fitting.size() == 1) return std::move(found.bytes);
    if (fitting.empty()) return InputError("{}", furthest.refusal);
    return InputError(
        "its weights do not say how many numbers it takes for {}: {} would do. Give the right one, "
        "as with gonogo convert --inputs 45",
        fmt::join(names_, " and "), fmt::join(fitting, ", "));
  }

  /// A second time where it turned out that tensors are kept from one call to the next.
  Attempt Try(const std::vector<std::int64_t>& sizes) {
    Attempt attempt = TryWith(sizes, {});
    constexpr int kRounds = 3;
    for (int i = 0; i < kRounds && !attempt.bytes.empty(); ++i) {
      std::set<std::string> kept = attempt.kept;
      if (kept.empty()) return attempt;
      attempt = TryWith(sizes, kept);
      if (attempt.bytes.empty() || attempt.kept == kept) return attempt;
    }
    return attempt;
  }

  Attempt TryWith(const std::vector<std::int64_t>& sizes, const std::set<std::string>& states) {
    Attempt attempt;
    const Status done = Write(sizes, states, attempt);
    if (!done.ok()) {
      attempt.refusal = done.error().message;
      attempt.bytes.clear();
    }
    return attempt;
  }

  Status Write(const std::vector<std::int64_t>& sizes, const std::set<std::string>& states,
               Attempt& attempt) {
    Heap heap;
    ScriptGraph graph(script_.archive, heap);
    Object* root = GONOGO_TRY(Root(heap));
    const std::vector<Value> constants = GONOGO_TRY(Constants(heap));
    std::vector<Value> given;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      ScriptTensor input{.shape = {1, sizes[i]}};
      input.name = names_[i];
      graph.writer().FixedInput(names_[i], input.shape);
      given.emplace_back(heap.NewTensor(std::move(input)));
    }
    std::set<const Object*> seen;
    std::map<std::string, Buffer> buffers;
    FindBuffers(*root, "", seen, buffers);
    for (const std::string& path : states) {
      ScriptTensor& state = *buffers.at(path).tensor;
      const std::vector<float> values = GONOGO_TRY(graph.ValuesOf(state));
      if (std::any_of(values.begin(), values.end(), [](float value) { return value != 0.0F; })) {
        return InputError("'{}', which it keeps from one call to the next, does not begin at zero",
                          path);
      }
      state.storage.clear();
      state.name = path + "_in";
      graph.writer().FixedInput(state.name, state.shape);
    }
    Interpreter interpreter(script_.program, constants, graph);
    const Result<Value> result = interpreter.CallMethod(*root, "forward", std::move(given));
    attempt.nodes = graph.nodes();
    if (!result.ok()) return result.error();
    GONOGO_TRY(WriteOutputs(result.value(), states.empty(), graph));
    for (auto& [path, buffer] : buffers) {
      const auto* now = std::get_if<ScriptTensor*>(&buffer.module->attributes.at(buffer.key));
      if (now == nullptr || (*now == buffer.tensor && (*now)->version == 0)) continue;
      attempt.kept.insert(path);
      if (!states.contains(path)) continue;
      if ((*now)->shape != buffer.tensor->shape) {
        return InputError("'{}' changes its shape from {} to {}", path,
                          ToString(buffer.tensor->shape), ToString((*now)->shape));
      }
      GONOGO_TRY(WriteOutput(path + "_out", **now, graph));
    }
    attempt.bytes = graph.writer().Finish({{"converted_from", "TorchScript"}});
    return {};
  }

  /// Of a program that keeps tensors the first result alone is written: further outputs are its
  /// state.
  static Status WriteOutputs(const Value& result, bool all, ScriptGraph& graph) {
    if (const auto* tensor = std::get_if<ScriptTensor*>(&result)) {
      return WriteOutput("actions", **tensor, graph);
    }
    const auto* sequence = std::get_if<Sequence*>(&result);
    if (sequence == nullptr || (*sequence)->items.empty()) {
      return InputError("its forward returns no tensor");
    }
    for (std::size_t i = 0; i < (*sequence)->items.size() && (i == 0 || all); ++i) {
      const auto* tensor = std::get_if<ScriptTensor*>(&(*sequence)->items[i]);
      if (tensor == nullptr) return InputError("its forward returns something that is no tensor");
      GONOGO_TRY(WriteOutput(i == 0 ? "actions" : fmt::format("output_{}", i), **tensor, graph));
    }
    return {};
  }

  static Status WriteOutput(const std::string& name, ScriptTensor& tensor, ScriptGraph& graph) {
    graph.writer().Apply("Identity", {GONOGO_TRY(graph.NameOf(tensor))}, name);
    graph.writer().FixedOutput(name, tensor.shape);
    return {};
  }

  const Script& script_;
  std::vector<std::string> names_;  // of the inputs
  std::set<std::int64_t> sizes_;    // that they may have
};

Result<std::string> Convert(std::string_view bytes, const std::vector<std::int64_t>& inputs) {
  for (const std::int64_t size : inputs) {
    if (size < 1 || size > 1000000) return InputError("an input of {} numbers", size);
  }
  const Script script = GONOGO_TRY(OpenScript(bytes));
  Converter converter(script);
  GONOGO_TRY(converter.ReadSizes());
  return converter.Convert(inputs);
}

}  // namespace
}  // namespace torchscript

bool LooksLikeTorchScript(std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); }

Result<std::string> ConvertTorchScript(std::string_view bytes, std::string_view name,
                                       const std::vector<std::int64_t>& inputs) {
  Result<std::string> converted = torchscript::Convert(bytes, inputs);
  if (!converted.ok()) return InputError("{}: {}", name, converted.error().message);
  return converted;
}

}  // namespace gonogo::nn
