// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/torchscript/zip_archive.h"

#include <algorithm>
#include <cstring>

#include <zlib.h>

namespace gonogo::nn::torchscript {
namespace {

constexpr std::size_t kEndSize = 22;
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kLongestComment = 65535;
constexpr std::uint32_t kElsewhere = 0xffffffffU;  // the number is in a zip64 record

std::uint32_t Number(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t number = 0;
  for (std::size_t i = size; i-- > 0;) {
    number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
  }
  return number;
}

Error Damaged() {
  return InputError("its directory of files is damaged or incomplete: it is no whole zip archive");
}

/// Where the record that ends an archive begins.
std::size_t FindEnd(std::string_view bytes) {
  const std::size_t first = bytes.size() - std::min(bytes.size(), kEndSize + kLongestComment);
  const std::size_t at = bytes.rfind("PK\x05\x06");
  return at == std::string_view::npos || at < first || at + kEndSize > bytes.size()
             ? std::string_view::npos
             : at;
}

/// The bytes of an entry whose local header begins at `at`.
Result<std::string_view> Content(std::string_view bytes, std::size_t at, std::size_t size) {
  if (at > bytes.size() || bytes.size() - at < kLocalSize ||
      bytes.substr(at, 4) != std::string_view("PK\x03\x04")) {
    return Damaged();
  }
  at += kLocalSize + Number(bytes, at + 26, 2) + Number(bytes, at + 28, 2);
  if (at > bytes.size() || bytes.size() - at < size) return Damaged();
  return bytes.substr(at, size);
}

Status Inflate(std::string_view packed, std::string& whole) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return InputError("it cannot be unpacked");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(whole.data());
  stream.avail_out = static_cast<uInt>(whole.size());
  const int ended = inflate(&stream, Z_FINISH);
  const bool filled = stream.avail_out == 0;
  inflateEnd(&stream);
  if (ended != Z_STREAM_END || !filled) {
    return InputError("what is packed has not the size that is said");
  }
  return {};
}

}  // namespace

Result<ZipArchive> ZipArchive::Parse(std::string_view bytes) {
  const std::size_t end = FindEnd(bytes);
  if (end == std::string_view::npos) return Damaged();
  const std::size_t count = Number(bytes, end + 10, 2);
  std::size_t at = Number(bytes, end + 16, 4);
  ZipArchive archive;
  for (std::size_t i = 0; i < count; ++i) {
    if (at > end || end - at < kCentralSize ||
        bytes.substr(at, 4) != std::string_view("PK\x01\x02")) {
      return Damaged();
    }
    const std::size_t name = Number(bytes, at + 28, 2);
    if (end - at < kCentralSize + name) return Damaged();
    const std::string path(bytes.substr(at + kCentralSize, name));
    const std::uint32_t flags = Number(bytes, at + 8, 2);
    const std::uint32_t method = Number(bytes, at + 10, 2);
    const std::uint32_t packed = Number(bytes, at + 20, 4);
    Entry entry{.size = Number(bytes, at + 24, 4), .checksum = Number(bytes, at + 16, 4)};
    const std::uint32_t local = Number(bytes, at + 42, 4);
    if ((flags & 1U) != 0) return InputError("{} is encrypted", path);
    if (packed == kElsewhere || entry.size == kElsewhere || local == kElsewhere) {
      return InputError("{} is larger than 4 GB", path);
    }
    if (method != 0 && method != 8) {
      return InputError("{} is packed by method {}, expected 0 (stored) or 8 (deflated)", path,
                        method);
    }
    entry.deflated = method == 8;
    entry.stored = GONOGO_TRY(Content(bytes, local, packed));
    if (!archive.entries_.emplace(path, entry).second) {
      return InputError("{} is in the archive twice", path);
    }
    at += kCentralSize + name + Number(bytes, at + 30, 2) + Number(bytes, at + 32, 2);
  }
  return archive;
}

Result<std::string> ZipArchive::Read(const std::string& name, std::size_t most) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return InputError("{} is not in the archive", name);
  const Entry& entry = found->second;
  if (entry.size > most) {
    return InputError("{} has {} bytes, at most {} are read", name, entry.size, most);
  }
  std::string whole;
  if (entry.deflated) {
    whole.resize(entry.size);
    const Status inflated = Inflate(entry.stored, whole);
    if (!inflated.ok()) return InputError("{}: {}", name, inflated.error().message);
  } else {
    whole = entry.stored;
  }
  const auto* data = reinterpret_cast<const Bytef*>(whole.data());
  if (crc32(0, data, static_cast<uInt>(whole.size())) != entry.checksum) {
    return InputError("{}: its checksum is wrong: the file is damaged", name);
  }
  return whole;
}

}  // namespace gonogo::nn::torchscript
