// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "gonogo/io/file.h"
#include "gonogo/study/describe/describe_robot.h"

namespace gonogo::study {
namespace {

namespace fs = std::filesystem;

enum class Kind { kModel, kPolicy, kConfig, kOther };

Kind KindOf(const fs::path& file) {
  std::string end = file.extension().string();
  for (char& c : end) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  static const std::set<std::string> kPolicies{".onnx", ".pt", ".jit", ".pth"};
  static const std::set<std::string> kConfigs{".yaml", ".yml", ".json", ".py"};
  if (end == ".xml" || end == ".mjcf" || end == ".urdf") return Kind::kModel;
  if (kPolicies.contains(end)) return Kind::kPolicy;
  if (kConfigs.contains(end)) return Kind::kConfig;
  return Kind::kOther;
}

/// Files of a folder and of those in it, sorted; what is of no kind is passed over.
Status AddFolder(const fs::path& folder, std::vector<fs::path>& files) {
  constexpr std::size_t kMostFiles = 2000;
  std::vector<fs::path> found;
  std::error_code code;
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, code);
  for (; !code && it != fs::recursive_directory_iterator(); it.increment(code)) {
    if (it.depth() > 3) it.disable_recursion_pending();
    std::error_code ignored;
    if (it->is_regular_file(ignored) && KindOf(it->path()) != Kind::kOther) {
      found.push_back(it->path());
    }
    if (found.size() > kMostFiles) {
      return InputError("{}: more than {} files: name those of the robot", folder.string(),
                        kMostFiles);
    }
  }
  if (code) return IoError("{}: {}", folder.string(), code.message());
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
  return {};
}

Error Several(const char* what, const fs::path& one, const fs::path& other) {
  return UsageError("two {}, {} and {}: name the one that is meant, and not the folder", what,
                    one.string(), other.string());
}

}  // namespace

Result<DescribeInput> SortFiles(const std::vector<fs::path>& given) {
  std::vector<fs::path> files;
  std::set<fs::path> named;
  for (const fs::path& file : given) {
    std::error_code code;
    if (fs::is_directory(file, code)) {
      GONOGO_TRY(AddFolder(file, files));
    } else if (KindOf(file) == Kind::kOther) {
      return UsageError(
          "{}: expected a model (.xml, .urdf), a policy (.onnx, .pt, .jit), a file with settings "
          "(.yaml, .json, .py) or a folder with them",
          file.string());
    } else {
      files.push_back(file);
      named.insert(file);
    }
  }
  DescribeInput input;
  for (const fs::path& file : files) {
    const Kind kind = KindOf(file);
    if (kind == Kind::kConfig) {
      input.configs.push_back(file);
      continue;
    }
    fs::path& place = kind == Kind::kModel ? input.model : input.policy;
    if (place.empty()) {
      place = file;
    } else if (named.contains(file) && !named.contains(place)) {
      place = file;  // what was named wins over what a folder holds
    } else if (named.contains(file) || !named.contains(place)) {
      return Several(kind == Kind::kModel ? "models" : "policies", place, file);
    }
  }
  if (input.model.empty()) return UsageError("none of the files is a model (.xml, .mjcf, .urdf)");
  if (input.policy.empty()) return UsageError("none of the files is a policy (.onnx, .pt, .jit)");
  return input;
}

}  // namespace gonogo::study
