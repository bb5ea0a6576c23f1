// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "gonogo/io/file.h"
#include "gonogo/nn/onnx/model.h"

namespace gonogo::nn {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kOnnxFolder = GONOGO_SOURCE_DIR "/gonogo/nn/testdata/onnx/";

::onnx::ModelProto ReadProto(std::string_view name) {
  ::onnx::ModelProto proto;
  EXPECT_TRUE(
      proto.ParseFromString(io::ReadFile(std::string(kOnnxFolder) + std::string(name)).value()));
  return proto;
}

/// The message with which `file` is refused after `damage` was done to it.
std::string Refusal(std::string_view file, const std::function<void(::onnx::ModelProto&)>& damage) {
  ::onnx::ModelProto proto = ReadProto(file);
  damage(proto);
  const Result<OnnxModel> model = OnnxModel::Parse(proto.SerializeAsString(), "policy.onnx");
  if (model.ok()) return "accepted";
  EXPECT_EQ(model.error().kind, ErrorKind::kInput);
  EXPECT_THAT(model.error().message, StartsWith("policy.onnx: "));
  return model.error().message;
}

// The nodes of mlp.onnx: Sub Add Div Gemm Elu Gemm; its initializers: mean sd eps w0 b0 w1 b1.

TEST(OnnxMalformedTest, NamesAnOperatorItDoesNotKnow) {
  EXPECT_THAT(Refusal("mlp.onnx",
                      [](auto& m) {
                        m.mutable_graph()->mutable_node(4)->set_op_type("Erf");
                        m.mutable_graph()->mutable_node(4)->set_name("/actor/erf");
                      }),
              testing::AllOf(
                  HasSubstr("policy.onnx: node '/actor/erf' (Erf): this operator is not supported"),
                  HasSubstr("these are: Abs Add"), HasSubstr("Softmax"), HasSubstr("Unsqueeze")));
}

TEST(OnnxMalformedTest, NamesTheFirstOutputOfANodeWithoutAName) {
  EXPECT_THAT(
      Refusal("mlp.onnx", [](auto& m) { m.mutable_graph()->mutable_node(4)->set_op_type("Erf"); }),
      HasSubstr("node 'a' (Erf)"));
}

TEST(OnnxMalformedTest, NamesADomainItDoesNotKnow) {
  EXPECT_THAT(Refusal("mlp.onnx",
                      [](auto& m) { m.mutable_graph()->mutable_node(4)->set_domain("com.acme"); }),
              HasSubstr("node 'a' (Elu): operators of domain 'com.acme' are not supported"));
}

TEST(OnnxMalformedTest, NamesAnAttributeItDoesNotKnowOrOfTheWrongType) {
  EXPECT_THAT(Refusal("lstm.onnx",
                      [](auto& m) {
                        auto* clip = m.mutable_graph()->mutable_node(1)->add_attribute();
                        clip->set_name("clip");
                        clip->set_type(::onnx::AttributeProto::FLOAT);
                      }),
              HasSubstr("node 'y' (LSTM): attribute 'clip' is not supported"));
  EXPECT_THAT(Refusal("mlp.onnx",
                      [](auto& m) {
                        m.mutable_graph()->mutable_node(4)->mutable_attribute(0)->set_type(
                            ::onnx::AttributeProto::INT);
                      }),
              HasSubstr("node 'a' (Elu): attribute 'alpha' has the wrong type"));
}

TEST(OnnxMalformedTest, NamesAMissingInitializer) {
  EXPECT_THAT(
      Refusal("mlp.onnx",
              [](auto& m) { m.mutable_graph()->mutable_initializer()->DeleteSubrange(3, 1); }),
      HasSubstr("node 'h' (Gemm): reads 'w0', which is no input, initializer or output of a "
                "node before"));
}

TEST(OnnxMalformedTest, RefusesACycle) {
  EXPECT_THAT(Refusal("mlp.onnx",
                      [](auto& m) { m.mutable_graph()->mutable_node(3)->set_input(0, "actions"); }),
              HasSubstr("node 'h' (Gemm): reads 'actions'"));
}

TEST(OnnxMalformedTest, RefusesATensorThatIsDefinedTwice) {
  EXPECT_THAT(
      Refusal("mlp.onnx", [](auto& m) { m.mutable_graph()->mutable_node(4)->set_output(0, "h"); }),
      HasSubstr("node 'h' (Elu): 'h' is defined twice"));
}

TEST(OnnxMalformedTest, SaysWhichShapesDoNotFit) {
  EXPECT_THAT(
      Refusal("mlp.onnx",
              [](auto& m) {
                auto* w0 = m.mutable_graph()->mutable_initializer(3);
                w0->set_dims(0, 15);  // was [33, 5]
                w0->set_dims(1, 11);
              }),
      HasSubstr("node 'h' (Gemm): the first operand has shape [1, 5], expected [..., 11] to "
                "match weights [11, 15]"));
  EXPECT_THAT(
      Refusal("mlp.onnx",
              [](auto& m) {
                auto* type = m.mutable_graph()->mutable_input(0)->mutable_type();
                type->mutable_tensor_type()->mutable_shape()->mutable_dim(1)->set_dim_value(6);
              }),
      HasSubstr("node 'centred' (Sub): shapes [1, 6] and [1, 5] do not broadcast"));
}

TEST(OnnxMalformedTest, RefusesAnOutputThatIsNotWhatWasDeclared) {
  const auto set_output_width = [](auto& m) {
    auto* type = m.mutable_graph()->mutable_output(0)->mutable_type();
    type->mutable_tensor_type()->mutable_shape()->mutable_dim(1)->set_dim_value(12);
  };
  EXPECT_THAT(Refusal("mlp.onnx", set_output_width),
              HasSubstr("output 'actions' has shape [1, 3], but the file declares [1, 12]"));
  EXPECT_THAT(
      Refusal("mlp.onnx", [](auto& m) { m.mutable_graph()->mutable_output(0)->set_name("q"); }),
      HasSubstr("output 'q' is computed by no node"));
}

TEST(OnnxMalformedTest, RefusesDimensionsNoMachineCouldHold) {
  const auto huge_input = [](auto& m) {
    auto* type = m.mutable_graph()->mutable_input(0)->mutable_type();
    type->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_value(int64_t{1} << 62);
  };
  EXPECT_THAT(Refusal("mlp.onnx", huge_input), HasSubstr("input 'obs': shape"));
  EXPECT_THAT(Refusal("mlp.onnx",
                      [](auto& m) {
                        m.mutable_graph()->mutable_initializer(3)->set_dims(0, int64_t{1} << 40);
                      }),
              HasSubstr("initializer 'w0': shape [1099511627776, 5] is too large"));
}

TEST(OnnxMalformedTest, RefusesWrongAmountsOfData) {
  EXPECT_THAT(
      Refusal("mlp.onnx",
              [](auto& m) { m.mutable_graph()->mutable_initializer(4)->set_raw_data("abc"); }),
      HasSubstr("initializer 'b0': shape [33] needs 132 bytes of data, found 3"));
}

TEST(OnnxMalformedTest, RefusesOtherDataTypes) {
  EXPECT_THAT(
      Refusal("mlp.onnx",
              [](auto& m) {
                m.mutable_graph()->mutable_initializer(4)->set_data_type(::onnx::TensorProto::BOOL);
              }),
      HasSubstr("initializer 'b0': data type is BOOL, expected FLOAT, FLOAT16, DOUBLE, "
                "INT64 or INT32"));
  EXPECT_THAT(Refusal("mlp.onnx",
                      [](auto& m) {
                        auto* type = m.mutable_graph()->mutable_input(0)->mutable_type();
                        type->mutable_tensor_type()->set_elem_type(::onnx::TensorProto::INT8);
                      }),
              HasSubstr("input: 'obs' has data type INT8, expected FLOAT, FLOAT16 or DOUBLE"));
}

TEST(OnnxMalformedTest, SaysHowTorchScriptIsConverted) {
  const Result<OnnxModel> model = OnnxModel::Parse("PK\x03\x04 policy/data.pkl", "policy.pt");
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().message,
              testing::AllOf(StartsWith("policy.pt: not an ONNX model but an archive"),
                             HasSubstr("'gonogo convert")));
}

