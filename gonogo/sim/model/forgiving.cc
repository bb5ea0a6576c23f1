// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/forgiving.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <regex>
#include <set>

#include <mujoco/mujoco.h>

#include "gonogo/sim/internal/row.h"
#include "gonogo/sim/model/mjcf_text.h"
#include "gonogo/sim/model/newer_mjcf.h"

namespace gonogo::sim {
namespace {

/// What the engine did not understand: an attribute, an element or a keyword.
struct Complaint {
  enum class Kind { kAttribute, kElement, kKeyword } kind = Kind::kAttribute;
  std::string word;     ///< the attribute or keyword
  std::string element;  ///< that it stands in
  std::size_t line = 0;
};

std::optional<Complaint> ReadComplaint(const std::string& message) {
  // Words of the model may stand before the place, and look like one.
  static const std::regex where_pattern("Element '([^']*)', line ([0-9]{1,9})(?![0-9])");
  static const std::regex attribute_pattern("unrecognized attribute: '([^']*)'");
  static const std::regex keyword_pattern("invalid keyword: '([^']*)'");
  std::smatch where;
  if (!std::regex_search(message, where, where_pattern)) return std::nullopt;
  Complaint complaint;
  complaint.element = where[1];
  complaint.line = std::stoul(where[2]);
  std::smatch what;
  if (std::regex_search(message, what, attribute_pattern)) {
    complaint.word = what[1];
    return complaint;
  }
  if (std::regex_search(message, what, keyword_pattern)) {
    complaint.kind = Complaint::Kind::kKeyword;
    complaint.word = what[1];
    return complaint;
  }
  if (message.find("unrecognized element") == std::string::npos) return std::nullopt;
  complaint.kind = Complaint::Kind::kElement;
  return complaint;
}

/// Compiles again and again, with one complaint less each time.
class ForgivingReader {
 public:
  ForgivingReader(const std::string& mjcf, const std::filesystem::path& file)
      : text_(mjcf, file), file_(file) {}

  Result<ForgivenModel> Read();

 private:
  [[nodiscard]] bool Resolve(const Complaint& complaint);
  [[nodiscard]] bool ResolveAttribute(const Complaint& complaint);
  [[nodiscard]] bool ResolveElement(const Complaint& complaint);
  [[nodiscard]] bool ResolveKeyword(const Complaint& complaint);
  [[nodiscard]] Status ReadCarried(ForgivenModel& forgiven) const;
  [[nodiscard]] Status ReadSpeedGains(ForgivenModel& forgiven) const;

  /// "robot.xml:3", "robot.xml:3 and 4 more".
  [[nodiscard]] std::string Places(const std::vector<MjcfText::Element>& elements) const {
    const std::string first = text_.Origin(elements.front().begin);
    return elements.size() == 1 ? first : fmt::format("{} and {} more", first, elements.size() - 1);
  }

