// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/session/audit_request.h"

#include <gtest/gtest.h>

#include "gonogo/audit/controls/positive_control.h"

namespace gonogo::audit {
namespace {

TEST(AuditRequestTest, WhatIdentifiesARunKeepsItsKeys) {
  // Other keys would make runs that exist already impossible to resume.
  EXPECT_EQ(AuditRequest{.learner = "ridge"}.Asked().dump(),
            R"({"ablation":false,"choices":"","learner":"ridge","seeds":0,"verb":"audit"})");
}

TEST(AuditRequestTest, TheWordsOfADeclarationAreFoundByItsFingerprint) {
  const Protocol declared = PositiveControlProtocol();
  OutcomeTable table = DeclaredPositiveControl(declared);
  table.declaration.clear();
  Protocol other = declared;
  other.min_clusters = 30;
  SpellOutDeclaration(other, table);
  EXPECT_EQ(table.declaration, "");
  SpellOutDeclaration(declared, table);
  EXPECT_EQ(table.declaration, CanonicalText(declared));
}

TEST(AuditRequestTest, RefusesWhatTheAuditWouldRefuseLater) {
  const Protocol protocol = PositiveControlProtocol();
  const OutcomeTable table = DeclaredPositiveControl(protocol);
  EXPECT_TRUE(CheckRequest(table, protocol, {}).ok());
  EXPECT_FALSE(CheckRequest(table, protocol, {.choices = "choice"}).ok());
  Protocol ablated = protocol;
  ablated.feature_sets = {{"sonar", {"sonar"}}};
  EXPECT_TRUE(CheckRequest(table, ablated, {}).ok());
  EXPECT_FALSE(CheckRequest(table, ablated, {.ablation = true}).ok());
}

}  // namespace
}  // namespace gonogo::audit
