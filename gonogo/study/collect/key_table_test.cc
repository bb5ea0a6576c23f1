// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/io/file.h"
#include "gonogo/study/collect/collect_config.h"

namespace gonogo::study {
namespace {

TEST(KeyTableTest, IsTheOneInTheDocs) {
  const std::string docs = io::ReadFile(GONOGO_SOURCE_DIR "/docs/reference/formats.md").value();
  const std::string begin = "<!-- printed by `gonogo declare --keys`; a test compares -->\n";
  const std::size_t at = docs.find(begin);
  ASSERT_NE(at, std::string::npos);
  const std::size_t from = at + begin.size();
  const std::size_t end = docs.find("<!-- end of the keys -->", from);
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(docs.substr(from, end - from), KeyTable())
      << "put what `gonogo declare --keys` prints between the two remarks";
}

TEST(KeyTableTest, ListsEveryKeyOfTheCanonicalText) {
  audit::Protocol protocol;
  protocol.collect = SectionOf({});
  const std::string table = KeyTable();
  for (const auto& [key, value] : audit::Entries(protocol)) {
    EXPECT_THAT(table, testing::HasSubstr("| `" + key + "` | `" + value + "` |"));
  }
}

}  // namespace
}  // namespace gonogo::study
