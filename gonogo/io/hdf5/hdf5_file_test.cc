// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/hdf5/hdf5_file.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include "gonogo/io/file.h"

namespace gonogo::io {
namespace {

using testing::HasSubstr;

using Shape = std::vector<std::size_t>;

std::filesystem::path Hdf5Scratch(const char* name) {
  return std::filesystem::path(testing::TempDir()) / name;
}

/// A file with one data set of each kind.
std::filesystem::path Written(const char* name) {
  std::filesystem::path path = Hdf5Scratch(name);
  Hdf5File file = Hdf5File::Create(path).value();
  const std::array<double, 6> cost = {1, 2, 3, 4, 5, 6};
  const std::array<std::string, 2> names = {"direct", "größer"};
  EXPECT_TRUE(file.Write<double>("/cost", Shape{2, 3}, cost).ok());
  EXPECT_TRUE(file.Write<double>("/features/obs", Shape{2, 3}, cost, 4).ok());
  EXPECT_TRUE(file.WriteStrings("/query", names).ok());
  EXPECT_TRUE(file.WriteTexts("/", "actions", names).ok());
  EXPECT_TRUE(file.WriteText("/", "reference", "direct").ok());
  EXPECT_TRUE(file.WriteNumber("/cost", "schema", 1).ok());
  EXPECT_TRUE(file.Close().ok());
  return path;
}

TEST(Hdf5FileTest, ReadsBackWhatWasWritten) {
  const Hdf5File file = Hdf5File::Open(Written("round.h5")).value();
  const Array<float> cost = file.Read<float>("/cost").value();
  EXPECT_EQ(cost.shape, (Shape{2, 3}));
  EXPECT_EQ(cost.values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(file.Read<double>("/features/obs").value().values.back(), 6.0);
  EXPECT_EQ(file.ReadStrings("/query").value()[1], "größer");
  EXPECT_EQ(file.ReadTexts("/", "actions").value()[0], "direct");
  EXPECT_EQ(file.ReadText("/", "reference").value(), "direct");
  EXPECT_EQ(file.ReadNumber("/cost", "schema").value(), 1.0);
  EXPECT_EQ(file.Children("/features").value(), (std::vector<std::string>{"obs"}));
  EXPECT_TRUE(file.Children("/nothing").value().empty());
  EXPECT_FALSE(file.Has("/features/none/deeper"));
  EXPECT_EQ(file.Type("/query").value(), Hdf5Type::kString);
}

TEST(Hdf5FileTest, EqualContentGivesEqualBytes) {
  EXPECT_EQ(ReadFile(Written("one.h5")).value(), ReadFile(Written("two.h5")).value());
}

TEST(Hdf5FileTest, WhatIsNotClosedIsNeverWritten) {
  const auto path = Hdf5Scratch("kept.h5");
  std::filesystem::remove(path);
  const std::array<double, 2> cost = {1, 2};
  {
    Hdf5File file = Hdf5File::Create(path).value();
    ASSERT_TRUE(file.Write<double>("/cost", Shape{2}, cost).ok());
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  // Another file takes the place of one that is dropped without it, too.
  Hdf5File file = Hdf5File::Create(path).value();
  file = Hdf5File::Open(Written("other.h5")).value();
  EXPECT_TRUE(file.Close().ok());
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Hdf5FileTest, SaysWhyTheFileCannotBeWritten) {
  Hdf5File file = Hdf5File::Create(Hdf5Scratch("no_such_folder") / "a.h5").value();
  const Status closed = file.Close();
  ASSERT_FALSE(closed.ok());
  EXPECT_EQ(closed.error().kind, ErrorKind::kIo);
  EXPECT_THAT(closed.error().message, HasSubstr("No such file or directory"));
}

TEST(Hdf5FileTest, AFileThatIsOpenIsNotReadAgain) {
  const auto path = Written("open.h5");
  const Hdf5File file = Hdf5File::Open(path).value();
  std::filesystem::resize_file(path, 100);
  EXPECT_EQ(file.Read<double>("/cost").value().values.back(), 6.0);
}

TEST(Hdf5FileTest, RefusesAFileThatMemoryCannotHold) {
  const auto path = Written("sparse.h5");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 42U);
  const Result<Hdf5File> file = Hdf5File::Open(path);
  std::filesystem::remove(path);
  ASSERT_FALSE(file.ok());
  EXPECT_THAT(file.error().message, HasSubstr("would take 4398 GB of memory"));
}

TEST(Hdf5FileTest, AppendsRows) {
  const auto path = Hdf5Scratch("append.h5");
  {
    Hdf5File file = Hdf5File::Create(path).value();
    const std::array<float, 4> rows = {1, 2, 3, 4};
    ASSERT_TRUE(file.Append<float>("/window", Shape{2}, rows).ok());
    ASSERT_TRUE(file.Close().ok());
  }
  Hdf5File file = Hdf5File::OpenForUpdate(path).value();
  const std::array<float, 2> row = {5, 6};
  ASSERT_TRUE(file.Append<float>("/window", Shape{2}, row).ok());
  EXPECT_FALSE(file.Append<float>("/window", Shape{1}, row).ok());
  const Array<float> all = file.Read<float>("/window").value();
  EXPECT_EQ(all.shape, (Shape{3, 2}));
  EXPECT_EQ(all.values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Hdf5FileTest, NamesWhatIsMissingOrOfTheWrongKind) {
  const Hdf5File file = Hdf5File::Open(Written("kinds.h5")).value();
  EXPECT_NE(file.Read<double>("/time").error().message.find("/time is missing"), std::string::npos);
  EXPECT_NE(file.Read<double>("/query").error().message.find("numbers"), std::string::npos);
  EXPECT_NE(file.ReadStrings("/cost").error().message.find("strings"), std::string::npos);
  EXPECT_FALSE(file.ReadText("/", "actions").ok());
  EXPECT_FALSE(file.ReadText("/", "nothing").ok());
}

TEST(Hdf5FileTest, RefusesTruncatedAndForeignFiles) {
  const std::string bytes = ReadFile(Written("whole.h5")).value();
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, bytes.size() / 2}) {
    ASSERT_TRUE(WriteFile(Hdf5Scratch("cut.h5"), bytes.substr(0, size)).ok());
    EXPECT_FALSE(Hdf5File::Open(Hdf5Scratch("cut.h5")).ok()) << size;
  }
  ASSERT_TRUE(WriteFile(Hdf5Scratch("text.h5"), "cluster,query\n").ok());
  EXPECT_FALSE(Hdf5File::Open(Hdf5Scratch("text.h5")).ok());
  EXPECT_EQ(Hdf5File::Open(Hdf5Scratch("absent.h5")).error().kind, ErrorKind::kIo);
}

/// Does to the file of `Written` what our own functions cannot, with the library itself.
template <typename Change>
Hdf5File Changed(const char* name, const Change& change) {
  const std::filesystem::path path = Written(name);
  { const Hdf5File keeps_the_library_set_up = Hdf5File::Open(path).value(); }
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);  // closes what `change` left open
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, access);
  change(file);
  H5Fclose(file);
  return Hdf5File::Open(path).value();
}

