// SPDX-License-Identifier: Apache-2.0
// Whatever shapes, types and values an HDF5 table has, it is refused with a message or read. The
// bytes choose what is written: fuzzing raw files would test the HDF5 library instead of ours.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <unistd.h>

#include "gonogo/audit/table_reader.h"
#include "gonogo/base/check.h"
#include "gonogo/io/hdf5_file.h"

namespace {

/// Small numbers drawn from the fuzzer's bytes; zero when they run out.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::size_t Below(std::size_t limit) { return limit == 0 ? 0 : Next() % limit; }
  bool Coin() { return Below(2) == 0; }

 private:
  std::size_t Next() {
    if (at_ >= size_) return 0;
    return data_[at_++];
  }
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

using gonogo::Status;
using gonogo::io::Hdf5File;

std::vector<std::size_t> DrawShape(Bytes& bytes) {
  std::vector<std::size_t> shape(bytes.Below(4));
  for (std::size_t& extent : shape) extent = bytes.Below(6);
  return shape;
}

double DrawNumber(Bytes& bytes) {
  constexpr double kNumbers[] = {0.0,
                                 1.0,
                                 2.0,
                                 -1.0,
                                 0.5,
                                 1e300,
                                 1e-300,
                                 std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()};
  return kNumbers[bytes.Below(std::size(kNumbers))];
}

Status WriteSomething(Hdf5File& file, const std::string& dataset, Bytes& bytes) {
  if (bytes.Below(4) == 0) return {};
  const std::vector<std::size_t> shape = DrawShape(bytes);
  std::size_t size = 1;
  for (const std::size_t extent : shape) size *= extent;
  if (bytes.Below(4) == 0) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < size; ++i) texts.push_back(std::string(1, "abc"[bytes.Below(3)]));
    return file.WriteStrings(dataset, texts);
  }
  if (bytes.Coin()) {
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < size; ++i) numbers.push_back(static_cast<int>(bytes.Below(5)) - 1);
    return file.Write<std::int64_t>(dataset, shape, numbers);
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < size; ++i) numbers.push_back(DrawNumber(bytes));
  return file.Write<double>(dataset, shape, numbers);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string kPath =
      (std::filesystem::temp_directory_path() / ("gonogo_fuzz_" + std::to_string(getpid()) + ".h5"))
          .string();
  Bytes bytes(data, size);
  gonogo::Result<Hdf5File> file = Hdf5File::Create(kPath);
  GONOGO_CHECK(file.ok());
  std::vector<std::string> actions;
  for (std::size_t a = 0; a < bytes.Below(5); ++a) actions.push_back({"abcd"[bytes.Below(4)]});
  if (bytes.Coin()) (void)file.value().WriteTexts("/", "actions", actions).ok();
  if (bytes.Coin()) (void)file.value().WriteText("/", "reference", "a").ok();
  if (bytes.Coin()) (void)file.value().WriteText("/", "declaration", "protocol.name = 1").ok();
  for (const char* dataset : {"/cluster", "/query", "/cost", "/time", "/success", "/eligible",
                              "/choice", "/features/f", "/action_features/g"}) {
    (void)WriteSomething(file.value(), dataset, bytes).ok();
  }
  if (!file.value().Close().ok()) return 0;
  (void)gonogo::audit::ReadTable(kPath, {}).ok();
  (void)gonogo::audit::ReadDeclaration(kPath).ok();
  return 0;
}
