// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/collect/action_predictions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gonogo/response/models/model_file.h"

namespace gonogo::study {
namespace {

/// One value per member, action and quantity, and what becomes of them.
class Members {
 public:
  Members(int members, std::size_t actions, std::size_t quantities)
      : members_(static_cast<std::size_t>(members)),
        actions_(actions),
        quantities_(quantities),
        values_(members_ * actions * quantities) {}

  double& at(std::size_t member, std::size_t action, std::size_t quantity) {
    return values_[(member * actions_ + action) * quantities_ + quantity];
  }

  /// Mean and standard deviation over the members of the difference to action `direct`.
  [[nodiscard]] std::vector<float> Summarise(std::size_t direct) {
    std::vector<float> rows;
    for (std::size_t a = 0; a < actions_; ++a) {
      std::vector<float> spreads;
      for (std::size_t q = 0; q < quantities_; ++q) {
        const auto difference = [&](std::size_t m) { return at(m, a, q) - at(m, direct, q); };
        double sum = 0.0;
        for (std::size_t m = 0; m < members_; ++m) sum += difference(m);
        const double mean = sum / static_cast<double>(members_);
        double squares = 0.0;
        for (std::size_t m = 0; m < members_; ++m) squares += std::pow(difference(m) - mean, 2);
        const double freedom = std::max(1.0, static_cast<double>(members_) - 1.0);
        rows.push_back(static_cast<float>(mean));
        spreads.push_back(static_cast<float>(std::sqrt(squares / freedom)));
      }
      rows.insert(rows.end(), spreads.begin(), spreads.end());
    }
    return rows;
  }