  MjcfText text_;
  std::filesystem::path file_;
  std::vector<std::string> notes_;
  std::vector<std::string> problems_;
  std::set<std::string> carried_;  // elements whose user data hold what we put there
  bool newer_solver_ = false;
};

bool ForgivingReader::ResolveAttribute(const Complaint& complaint) {
  std::vector<MjcfText::Element> having;
  for (const MjcfText::Element& element : text_.Elements(complaint.element)) {
    if (text_.Attribute(element, complaint.word)) having.push_back(element);
  }
  if (having.empty()) return false;
  const std::string what = fmt::format("{} {}=\"{}\"", complaint.element, complaint.word,
                                       *text_.Attribute(having.front(), complaint.word));
  const std::string where = Places(having);
  const NewerAttribute* newer = FindNewer(complaint.element, complaint.word);
  const bool looks = std::all_of(having.begin(), having.end(),
                                 [](const auto& element) { return IsLooks(element.section); });
  const bool user = std::any_of(having.begin(), having.end(), [&](const auto& element) {
    return text_.Attribute(element, "user").has_value();
  });
  const bool off = std::all_of(having.begin(), having.end(), [&](const auto& element) {
    return text_.Attribute(element, complaint.word) == "false";
  });
  using Fate = NewerAttribute::Fate;
  const bool carried = newer != nullptr && newer->fate == Fate::kCarried && !user;
  if (carried) {
    notes_.push_back(fmt::format("{}: {} is read as {}", where, what, newer->reason));
    carried_.insert(complaint.element);
  } else if (looks || off || (newer != nullptr && newer->fate == Fate::kLeftOut)) {
    notes_.push_back(fmt::format("{}: {} is left out: {}", where, what,
                                 looks ? "nothing here reads it"
                                 : off ? "that is how it is without it"
                                       : newer->reason));
  } else if (newer != nullptr) {
    problems_.push_back(fmt::format("{}: {} cannot be kept: {}", where, what,
                                    newer->fate == Fate::kCarried
                                        ? "it is read through user=\"…\", which is taken"
                                        : newer->reason));
  } else {
    problems_.push_back(
        fmt::format("{}: {} is an attribute this version of MuJoCo does not know", where, what));
  }
  newer_solver_ = newer_solver_ || complaint.word == "ls_iterations";
  std::reverse(having.begin(), having.end());  // later places move
  for (const MjcfText::Element& element : having) {
    const std::string value = *text_.Attribute(element, complaint.word);
    text_.ReplaceAttribute(element, complaint.word,
                           carried ? fmt::format("user=\"{}{}\"", newer->before_value, value) : "");
  }
  return true;
}

bool ForgivingReader::ResolveElement(const Complaint& complaint) {
  std::vector<MjcfText::Element> elements = text_.Elements(complaint.element);
  const auto at =
      std::find_if(elements.begin(), elements.end(), [&](const MjcfText::Element& element) {
        return text_.LineOf(element.begin) == complaint.line;
      });
  if (at == elements.end()) return false;
  // The same element elsewhere may be well known, such as <contact> outside of <sensor>.
  const std::string parent = at->parent;
  std::erase_if(elements, [&](const MjcfText::Element& e) { return e.parent != parent; });
  const std::string where = Places(elements);
  if (IsLooks(elements.front().section) || IsLooks(parent)) {
    notes_.push_back(fmt::format("{}: {} in {} is left out: nothing here reads it", where,
                                 complaint.element, parent));
  } else {
    const std::string why = WhyNotKept(complaint.element);
    problems_.push_back(
        why.empty() ? fmt::format("{}: {} is an element this version of MuJoCo does not know{}",
                                  where, complaint.element, parent.empty() ? "" : " in " + parent)
                    : fmt::format("{}: {} cannot be kept: {}", where, complaint.element, why));
  }
  std::reverse(elements.begin(), elements.end());
  for (const MjcfText::Element& element : elements) {
    text_.RemoveElement(element);
  }
  return true;
}

bool ForgivingReader::ResolveKeyword(const Complaint& complaint) {
  if (complaint.word != "implicitfast") return false;
  std::vector<MjcfText::Element> options = text_.Elements("option");
  std::reverse(options.begin(), options.end());
  for (const MjcfText::Element& option : options) {
    if (text_.Attribute(option, "integrator") != complaint.word) continue;
    text_.ReplaceAttribute(option, "integrator", "integrator=\"implicit\"");
    notes_.push_back(text_.Origin(option.begin) +
                     ": option integrator=\"implicitfast\" is read as implicit");
    return true;
  }
  return false;
}

bool ForgivingReader::Resolve(const Complaint& complaint) {
  switch (complaint.kind) {
    case Complaint::Kind::kAttribute:
      return ResolveAttribute(complaint);
    case Complaint::Kind::kElement:
      return ResolveElement(complaint);
    case Complaint::Kind::kKeyword:
      return ResolveKeyword(complaint);
  }
  return false;
}

/// kd of a position actuator with a damping ratio: critical damping of the inertia it sees as
/// modelled, as newer versions compute it.
double DampedKd(const mjModel& model, int actuator, double ratio) {
  const int joint = internal::Row(model.actuator_trnid, 2, actuator)[0];
  const double gear = internal::Row(model.actuator_gear, 6, actuator)[0];
  const double inertia = model.dof_M0[model.jnt_dofadr[joint]] / (gear * gear);
  const double kp = internal::Row(model.actuator_gainprm, mjNGAIN, actuator)[0];
  return ratio * 2.0 * std::sqrt(kp * inertia);
}

Status ForgivingReader::ReadSpeedGains(ForgivenModel& forgiven) const {
  const mjModel& model = *forgiven.model;
  forgiven.position_kd.assign(static_cast<std::size_t>(model.nu), 0.0);
  if (!carried_.contains("position")) return {};
  for (int i = 0; i < model.nu; ++i) {
    const mjtNum* user = internal::Row(model.actuator_user, model.nuser_actuator, i);
    const double ratio = model.nuser_actuator >= 2 ? user[1] : 0.0;
    forgiven.position_kd[static_cast<std::size_t>(i)] = user[0];
    if (ratio == 0.0) continue;
    if (model.actuator_trntype[i] != mjTRN_JOINT) {
      return InputError("{}: position dampratio is read for actuators of joints only",
                        file_.string());
    }
    forgiven.position_kd[static_cast<std::size_t>(i)] = DampedKd(model, i, ratio);
  }
  return {};
}

Status ForgivingReader::ReadCarried(ForgivenModel& forgiven) const {
  const mjModel& model = *forgiven.model;
  forgiven.torque_limit.assign(static_cast<std::size_t>(model.njnt),
                               std::numeric_limits<double>::infinity());
  const bool limits = carried_.contains("joint") && model.nuser_jnt >= 2;
  for (int i = 0; limits && i < model.njnt; ++i) {
    const mjtNum* range = internal::Row(model.jnt_user, model.nuser_jnt, i);
    const double limit = std::max(std::abs(range[0]), std::abs(range[1]));
    if (limit > 0.0) forgiven.torque_limit[static_cast<std::size_t>(i)] = limit;
  }
  const bool lifted = carried_.contains("body") && model.nuser_body >= 1;
  for (int i = 0; lifted && i < model.nbody; ++i) {
    forgiven.gravcomp.push_back(internal::Row(model.body_user, model.nuser_body, i)[0]);
  }
  // Newer solvers, and those on graphics cards, are given few iterations that search long lines.
  constexpr int kEnough = 20;
  constexpr int kDefault = 50;
  if (newer_solver_ && model.opt.iterations < kEnough) {
    forgiven.notes.push_back(fmt::format(
        "{}: option iterations=\"{}\" is read as {}: with fewer than {} this version's solver "
        "lets feet slip and sink",
        file_.filename().string(), model.opt.iterations, kDefault, kEnough));
    forgiven.model->opt.iterations = kDefault;
  }
  return ReadSpeedGains(forgiven);
}

Result<ForgivenModel> ForgivingReader::Read() {
  bool limits_set = false;
  bool expanded = false;
  constexpr int kMostComplaints = 1000;
  for (int attempt = 0; attempt < kMostComplaints; ++attempt) {
    Result<ModelPtr> compiled = CompileModel(text_.text(), file_);
    if (compiled.ok()) {
      if (!problems_.empty()) break;
      ForgivenModel forgiven;
      forgiven.model = std::move(compiled).value();
      forgiven.notes = std::move(notes_);
      GONOGO_TRY(ReadCarried(forgiven));
      return forgiven;
    }
    const std::string& message = compiled.error().message;
    if (!limits_set && message.find("autolimits") != std::string::npos) {
      limits_set = true;
      text_.InsertFirst("<compiler autolimits=\"true\"/>");
      notes_.push_back(file_.filename().string() +
                       ": ranges count as limits, as newer versions take them");
      continue;
    }
    const std::optional<Complaint> complaint = ReadComplaint(message);
    if (complaint && !expanded) {
      expanded = true;  // what it complains of may stand in a file that is included
      const bool any = GONOGO_TRY(text_.ExpandIncludes());
      if (any) continue;
    }
    if (complaint && Resolve(*complaint)) continue;
    if (problems_.empty()) return compiled.error();
    problems_.push_back(message);
    break;
  }
  std::string list;
  for (const std::string& problem : problems_) list += "\n  " + problem;
  return InputError(
      "{}: written for a newer MuJoCo than {}. Left out, this would change how the robot moves:{}",
      file_.string(), mj_versionString(), list);
}

}  // namespace

Result<ForgivenModel> CompileForgiving(const std::string& mjcf, const std::filesystem::path& file) {
  return ForgivingReader(mjcf, file).Read();
}

}  // namespace gonogo::sim
