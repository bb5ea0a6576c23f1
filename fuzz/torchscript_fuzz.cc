// SPDX-License-Identifier: Apache-2.0
// Whatever an archive says, it is refused with a message or becomes an ONNX model that can be read.
// An input is an archive, or the files of one, each as NAME 0x1e CONTENT 0x1e, so that checksums
// and packing need not be found by chance.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <zlib.h>

#include "gonogo/nn/onnx/model.h"
#include "gonogo/nn/onnx/torchscript.h"

namespace {

void Put(std::string& out, std::uint32_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xffU);
}

/// A zip archive of stored files.
std::string Archive(std::string_view parts) {
  std::string archive;
  std::string directory;
  std::uint32_t count = 0;
  while (!parts.empty()) {
    const std::size_t name_end = parts.find('\x1e');
    if (name_end == std::string_view::npos) break;
    const std::string_view name = parts.substr(0, name_end);
    parts.remove_prefix(name_end + 1);
    const std::size_t end = parts.find('\x1e') < parts.size() ? parts.find('\x1e') : parts.size();
    const std::string_view content = parts.substr(0, end);
    parts.remove_prefix(end < parts.size() ? end + 1 : end);
    const auto checksum = static_cast<std::uint32_t>(crc32(
        0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
    const auto at = static_cast<std::uint32_t>(archive.size());
    std::string common;
    Put(common, 20, 2);
    Put(common, 0, 2);
    Put(common, 0, 2);
    Put(common, 0, 4);
    Put(common, checksum, 4);
    Put(common, static_cast<std::uint32_t>(content.size()), 4);
    Put(common, static_cast<std::uint32_t>(content.size()), 4);
    Put(common, static_cast<std::uint32_t>(name.size() & 0xffffU), 2);
    Put(common, 0, 2);
    archive += "PK\x03\x04" + common;
    archive += name.substr(0, name.size() & 0xffffU);
    archive += content;
    directory += "PK\x01\x02";
    Put(directory, 20, 2);
    directory += common;
    Put(directory, 0, 2);
    Put(directory, 0, 4);
    Put(directory, 0, 4);
    Put(directory, at, 4);
    directory += name.substr(0, name.size() & 0xffffU);
    ++count;
  }
  const auto at = static_cast<std::uint32_t>(archive.size());
  archive += directory + "PK\x05\x06";
  Put(archive, 0, 4);
  Put(archive, count, 2);
  Put(archive, count, 2);
  Put(archive, static_cast<std::uint32_t>(directory.size()), 4);
  Put(archive, at, 4);
  Put(archive, 0, 2);
  return archive;
}

void Try(std::string_view bytes) {
  const gonogo::Result<std::string> converted = gonogo::nn::ConvertTorchScript(bytes, "fuzz");
  if (converted.ok()) (void)gonogo::nn::OnnxModel::Parse(converted.value(), "fuzz").ok();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (gonogo::nn::LooksLikeTorchScript(bytes)) {
    Try(bytes);
  } else {
    Try(Archive(bytes));
  }
  return 0;
}
