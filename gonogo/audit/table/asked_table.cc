// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/asked_table.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "gonogo/audit/table/arrange_table.h"
#include "gonogo/base/number_text.h"
#include "gonogo/base/rng.h"

namespace gonogo::audit {
namespace {

Status NeedsSuccess(const OutcomeTable& table, const char* key) {
  if (!table.success.empty() || (table.logged && !table.logged->success.empty())) return {};
  return InputError(
      "protocol.{} asks which actions succeed, and the table does not say: expected a column of "
      "successes",
      key);
}

Status PriceFailures(double price, double besides, OutcomeTable& table) {
  if (price == 1.0 && besides == 0.0) return {};
  GONOGO_TRY(NeedsSuccess(table, price == 1.0 ? "failure_cost" : "failure_price"));
  if (table.of_rewards) {
    return InputError(
        "protocol.failure_price and protocol.failure_cost are about costs, and the table holds "
        "rewards: take failures off in the formula, as table.reward = \"revenue - 8 * (1 - "
        "success)\"");
  }
  std::vector<double>& cost = table.logged ? table.logged->cost : table.cost;
  const std::vector<std::uint8_t>& success = table.logged ? table.logged->success : table.success;
  for (std::size_t cell = 0; cell < cost.size(); ++cell) {
    if (success[cell] == 0) cost[cell] = cost[cell] * price + besides;
  }
  return {};
}

Status LeaveOut(Constraint constraint, OutcomeTable& table) {
  std::vector<std::uint8_t>& success = table.logged ? table.logged->success : table.success;
  switch (constraint) {
    case Constraint::kSuccessAndTime:
      return {};
    case Constraint::kMeanSuccess:
      if (table.logged || table.of_rewards) {
        return InputError(
            "protocol.constraint is \"mean success\", which needs costs and successes of all "
            "actions "
            "at every query: expected \"net success\" for a log, and a cost instead of a reward");
      }
      table.prices_success = true;
      [[fallthrough]];
    case Constraint::kNetSuccess:
      table.counts_net_success = true;
      [[fallthrough]];
    case Constraint::kSuccess:
      GONOGO_TRY(NeedsSuccess(table, "constraint"));
      break;
    case Constraint::kNone:
      success.clear();
      break;
  }
  (table.logged ? table.logged->time : table.time).clear();
  (table.logged ? table.logged->eligible : table.eligible).clear();
  return {};
}

/// For every query the block it is dealt to.
std::vector<std::size_t> DealQueries(const OutcomeTable& table, std::size_t blocks,
                                     const RngStream& stream) {
  std::vector<std::size_t> block_of(table.num_queries());
  std::size_t next = 0;
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    const QueryRange range = table.queries_of(k);
    std::vector<std::size_t> order(range.size());
    std::iota(order.begin(), order.end(), range.begin);
    Rng rng = stream.Child(k).Generator();
    rng.Shuffle(std::span(order));
    for (const std::size_t query : order) block_of[query] = next++ % blocks;
  }
  return block_of;
}

std::size_t SingleQueries(const OutcomeTable& table) {
  std::size_t singles = 0;
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    if (table.queries_of(k).size() == 1) ++singles;
  }
  return singles;
}

Result<OutcomeTable> DealtIntoBlocks(OutcomeTable table, const Protocol& protocol) {
  const std::size_t blocks = std::min(protocol.question.blocks, table.num_queries());
  const std::vector<std::size_t> block_of =
      DealQueries(table, blocks, RngStream(protocol.bootstrap.seed).Child("blocks"));
  std::vector<std::string> names;
  for (const std::size_t block : block_of) names.push_back(fmt::format("block-{}", block + 1));
  Protocol as_it_is = protocol;  // actions stay where they are
  as_it_is.actions = table.actions;
  as_it_is.reference = table.actions[kDirect];
  std::vector<std::string> notes = table.notes;
  if (const std::size_t singles = SingleQueries(table); singles > 0) {
    notes.push_back(
        fmt::format("{} of the {} clusters have a single query: nothing else of them was ever "
                    "seen when it was held out, so they do not count as known",
                    singles, table.num_clusters()));
  }
  OutcomeTable arranged = GONOGO_TRY(ArrangeTable(std::move(table), names, as_it_is));
  arranged.notes = std::move(notes);
  return arranged;
}

std::string ConstraintInWords(Constraint constraint) {
  switch (constraint) {
    case Constraint::kSuccess:
      return "A choice breaks the constraint where it fails and the reference succeeds; times are "
             "not looked at.";
    case Constraint::kNetSuccess:
      return "q is net: the share of queries lost, where the choice fails and the reference "
             "succeeds, less the share gained, where it is the other way round.";
    case Constraint::kMeanSuccess:
      return "As much as possible is to be saved with at most κ of success lost on average. q is "
             "net: "
             "the share of queries lost, where the choice fails and the reference succeeds, less "
             "the "
             "share gained. H_alloc counts a success at what the fixed actions pay for one.";
    case Constraint::kNone:
      return "Nothing is forbidden: the cost says it all.";
    case Constraint::kSuccessAndTime:
      break;
  }
  return "";
}

}  // namespace

Result<std::optional<OutcomeTable>> AskedTable(const OutcomeTable& table,
                                               const Protocol& protocol) {
  const QuestionConfig usual{.blocks = protocol.question.blocks};
  if (protocol.question == usual) return std::optional<OutcomeTable>();
  OutcomeTable asked = table;
  GONOGO_TRY(PriceFailures(protocol.question.failure_price, protocol.question.failure_cost, asked));
  GONOGO_TRY(LeaveOut(protocol.question.constraint, asked));
  if (protocol.question.deploy == Deployment::kNewClusters) return std::optional(std::move(asked));
  OutcomeTable arranged = GONOGO_TRY(DealtIntoBlocks(std::move(asked), protocol));
  return std::optional(std::move(arranged));
}

std::string QuestionInWords(const Protocol& protocol) {
  const QuestionConfig& question = protocol.question;
  std::string words;
  const auto add = [&](const std::string& sentence) {
    if (!words.empty() && !sentence.empty()) words += " ";
    words += sentence;
  };
  if (question.deploy == Deployment::kKnownClusters) {
    add(fmt::format(
        "The question is about further queries of the clusters in the table ({}), not about new "
        "clusters: the queries of each were divided at random into {} blocks, and blocks are held "
        "out and resampled.",
        protocol.cluster, question.blocks));
  }
  add(ConstraintInWords(question.constraint));
  if (question.failure_price != 1.0) {
    add(fmt::format("An action that fails costs {} times what the table says.",
                    Decimal(question.failure_price, 2)));
  }
  if (question.failure_cost != 0.0) {
    add(fmt::format("An action that fails costs {:.6g} more than the table says.",
                    question.failure_cost));
  }
  return words;
}

}  // namespace gonogo::audit