TEST(OnnxMalformedTest, ExplainsThatOnlyTheBatchMayBeOpen) {
  EXPECT_THAT(Refusal("mlp.onnx",
                      [](auto& m) {
                        auto* type = m.mutable_graph()->mutable_input(0)->mutable_type();
                        type->mutable_tensor_type()->mutable_shape()->mutable_dim(1)->set_dim_param(
                            "features");
                      }),
              HasSubstr("input 'obs' leaves its last dimension open"));
}

TEST(OnnxMalformedTest, RefusesOpsetsItHasNotRead) {
  EXPECT_THAT(Refusal("mlp.onnx", [](auto& m) { m.mutable_opset_import(0)->set_version(99); }),
              HasSubstr("opset is 99, expected 7 to 22"));
  EXPECT_THAT(Refusal("mlp.onnx", [](auto& m) { m.clear_opset_import(); }),
              HasSubstr("no opset of the standard operators is declared"));
}

TEST(OnnxMalformedTest, KeepsExternalDataInsideTheModelsFolder) {
  const auto set_location = [](std::string path) {
    return [path = std::move(path)](::onnx::ModelProto& m) {
      auto* entry = m.mutable_graph()->mutable_initializer(0)->mutable_external_data(0);
      ASSERT_EQ(entry->key(), "location");
      entry->set_value(path);
    };
  };
  const std::filesystem::path folder = testing::TempDir();
  for (const std::string path : {"../secret", "/etc/passwd", "", "missing.data"}) {
    ::onnx::ModelProto proto = ReadProto("external.onnx");
    set_location(path)(proto);
    const std::filesystem::path file = folder / "external_refused.onnx";
    ASSERT_TRUE(io::WriteFile(file, proto.SerializeAsString()).ok());
    const Result<OnnxModel> model = OnnxModel::Load(file);
    ASSERT_FALSE(model.ok()) << path;
    EXPECT_THAT(model.error().message, HasSubstr("initializer 'w': "));
    EXPECT_THAT(
        model.error().message,
        HasSubstr(path == "missing.data" ? path : "expected a path inside the model's folder"));
  }
  EXPECT_THAT(Refusal("external.onnx", [](auto&) {}),
              HasSubstr("external data need a model that was read from a file"));
}

TEST(OnnxMalformedTest, SaysThatAFileIsNoModel) {
  const Result<OnnxModel> text = OnnxModel::Parse("hello, world", "notes.txt");
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().message, "notes.txt: not an ONNX model (12 bytes)");
  EXPECT_FALSE(OnnxModel::Parse("", "empty").ok());
  const Result<OnnxModel> missing = OnnxModel::Load("/no/such/policy.onnx");
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error().message, HasSubstr("/no/such/policy.onnx"));
}

TEST(OnnxMalformedTest, SurvivesTruncationAtEveryByte) {
  const std::string bytes = io::ReadFile(std::string(kOnnxFolder) + "lstm.onnx").value();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const Result<OnnxModel> model =
        OnnxModel::Parse(std::string_view(bytes).substr(0, length), "cut");
    // A cut between two messages at the very end can leave a whole graph behind.
    if (length + 16 < bytes.size()) {
      EXPECT_FALSE(model.ok()) << length;
    }
  }
}

}  // namespace
}  // namespace gonogo::nn
