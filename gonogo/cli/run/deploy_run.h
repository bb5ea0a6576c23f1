// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/audit/session/session.h"
#include "gonogo/cli/arguments.h"
#include "gonogo/cli/verb.h"

namespace gonogo::cli {

/// What an audit leaves behind for a deployment: the adapter itself and its choices one by one.
class DeployFlags {
 public:
  void Add(Arguments& verb);

  [[nodiscard]] bool wants_export() const { return !export_.empty(); }
  [[nodiscard]] bool writes_choices() const { return !choices_out_.empty() || !map_.empty(); }
  [[nodiscard]] bool any() const { return wants_export() || writes_choices(); }
  /// Refuses, before anything runs, what cannot be written afterwards.
  [[nodiscard]] Status Check(bool given_choices) const;

  /// Adds where the adapter acts to the result, if that was asked for.
  [[nodiscard]] Status AddMap(const audit::Session& session, const audit::AuditResult& result,
                              const Context& context, nlohmann::json& json) const;

  /// Writes what was asked for. False when an adapter was asked for and the verdict forbids it.
  [[nodiscard]] Result<bool> Write(const audit::Session& session, const audit::AuditResult& result,
                                   const Context& context) const;

 private:
  [[nodiscard]] Status WriteChoices(const audit::Session& session, const audit::AuditResult& result,
                                    const Context& context) const;
  [[nodiscard]] Result<bool> Export(const audit::Session& session, const audit::AuditResult& result,
                                    const Context& context) const;

  std::filesystem::path export_;
  std::filesystem::path choices_out_;
  std::string map_;
  bool anyway_ = false;
};

}  // namespace gonogo::cli
