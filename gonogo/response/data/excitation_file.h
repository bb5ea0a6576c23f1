// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gonogo/base/result.h"
#include "gonogo/io/hdf5/hdf5_file.h"
#include "gonogo/response/data/excitation_log.h"
#include "gonogo/robot/spec/spec.h"

/// \file
/// Identification data on disk; the schema is docs/reference/identification-data.md.

namespace gonogo::response {

/// Writes a log piece by piece. The file carries its final name only after `Finish`.
class ExcitationWriter {
 public:
  /// `provenance` is a JSON text stored with the data.
  [[nodiscard]] static Result<ExcitationWriter> Create(const std::filesystem::path& path,
                                                       const robot::RobotSpec& robot,
                                                       const std::string& provenance);

  /// Adds states; their episodes are numbered on from those already written.
  [[nodiscard]] Status Append(const ExcitationLog& part);
  [[nodiscard]] Status Finish();

 private:
  ExcitationWriter(io::Hdf5File file, ExcitationLog header,
                   std::vector<robot::CommandChannel> channels)
      : file_(std::move(file)), header_(std::move(header)), channels_(std::move(channels)) {}

  io::Hdf5File file_;
  ExcitationLog header_;
  std::vector<robot::CommandChannel> channels_;
  std::int32_t episodes_ = 0;
  std::size_t states_ = 0;
};

/// Reads a log made by this robot. Another robot's or another layout's, a truncated, inconsistent
/// or empty file is an error that says so.
[[nodiscard]] Result<ExcitationLog> ReadExcitation(const std::filesystem::path& path,
                                                   const robot::RobotSpec& robot);

/// A log without states, with the identity of `robot`.
[[nodiscard]] ExcitationLog EmptyLog(const robot::RobotSpec& robot);

}  // namespace gonogo::response