/// A data set "/odd" of doubles in blocks of one row of three, of which nothing is written.
hid_t Blocks(hid_t file, const std::array<hsize_t, 2>& shape, hid_t creation) {
  const std::array<hsize_t, 2> block = {1, 3};
  H5Pset_chunk(creation, 2, block.data());
  const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
  return H5Dcreate2(file, "/odd", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
}

/// Writes the first row of it.
void WriteFirstRow(hid_t dataset) {
  const std::array<hsize_t, 2> start = {0, 0};
  const std::array<hsize_t, 2> row = {1, 3};
  const std::array<double, 3> values = {1, 2, 3};
  const hid_t space = H5Dget_space(dataset);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, row.data(), nullptr);
  const hid_t memory = H5Screate_simple(2, row.data(), nullptr);
  ASSERT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()), 0);
}

std::string OddValueError(const Hdf5File& file) {
  const Result<Array<double>> read = file.Read<double>("/odd");
  return read.ok() ? "no error" : read.error().message;
}

TEST(Hdf5FileTest, RefusesValuesThatWereNotAllWritten) {
  const auto rows = [](hsize_t count) {
    return Changed("rows.h5", [&](hid_t file) {
      WriteFirstRow(Blocks(file, {count, 3}, H5Pcreate(H5P_DATASET_CREATE)));
    });
  };
  EXPECT_EQ(rows(1).Read<double>("/odd").value().values, (std::vector<double>{1, 2, 3}));
  EXPECT_THAT(OddValueError(rows(4)), HasSubstr("/odd was only written in part (1 of 4 blocks)"));
}

