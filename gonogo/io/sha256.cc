// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/sha256.h"

#include <array>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "gonogo/base/check.h"

namespace gonogo::io {

std::string Sha256Hex(std::string_view bytes) {
  std::array<unsigned char, 32> digest{};
  unsigned int length = 0;
  GONOGO_CHECK(
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) == 1);
  std::string hex;
  for (const unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace gonogo::io
