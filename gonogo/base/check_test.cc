// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/base/parallel/parallel.h"

namespace gonogo {
namespace {

/// Throws where a check fails, as long as it lives.
class ThrowingChecks {
 public:
  ThrowingChecks() : before_(SetCheckHandler(&ThrowCheckFailure)) {}
  ~ThrowingChecks() { SetCheckHandler(before_); }
  ThrowingChecks(const ThrowingChecks&) = delete;
  ThrowingChecks& operator=(const ThrowingChecks&) = delete;

 private:
  CheckHandler before_;
};

TEST(CheckHandlerTest, AFailedCheckEndsTheProcessByDefault) {
  EXPECT_DEATH(GONOGO_CHECK(1 == 2), "gonogo bug: check failed: 1 == 2 at .*check_test");
}

TEST(CheckHandlerTest, AThrowingHandlerTurnsAFailedCheckIntoAnExceptionThatNamesItsPlace) {
  const ThrowingChecks checks;
  try {
    GONOGO_CHECK(1 == 2);
    FAIL() << "the check let a wrong condition pass";
  } catch (const CheckFailure& failure) {
    EXPECT_THAT(failure.what(), testing::HasSubstr("1 == 2"));
    EXPECT_THAT(failure.what(), testing::HasSubstr("check_test.cc:"));
  }
}

TEST(CheckHandlerTest, AFailedCheckInAParallelLoopReachesTheCaller) {
  const ThrowingChecks checks;
  EXPECT_THROW(ParallelFor(4, 100, [](std::size_t i) { GONOGO_CHECK(i != 57); }), CheckFailure);
}

TEST(CheckHandlerTest, AHandlerThatReturnsDoesNotSaveTheProcess) {
  SetCheckHandler([](const std::string& /*message*/) {});
  EXPECT_DEATH(GONOGO_CHECK(1 == 2), "check failed");
  SetCheckHandler(nullptr);
}

TEST(CheckHandlerTest, TheFormerHandlerIsHandedBack) {
  const CheckHandler before = SetCheckHandler(&ThrowCheckFailure);
  EXPECT_EQ(before, nullptr);
  EXPECT_EQ(SetCheckHandler(before), &ThrowCheckFailure);
}

}  // namespace
}  // namespace gonogo
