// The hub's second stream: pairs of matches, each with one who plays it until he stops renewing it.
#include <array>
#include <utility>

#include "train/hub/redis_hub.h"
#include "train/hub/redis_reply.h"

namespace makzero::train {
namespace {

constexpr const char* kRaters = "raters";  // Group of consumers, who are workers and the trainer.
constexpr std::string_view kNoGroup = "NOGROUP";

// Keys: epoch, job, pairs, results; arguments: epoch, id, text, group, then pairs.
constexpr const char* kOffer = MAKZERO_FENCE
    "if redis.call('HGET', KEYS[2], 'id') ~= ARGV[2] then redis.call('DEL', KEYS[4]) end "
    "redis.call('DEL', KEYS[3]) "
    "redis.call('HSET', KEYS[2], 'id', ARGV[2], 'text', ARGV[3]) "
    "redis.call('XGROUP', 'CREATE', KEYS[3], ARGV[4], '0', 'MKSTREAM') "
    "for i = 5, #ARGV do redis.call('XADD', KEYS[3], '*', 'job', ARGV[2], 'pair', ARGV[i]) end";

constexpr const char* kWithdraw = MAKZERO_FENCE "redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])";

// The newest network does not expire, and stays so. Arguments: epoch, bytes, expiry.
constexpr const char* kLend = MAKZERO_FENCE
    "if redis.call('PTTL', KEYS[2]) ~= -1 then redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3]) end";

// Keys: job, pairs, results; arguments: job, group, entry, pair, worker, frame.
constexpr const char* kFinish =
    "if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 0 end "
    "redis.pcall('XACK', KEYS[2], ARGV[2], ARGV[3]) redis.call('XDEL', KEYS[2], ARGV[3]) "
    "if redis.call('HSETNX', KEYS[3], ARGV[4], ARGV[6]) == 0 then return 0 end "
    "redis.call('HSET', KEYS[3], 'worker:' .. ARGV[4], ARGV[5]) "
    "return 1";

// Entries that were deleted have no fields.
std::vector<TakenPair> pairs_of(const redisReply* entries) {
  std::vector<TakenPair> pairs;
  for (const redisReply* entry : elements_of(entries)) {
    if (entry->elements != 2) continue;
    TakenPair pair;
    pair.id = text_of(entry->element[0]);
    const std::vector<redisReply*> fields = elements_of(entry->element[1]);
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
      if (text_of(fields[i]) == "job") pair.job = text_of(fields[i + 1]);
      if (text_of(fields[i]) == "pair") pair.pair = number_of<int>(text_of(fields[i + 1]));
    }
    if (!pair.job.empty()) pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace

void RedisHub::offer_job(std::int64_t epoch, const MatchJob& job, std::span<const int> pairs) {
  Words arguments = {std::to_string(epoch), job.id, job.text, kRaters};
  for (const int pair : pairs) arguments.push_back(std::to_string(pair));
  eval(kOffer, {"epoch", "job", "pairs", "results"}, arguments);
}

void RedisHub::withdraw_job(std::int64_t epoch) {
  eval(kWithdraw, {"epoch", "job", "pairs", "results"}, {std::to_string(epoch)});
}

std::optional<MatchJob> RedisHub::job() {
  auto job = hash("job");
  if (job["id"].empty()) return std::nullopt;
  return MatchJob{job["id"], job["text"]};
}

void RedisHub::lend_network(std::int64_t epoch, const std::string& id, const std::string& bytes) {
  eval(kLend, {"epoch", "network:" + id},
       {std::to_string(epoch), bytes, std::to_string(kNetworkLoan.count())});
}

// Without a job there is no group.
RedisHub::Reply RedisHub::call_group(const Words& words) {
  Reply reply = send(words);
  if (reply->type != REDIS_REPLY_ERROR) return reply;
  if (text_of(reply.get()).starts_with(kNoGroup)) return nullptr;
  fail(words[0] + ": " + std::string(text_of(reply.get())));
}

std::vector<TakenPair> RedisHub::take_pairs(const std::string& taker, std::size_t count) {
  const std::string most = std::to_string(count);
  const Reply fresh =
      call_group({"XREADGROUP", "GROUP", kRaters, taker, "COUNT", most, "STREAMS", key("pairs"), ">"});
  const std::vector<redisReply*> streams = elements_of(fresh.get());
  if (!streams.empty() && streams[0]->elements == 2) return pairs_of(streams[0]->element[1]);
  const Reply left = call_group(
      {"XAUTOCLAIM", key("pairs"), kRaters, taker, std::to_string(kPairLease.count()), "0", "COUNT", most});
  const std::vector<redisReply*> parts = elements_of(left.get());
  return parts.size() < 2 ? std::vector<TakenPair>() : pairs_of(parts[1]);
}

void RedisHub::claim_pairs(const std::string& taker, std::span<const TakenPair> pairs,
                           std::chrono::milliseconds idle) {
  if (pairs.empty()) return;
  Words words = {"XCLAIM", key("pairs"), kRaters, taker, "0"};
  for (const TakenPair& pair : pairs) words.push_back(pair.id);
  words.insert(words.end(), {"IDLE", std::to_string(idle.count()), "JUSTID"});
  call_group(words);
}

void RedisHub::renew_pairs(const std::string& taker, std::span<const TakenPair> pairs) {
  claim_pairs(taker, pairs, std::chrono::milliseconds(0));
}

// The next who asks may have them at once.
void RedisHub::return_pairs(const std::string& taker, std::span<const TakenPair> pairs) {
  claim_pairs(taker, pairs, kPairLease);
}

bool RedisHub::finish_pair(const TakenPair& taken, const PlayedPair& played) {
  return eval(kFinish, {"job", "pairs", "results"},
              {taken.job, kRaters, taken.id, std::to_string(played.pair), played.worker, played.frame})
             ->integer == 1;
}

std::vector<PlayedPair> RedisHub::played_pairs(std::span<const int> pairs) {
  if (pairs.empty()) return {};
  Words words = {"HMGET", key("results")};
  for (const int pair : pairs) {
    words.push_back(std::to_string(pair));
    words.push_back("worker:" + std::to_string(pair));
  }
  const Reply reply = call(words);
  const std::vector<redisReply*> values = elements_of(reply.get());
  std::vector<PlayedPair> played;
  for (std::size_t i = 0; i < pairs.size() && 2 * i + 1 < values.size(); ++i) {
    if (values[2 * i]->type != REDIS_REPLY_STRING) continue;
    played.push_back(
        {pairs[i], std::string(text_of(values[2 * i + 1])), std::string(text_of(values[2 * i]))});
  }
  return played;
}

}  // namespace makzero::train
