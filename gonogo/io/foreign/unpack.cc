// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/foreign/unpack.h"

#include <limits>
#include <memory>

#include <zlib.h>
#include <zstd.h>

namespace gonogo::io {
namespace {

constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kZstandard = "\x28\xb5\x2f\xfd";
constexpr std::size_t kPiece = std::size_t{1} << 18;

/// No text shrinks like this; a file that claims to was made to.
std::size_t MostBytes(std::string_view packed) {
  return (std::size_t{1} << 26) + 1000 * packed.size();
}

Error TooLarge(const std::string& name) {
  return InputError("{}: unpacks to more than 1000 times its size, expected a table", name);
}

Error Damaged(const std::string& name, std::string_view format) {
  return InputError("{}: the {} file is damaged or cut off; pack or copy it again", name, format);
}

Result<std::string> UnpackGzip(std::string_view bytes, const std::string& name) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return IoError("{}: zlib cannot start", name);
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  std::string text;
  std::string piece(kPiece, '\0');
  std::size_t taken = 0;
  int code = Z_OK;
  while (code != Z_STREAM_END || taken < bytes.size()) {
    // The next of several members.
    if (code == Z_STREAM_END && inflateReset(&stream) != Z_OK) return Damaged(name, "gzip");
    const std::size_t most = std::numeric_limits<uInt>::max();
    const std::string_view left = bytes.substr(taken, most);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(left.data()));
    stream.avail_in = static_cast<uInt>(left.size());
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    code = inflate(&stream, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END) return Damaged(name, "gzip");
    taken += left.size() - stream.avail_in;
    text.append(piece, 0, piece.size() - stream.avail_out);
    if (text.size() > MostBytes(bytes)) return TooLarge(name);
  }
  return text;
}

Result<std::string> UnpackZstandard(std::string_view bytes, const std::string& name) {
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                             ZSTD_freeDStream);
  if (stream == nullptr) return IoError("{}: Zstandard cannot start", name);
  std::string text;
  std::string piece(kPiece, '\0');
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::size_t hint = 1;  // 0 where a frame ended
  while (in.pos < in.size || hint != 0) {
    const std::size_t before = in.pos;
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    hint = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(hint) != 0) return Damaged(name, "Zstandard");
    text.append(piece, 0, out.pos);
    if (text.size() > MostBytes(bytes)) return TooLarge(name);
    if (in.pos == before && out.pos == 0 && hint != 0) return Damaged(name, "Zstandard");
  }
  return text;
}

}  // namespace

bool IsPacked(std::string_view bytes) {
  return bytes.starts_with(kGzip) || bytes.starts_with(kZstandard);
}

Result<std::string> Unpack(std::string_view bytes, const std::string& name) {
  return bytes.starts_with(kGzip) ? UnpackGzip(bytes, name) : UnpackZstandard(bytes, name);
}

}  // namespace gonogo::io
