// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/internal/tensor_proto.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gonogo/io/file.h"

namespace gonogo::nn::graph {
namespace {

/// Where an external tensor lives in its file.
struct ExternalPlace {
  std::filesystem::path location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
};

Result<std::uint64_t> ParseCount(const std::string& key, const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) {
    return InputError("external data: {} is '{}', expected a whole number", key, text);
  }
  return value;
}

Result<ExternalPlace> ReadPlace(const ::onnx::TensorProto& proto) {
  ExternalPlace place;
  for (const auto& entry : proto.external_data()) {
    if (entry.key() == "location") place.location = entry.value();
    if (entry.key() != "offset" && entry.key() != "length") continue;
    const std::uint64_t count = GONOGO_TRY(ParseCount(entry.key(), entry.value()));
    if (entry.key() == "offset") place.offset = count;
    if (entry.key() == "length") place.length = count;
  }
  const bool climbs = std::ranges::find(place.location, "..") != place.location.end();
  if (place.location.empty() || place.location.is_absolute() || climbs) {
    return InputError("external data: location is '{}', expected a path inside the model's folder",
                      place.location.string());
  }
  return place;
}

/// The external bytes of a tensor that needs `expected` of them.
Result<std::string> ReadExternal(const ::onnx::TensorProto& proto,
                                 const std::optional<std::filesystem::path>& directory,
                                 std::size_t expected) {
  if (!directory) return InputError("external data need a model that was read from a file");
  const ExternalPlace place = GONOGO_TRY(ReadPlace(proto));
  const io::MappedFile file = GONOGO_TRY(io::MappedFile::Open(*directory / place.location));
  const std::string_view bytes = file.bytes();
  const std::uint64_t offset = place.offset;
  const std::uint64_t length = place.length.value_or(expected);
  if (offset > bytes.size() || length > bytes.size() - offset) {
    return InputError("external data: {} bytes from {} are not in '{}', which has {}", length,
                      offset, place.location.string(), bytes.size());
  }
  return std::string(bytes.substr(offset, length));
}

template <typename Stored, typename Value>
Result<Tensor> FromBytes(Shape shape, std::size_t count, std::string_view bytes) {
  if (bytes.size() != count * sizeof(Stored)) {
    return InputError("shape {} needs {} bytes of data, found {}", ToString(shape),
                      count * sizeof(Stored), bytes.size());
  }
  std::vector<Stored> stored(count);
  if (count > 0) std::memcpy(stored.data(), bytes.data(), bytes.size());
  return Tensor::Constant(std::move(shape), std::vector<Value>(stored.begin(), stored.end()));
}

/// `field` is where the message keeps typed values when it has neither raw nor external bytes.
template <typename Stored, typename Value, typename Field>
Result<Tensor> Decode(const ::onnx::TensorProto& proto, const Field& field, std::size_t count,
                      const std::optional<std::filesystem::path>& directory) {
  Shape shape(proto.dims().begin(), proto.dims().end());
  if (proto.data_location() == ::onnx::TensorProto::EXTERNAL) {
    const std::string bytes = GONOGO_TRY(ReadExternal(proto, directory, count * sizeof(Stored)));
    return FromBytes<Stored, Value>(std::move(shape), count, bytes);
  }
  if (proto.has_raw_data()) {
    return FromBytes<Stored, Value>(std::move(shape), count, proto.raw_data());
  }
  if (static_cast<std::size_t>(field.size()) != count) {
    return InputError("shape {} needs {} values, found {}", ToString(shape), count, field.size());
  }
  return Tensor::Constant(std::move(shape), std::vector<Value>(field.begin(), field.end()));
}

/// The value of an IEEE 754 half-precision number.
float HalfValue(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const int fraction = bits & 0x3FF;
  float value = 0.0F;
  if (exponent == 0x1F) {
    value = fraction == 0 ? std::numeric_limits<float>::infinity()
                          : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    value = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

/// Half precision is kept as bits: two bytes each, or one whole number of the message each.
Result<Tensor> DecodeHalf(const ::onnx::TensorProto& proto, std::size_t count,
                          const std::optional<std::filesystem::path>& directory) {
  const Tensor bits = GONOGO_TRY(
      (Decode<std::uint16_t, std::int64_t>(proto, proto.int32_data(), count, directory)));
  std::vector<float> values;
  values.reserve(count);
  for (const std::int64_t pattern : *bits.integers()) {
    values.push_back(HalfValue(static_cast<std::uint16_t>(pattern)));
  }
  return Tensor::Constant(bits.shape, std::move(values));
}

}  // namespace

std::string DataTypeName(int data_type) {
  if (!::onnx::TensorProto::DataType_IsValid(data_type)) return fmt::format("{}", data_type);
  return ::onnx::TensorProto::DataType_Name(static_cast<::onnx::TensorProto::DataType>(data_type));
}

Result<Tensor> ReadTensor(const ::onnx::TensorProto& proto,
                          const std::optional<std::filesystem::path>& directory) {
  const std::size_t count = GONOGO_TRY(ElementCount({proto.dims().begin(), proto.dims().end()}));
  switch (proto.data_type()) {
    case ::onnx::TensorProto::FLOAT:
      return Decode<float, float>(proto, proto.float_data(), count, directory);
    case ::onnx::TensorProto::INT64:
      return Decode<std::int64_t, std::int64_t>(proto, proto.int64_data(), count, directory);
    case ::onnx::TensorProto::INT32:
      return Decode<std::int32_t, std::int64_t>(proto, proto.int32_data(), count, directory);
    case ::onnx::TensorProto::DOUBLE:
      return Decode<double, float>(proto, proto.double_data(), count, directory);
    case ::onnx::TensorProto::FLOAT16:
      return DecodeHalf(proto, count, directory);
    default:
      return InputError("data type is {}, expected FLOAT, FLOAT16, DOUBLE, INT64 or INT32",
                        DataTypeName(proto.data_type()));
  }
}

}  // namespace gonogo::nn::graph
