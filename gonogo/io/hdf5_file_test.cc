// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/hdf5_file.h"

#include <array>

#include <gtest/gtest.h>

#include "gonogo/io/file.h"

namespace gonogo::io {
namespace {

using Shape = std::vector<std::size_t>;

std::filesystem::path Scratch(const char* name) {
  return std::filesystem::path(testing::TempDir()) / name;
}

/// A file with one data set of each kind.
std::filesystem::path Written(const char* name) {
  std::filesystem::path path = Scratch(name);
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
  EXPECT_EQ(file.Children("/features"), (std::vector<std::string>{"obs"}));
  EXPECT_TRUE(file.Children("/nothing").empty());
  EXPECT_FALSE(file.Has("/features/none/deeper"));
  EXPECT_EQ(file.Type("/query").value(), Hdf5Type::kString);
}

TEST(Hdf5FileTest, EqualContentGivesEqualBytes) {
  EXPECT_EQ(ReadFile(Written("one.h5")).value(), ReadFile(Written("two.h5")).value());
}

TEST(Hdf5FileTest, AppendsRows) {
  const auto path = Scratch("append.h5");
  {
    Hdf5File file = Hdf5File::Create(path).value();
    const std::array<float, 4> rows = {1, 2, 3, 4};
    ASSERT_TRUE(file.Append<float>("/window", Shape{2}, rows).ok());
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
    ASSERT_TRUE(WriteFile(Scratch("cut.h5"), bytes.substr(0, size)).ok());
    EXPECT_FALSE(Hdf5File::Open(Scratch("cut.h5")).ok()) << size;
  }
  ASSERT_TRUE(WriteFile(Scratch("text.h5"), "cluster,query\n").ok());
  EXPECT_FALSE(Hdf5File::Open(Scratch("text.h5")).ok());
  EXPECT_EQ(Hdf5File::Open(Scratch("absent.h5")).error().kind, ErrorKind::kIo);
}

}  // namespace
}  // namespace gonogo::io
