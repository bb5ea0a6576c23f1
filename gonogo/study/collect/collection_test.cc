// SPDX-License-Identifier: Apache-2.0
// Parts may be copied in from elsewhere: what a collection takes, and what it says about others.
#include "gonogo/study/collect/collection.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/table/table_reader.h"

namespace gonogo::study {
namespace {

using testing::HasSubstr;

constexpr const char* kPartsProtocol = R"(
[protocol]
name = "parts"
actions = ["direct", "left", "right"]
[collect]
seeds = [5, 3]
)";

/// The outcomes of one cluster, as if collected.
ClusterOutcomes Cluster(std::uint64_t seed) {
  ClusterOutcomes cluster{.table = audit::MakePositiveControl(
                              {.clusters = 1, .queries_per_cluster = 4}, RngStream(seed)),
                          .replayed = 2,
                          .reconstruction_error = 0.0};
  cluster.table.clusters = {std::to_string(seed)};
  for (std::string& name : cluster.table.queries) name = std::to_string(seed) + "/" + name;
  return cluster;
}

class CollectionTest : public testing::Test {
 protected:
  CollectionTest() { std::filesystem::remove_all(folder_); }
  ~CollectionTest() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] Collection Open() const {
    return Collection::Open(folder_, protocol_, {{"robot", "toy"}}).value();
  }
  /// What merging says after the second part was changed behind the collection's back.
  [[nodiscard]] std::string ErrorAfter(const std::function<void(audit::OutcomeTable&)>& damage) {
    Collection collection = Open();
    EXPECT_TRUE(collection.Save(5, Cluster(5)).ok());
    EXPECT_TRUE(collection.Save(3, Cluster(3)).ok());
    audit::OutcomeTable part = audit::ReadPart(collection.PartFile(3), protocol_).value();
    damage(part);
    EXPECT_TRUE(audit::WriteTable(part, collection.PartFile(3)).ok());
    const Result<MergedTable> merged = collection.Merge();
    if (merged.ok()) return "no error";
    EXPECT_EQ(merged.error().kind, ErrorKind::kInput);
    return merged.error().message;
  }
  [[nodiscard]] std::string ErrorOfProvenance(const std::string& json) {
    return ErrorAfter([&](audit::OutcomeTable& part) { part.provenance = json; });
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "collection_test";
  audit::Protocol protocol_ = ParseProtocol(kPartsProtocol, "parts.toml").value();
};

TEST_F(CollectionTest, MergesItsPartsInTheDeclaredOrder) {
  Collection collection = Open();
  ASSERT_TRUE(collection.Save(3, Cluster(3)).ok());
  ASSERT_TRUE(collection.Save(5, Cluster(5)).ok());
  const Result<MergedTable> merged = collection.Merge();
  ASSERT_TRUE(merged.ok()) << merged.error().message;
  EXPECT_EQ(merged.value().clusters, 2U);
  EXPECT_EQ(merged.value().replayed, 4U);
  EXPECT_EQ(merged.value().success, 1.0);
}

TEST_F(CollectionTest, RefusesWrongTypesInAPartsProvenance) {
  EXPECT_THAT(ErrorOfProvenance(R"({"robot": "toy", "replayed": "all"})"),
              HasSubstr("cluster-3.h5: provenance: replayed is \"all\", expected a whole number"));
  EXPECT_THAT(ErrorOfProvenance(R"({"robot": "toy", "reconstruction_error": [0]})"),
              HasSubstr("reconstruction_error is [0], expected a number"));
  EXPECT_THAT(ErrorOfProvenance("5"), HasSubstr("the content is 5, expected an object"));
  EXPECT_THAT(ErrorOfProvenance("mine"), HasSubstr("cluster-3.h5: provenance: not valid JSON"));
  EXPECT_THAT(ErrorOfProvenance(R"({"robot": 7})"), HasSubstr("robot is 7, now it is \"toy\""));
}

TEST_F(CollectionTest, RefusesPartsThatDoNotFitTogether) {
  EXPECT_THAT(ErrorAfter([](audit::OutcomeTable& part) { part.features.pop_back(); }),
              HasSubstr("like the parts before it"));
  EXPECT_THAT(ErrorAfter([](audit::OutcomeTable& part) { part.success.clear(); }),
              HasSubstr("cluster-3.h5: has no /success, expected /time and /success"));
  EXPECT_THAT(ErrorAfter([](audit::OutcomeTable& part) { part.clusters = {"4"}; }),
              HasSubstr("cluster-3.h5: holds the clusters 4, expected 3 alone"));
}

TEST_F(CollectionTest, SavesNoOutcomesThatCannotBeRead) {
  ClusterOutcomes cluster = Cluster(5);
  cluster.table.cost[0] = 0.0;
  const Status saved = Open().Save(5, cluster);
  ASSERT_FALSE(saved.ok());
  EXPECT_THAT(saved.error().message,
              HasSubstr("cost of query '5/0' and action 'direct' is 0, expected more than 0"));
}

}  // namespace
}  // namespace gonogo::study