TEST(Hdf5FileTest, RefusesMoreValuesThanThereIsMemoryWhateverTheirNumber) {
  for (const hsize_t count : {hsize_t{1} << 44U, (hsize_t{1} << 63U) / 3 * 2 + 1}) {
    const Hdf5File file = Changed("large.h5", [&](hid_t id) {
      Blocks(id, {count, 3}, H5Pcreate(H5P_DATASET_CREATE));
    });
    EXPECT_THAT(OddValueError(file), HasSubstr("/odd would take"));
  }
}

// Links into other files cannot even be made here; tests/cli/table_cli_test.py has one.
TEST(Hdf5FileTest, RefusesValuesOfOtherFiles) {
  const std::string other = Written("other.h5").string();
  const Hdf5File storage = Changed("storage.h5", [&](hid_t file) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(creation, other.c_str(), 0, 24);
    const hsize_t count = 3;
    H5Dcreate2(file, "/odd", H5T_NATIVE_DOUBLE, H5Screate_simple(1, &count, nullptr), H5P_DEFAULT,
               creation, H5P_DEFAULT);
  });
  EXPECT_THAT(OddValueError(storage), HasSubstr("/odd keeps its values in other files"));
}

TEST(Hdf5FileTest, FollowsNoLinkInCircles) {
  const Hdf5File file = Changed(
      "loop.h5", [](hid_t id) { H5Lcreate_soft("/odd", id, "/odd", H5P_DEFAULT, H5P_DEFAULT); });
  EXPECT_THAT(OddValueError(file), HasSubstr("/odd is not a data set of this file"));
}

TEST(Hdf5FileTest, NamesAFilterThatIsNotThere) {
  const Hdf5File file = Changed("filter.h5", [](hid_t id) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_filter(creation, 32099, H5Z_FLAG_OPTIONAL, 0, nullptr);
    WriteFirstRow(Blocks(id, {1, 3}, creation));
  });
  EXPECT_THAT(OddValueError(file), HasSubstr("/odd is packed with HDF5 filter 32099"));
}

TEST(Hdf5FileTest, RefusesWholeNumbersThatDoNotFit) {
  const Hdf5File file = Changed("unsigned.h5", [](hid_t id) {
    const hsize_t count = 2;
    const std::array<std::uint64_t, 2> values = {1, std::uint64_t{1} << 63U};
    const hid_t created =
        H5Dcreate2(id, "/odd", H5T_NATIVE_UINT64, H5Screate_simple(1, &count, nullptr), H5P_DEFAULT,
                   H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(created, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  });
  EXPECT_THAT(file.Read<std::int64_t>("/odd").error().message, HasSubstr("too large"));
  EXPECT_EQ(file.Read<double>("/odd").value().values[1], 0x1p63);
}

}  // namespace
}  // namespace gonogo::io
