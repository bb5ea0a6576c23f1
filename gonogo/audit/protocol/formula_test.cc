// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/protocol/formula.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

double ValueOf(std::string_view text, const std::vector<double>& values = {}) {
  return Formula::Parse(text).value().Evaluate(values);
}

TEST(FormulaTest, CalculatesAsOneDoesByHand) {
  EXPECT_EQ(ValueOf("1 + 2 * 3 - 4 / 8"), 6.5);
  EXPECT_EQ(ValueOf("2 * (3 - -1)"), 8.0);
  EXPECT_EQ(ValueOf("10 - 4 - 3"), 3.0);
  EXPECT_EQ(ValueOf("16 / 4 / 2"), 2.0);
  EXPECT_EQ(ValueOf("-(1.5e1)"), -15.0);
  EXPECT_TRUE(std::isinf(ValueOf("1 / 0")));
}

TEST(FormulaTest, NamesEveryColumnOnce) {
  const Formula formula =
      Formula::Parse("price_usd + 8.0 * (1 - success) + `US dollars` - price_usd").value();
  EXPECT_THAT(formula.columns(), ElementsAre("price_usd", "success", "US dollars"));
  EXPECT_EQ(formula.Evaluate(std::vector<double>{3.0, 0.0, 0.5}), 8.5);
  EXPECT_THAT(Formula::Column("a - b").columns(), ElementsAre("a - b"));
  EXPECT_EQ(Formula::Column("a - b").Evaluate(std::vector<double>{7.0}), 7.0);
}

TEST(FormulaTest, SaysWhereItCannotBeRead) {
  const auto message = [](const std::string& text) { return Formula::Parse(text).error().message; };
  EXPECT_EQ(message("price + * 2"),
            "formula 'price + * 2', position 9: found '*', expected a number, the name of a "
            "column, '-' or '('");
  EXPECT_THAT(message("(price"), HasSubstr("position 7: it ends here, expected an operator"));
  EXPECT_THAT(message("price success"), HasSubstr("position 7: found 's', expected an operator"));
  EXPECT_THAT(message("`price"), HasSubstr("another backtick"));
  EXPECT_THAT(message(""), HasSubstr("position 1: it ends here"));
  EXPECT_THAT(message("exp(price)"), HasSubstr("position 4: found '('"));
  EXPECT_THAT(message(std::string(200, '(') + "1"), HasSubstr("position 101"));
}

}  // namespace
}  // namespace gonogo::audit
