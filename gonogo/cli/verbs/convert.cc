// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/file.h"
#include "gonogo/nn/onnx/model.h"
#include "gonogo/nn/onnx/torchscript.h"

namespace gonogo::cli {
namespace {

constexpr const char* kConvertExamples = R"(
Examples:
  gonogo convert policy.pt policy.onnx
  gonogo convert policy.pt policy.onnx --inputs 45      where its weights do not say how many numbers it takes

Reads the code and the tensors of a TorchScript archive (torch.jit.script or torch.jit.trace) and writes the ONNX file that
computes the same; nothing of the archive is executed. Dense layers, activations, normalisers, LSTM, GRU, histories and
their encoders are converted; what is not is refused with the name of the operator and the line of the code. Tensors that it
keeps from one call to the next become further inputs and outputs.
)";

class ConvertVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb =
        program.AddVerb("convert", "Make an ONNX file of a TorchScript policy", kConvertExamples);
    verb.Positional("script", script_, "The TorchScript file (.pt, .jit)").Required();
    verb.Positional("onnx", onnx_, "What to write").Required();
    verb.Option("--inputs", inputs_, "How many numbers each input takes [as its weights say]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    std::error_code code;
    if (std::filesystem::exists(onnx_, code)) {
      return UsageError("{} is there already; remove it first, or name another file",
                        onnx_.string());
    }
    const std::string bytes = GONOGO_TRY(io::ReadFile(script_));
    if (!nn::LooksLikeTorchScript(bytes)) {
      return InputError("{}: no TorchScript file: it does not begin as a zip archive does",
                        script_.string());
    }
    const std::vector<std::int64_t> sizes(inputs_.begin(), inputs_.end());
    const std::string converted =
        GONOGO_TRY(nn::ConvertTorchScript(bytes, script_.string(), sizes));
    const nn::OnnxModel model = GONOGO_TRY(nn::OnnxModel::Parse(converted, onnx_.string()));
    GONOGO_TRY(io::WriteFile(onnx_, converted));
    const auto ports = [](const std::vector<nn::OnnxPort>& list) {
      std::vector<std::string> said;
      for (const nn::OnnxPort& port : list)
        said.push_back(fmt::format("{} {}", port.name, port.size));
      return said;
    };
    if (context.options.json) {
      const nlohmann::json json = {{"schema", "gonogo.convert/1"},
                                   {"onnx", onnx_.string()},
                                   {"inputs", ports(model.inputs())},
                                   {"outputs", ports(model.outputs())}};
      context.terminal.Print(json.dump(2) + "\n");
      return kExitDone;
    }
    context.terminal.Print(fmt::format("wrote {}: takes {}; gives {}\n", onnx_.string(),
                                       fmt::join(ports(model.inputs()), ", "),
                                       fmt::join(ports(model.outputs()), ", ")));
    return kExitDone;
  }

 private:
  std::filesystem::path script_;
  std::filesystem::path onnx_;
  std::vector<std::size_t> inputs_;
};

}  // namespace

std::unique_ptr<Verb> MakeConvertVerb() { return std::make_unique<ConvertVerb>(); }

}  // namespace gonogo::cli