 private:
  std::size_t members_;
  std::size_t actions_;
  std::size_t quantities_;
  std::vector<double> values_;
};

std::vector<std::string> Columns(const std::string& group, std::span<const char* const> names) {
  std::vector<std::string> columns;
  for (const char* part : {"mean", "sd"}) {
    for (const char* name : names) columns.push_back(fmt::format("{}_{}_{}", group, part, name));
  }
  return columns;
}

std::size_t DirectOf(std::span<const Intervention> interventions) {
  const auto direct = std::find_if(interventions.begin(), interventions.end(),
                                   [](const Intervention& i) { return i.is_direct(); });
  GONOGO_CHECK(direct != interventions.end());
  return static_cast<std::size_t>(direct - interventions.begin());
}

robot::Command Executed(const Intervention& intervention, robot::Point2 goal_B,
                        const BranchRule& rule, const robot::RobotSpec& robot) {
  return Intervene(intervention, robot::DirectCommand(goal_B, robot.direct, robot.command_box),
                   std::hypot(goal_B.x, goal_B.y), rule.blend, robot.command_box);
}

}  // namespace

PredictionGroup PredictResponse(const response::ResponseModel& model, const PredictionQuery& query,
                                const BranchRule& rule, const robot::RobotSpec& robot) {
  static constexpr std::array kNames{"dx", "dy", "dpsi", "cost", "min_height", "mean_height"};
  const std::size_t actions = query.interventions.size();
  std::vector<robot::Command> commands;
  for (const Intervention& intervention : query.interventions) {
    commands.push_back(Executed(intervention, query.goal_B, rule, robot));
  }
  const auto scratch = model.MakeScratch(actions);
  std::vector<response::Response> responses(actions);
  Members members(model.members(), actions, kNames.size());
  for (int m = 0; m < model.members(); ++m) {
    model.PredictMember(m, query.observation, commands, responses, *scratch);
    for (std::size_t a = 0; a < actions; ++a) {
      const response::Response& r = responses[a];
      const std::array<double, 6> values{r.dx,   r.dy,           r.dpsi,
                                         r.cost, r.min_height_m, r.mean_height_m};
      for (std::size_t q = 0; q < values.size(); ++q) {
        members.at(static_cast<std::size_t>(m), a, q) = values[q];
      }
    }
  }
  return {"phi", Columns("phi", kNames), members.Summarise(DirectOf(query.interventions))};
}

PredictionGroup PredictPrefix(const response::MacroPredictor& model, const PredictionQuery& query,
                              const BranchRule& rule, const robot::RobotSpec& robot) {
  static constexpr std::array kNames{"work", "progress", "min_height", "max_tilt",
                                     "max_angular_speed"};
  const std::size_t actions = query.interventions.size();
  const double macro_step_s = robot.task.decision_every * robot.control_dt_s();
  const auto scratch = model.MakeScratch(actions);
  const auto width = static_cast<std::size_t>(model.observation_size());
  std::vector<response::MacroResponse> responses(actions);
  std::vector<robot::Command> commands(actions);
  Members members(model.members(), actions, kNames.size());
  for (int m = 0; m < model.members(); ++m) {
    const auto row = static_cast<std::size_t>(m);
    std::vector<float> observations(query.observation.begin(), query.observation.end());
    std::vector<float> next(actions * width);
    std::vector<robot::Point2> goals(actions, query.goal_B);
    for (std::size_t step = 0; step < rule.prefix; ++step) {
      for (std::size_t a = 0; a < actions; ++a) {
        commands[a] = Executed(query.interventions[a], goals[a], rule, robot);
      }
      model.Advance(m, observations, commands, next, responses, *scratch);
      observations = next;
      for (std::size_t a = 0; a < actions; ++a) {
        const response::MacroResponse& r = responses[a];
        goals[a] = response::MoveGoal(goals[a], r);
        members.at(row, a, 0) += r.power_w * macro_step_s;
        double& lowest = members.at(row, a, 2);
        lowest = step == 0 ? r.min_height_m : std::min<double>(lowest, r.min_height_m);
        double& tilt = members.at(row, a, 3);
        tilt = step == 0 ? r.max_tilt_rad : std::max<double>(tilt, r.max_tilt_rad);
        double& speed = members.at(row, a, 4);
        speed = step == 0 ? r.max_angular_speed : std::max<double>(speed, r.max_angular_speed);
      }
    }
    for (std::size_t a = 0; a < actions; ++a) {
      members.at(row, a, 1) =
          std::hypot(query.goal_B.x, query.goal_B.y) - std::hypot(goals[a].x, goals[a].y);
    }
  }
  return {"eta", Columns("eta", kNames), members.Summarise(DirectOf(query.interventions))};
}

Result<PredictionModels> PredictionModels::Open(const std::vector<std::string>& predictions,
                                                const std::filesystem::path& folder,
                                                const robot::RobotSpec& robot) {
  PredictionModels models;
  for (const std::string& name : predictions) {
    if (name == "phi") {  // the power model: five members, so that it has an uncertainty
      response::ResponseModel model =
          GONOGO_TRY(response::LoadResponseModel(folder / "response-power", robot));
      models.phi = std::make_shared<response::ResponseModel>(std::move(model));
    } else {
      response::MacroModel model = GONOGO_TRY(response::LoadMacroModel(folder / "macro", robot));
      models.eta = std::make_shared<response::MacroModel>(std::move(model));
    }
  }
  return models;
}

bool PredictionModels::Know(const Intervention& intervention) const {
  if (intervention.is_of_velocity()) return true;
  const std::size_t slot = intervention.channel.slot;
  return (!phi || phi->Knows(slot)) && (!eta || eta->Knows(slot));
}

std::vector<PredictionGroup> PredictionModels::Predict(const PredictionQuery& query,
                                                       const BranchRule& rule,
                                                       const robot::RobotSpec& robot) const {
  std::vector<PredictionGroup> groups;
  if (phi) groups.push_back(PredictResponse(*phi, query, rule, robot));
  if (eta) groups.push_back(PredictPrefix(*eta, query, rule, robot));
  return groups;
}

}  // namespace gonogo::study
