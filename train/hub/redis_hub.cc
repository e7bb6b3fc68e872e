#include "train/hub/redis_hub.h"

#include <fmt/format.h>
#include <sys/time.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <sstream>
#include <string_view>
#include <utility>

#include "train/hub/redis_reply.h"

namespace makzero::train {
namespace {

constexpr timeval kConnectTimeout{3, 0}, kCallTimeout{10, 0};
constexpr int kNetworkExpiry = 600;  // Seconds that an older network stays for workers that are loading it.
constexpr const char* kGroup = "trainer";  // Of consumers, and the one consumer: who has the lease.
constexpr std::string_view kStale = "STALE";

constexpr const char* kSetAbout = MAKZERO_FENCE
    "redis.call('DEL', KEYS[2]) "
    "for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end";

// The network before stays for a while; arguments: epoch, id, generation, bytes, expiry, prefix of networks.
constexpr const char* kPublish = MAKZERO_FENCE
    "local before = redis.call('HGET', KEYS[2], 'id') "
    "redis.call('SET', KEYS[3], ARGV[4]) "
    "redis.call('HSET', KEYS[2], 'id', ARGV[2], 'generation', ARGV[3]) "
    "if before and before ~= ARGV[2] then redis.call('EXPIRE', ARGV[6] .. before, ARGV[5]) end";

// Arguments: limit, then worker, sequence, previous and frame of each game.
constexpr const char* kAppend =
    "local room = tonumber(ARGV[1]) - redis.call('XLEN', KEYS[1]) "
    "local ids = {} "
    "for i = 2, #ARGV, 4 do "
    "if #ids >= room then break end "
    "ids[#ids + 1] = redis.call('XADD', KEYS[1], '*', 'worker', ARGV[i], 'sequence', ARGV[i + 1], "
    "'previous', ARGV[i + 2], 'frame', ARGV[i + 3]) end "
    "return ids";

// Arguments: epoch, group, number of marks, worker and mark of each, then ids.
constexpr const char* kSettle = MAKZERO_FENCE
    "local marks = tonumber(ARGV[3]) "
    "for i = 4, 2 + 2 * marks, 2 do "
    "local known = redis.call('HGET', KEYS[2], ARGV[i]) "
    "if not known or tonumber(known) < tonumber(ARGV[i + 1]) then "
    "redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end end "
    "for i = 4 + 2 * marks, #ARGV do "
    "redis.pcall('XACK', KEYS[3], ARGV[2], ARGV[i]) redis.call('XDEL', KEYS[3], ARGV[i]) end";

// Keys: epoch, lease; arguments: known epoch, holder, milliseconds.
constexpr const char* kTakeLease =
    "local held = redis.call('GET', KEYS[2]) "
    "if held and held ~= ARGV[2] then return 0 end "
    "local epoch = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(ARGV[1])) + 1 "
    "redis.call('SET', KEYS[1], string.format('%.0f', epoch)) "
    "redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) "
    "return epoch";

constexpr const char* kRenewLease =
    "local epoch, held = redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2]) "
    "if epoch and tonumber(epoch) > tonumber(ARGV[1]) then return 0 end "
    "if held and held ~= ARGV[2] then return 0 end "
    "redis.call('SET', KEYS[1], ARGV[1]) "
    "redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) "
    "return 1";

constexpr const char* kReleaseLease =
    "if redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('GET', KEYS[2]) == ARGV[2] then "
    "redis.call('DEL', KEYS[2]) end";

// An entry of the stream: its id and its fields, which are missing where it was deleted.
Delivery delivery_of(const std::vector<redisReply*>& entry) {
  Delivery delivery;
  delivery.id = text_of(entry[0]);
  const std::vector<redisReply*> fields = elements_of(entry[1]);
  for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
    const std::string_view name = text_of(fields[i]), value = text_of(fields[i + 1]);
    if (name == "worker") delivery.game.worker = value;
    if (name == "sequence") delivery.game.sequence = number_of<std::uint64_t>(value);
    if (name == "previous") delivery.game.previous = number_of<std::uint64_t>(value);
    if (name == "frame") delivery.game.frame = value;
  }
  return delivery;
}

std::vector<Delivery> deliveries_of(const redisReply* entries) {
  std::vector<Delivery> deliveries;
  for (const redisReply* entry : elements_of(entries)) {
    if (entry->elements == 2) deliveries.push_back(delivery_of(elements_of(entry)));
  }
  return deliveries;
}

}  // namespace

void RedisHub::FreeContext::operator()(redisContext* context) const { redisFree(context); }
void RedisHub::FreeReply::operator()(redisReply* reply) const { freeReplyObject(reply); }

RedisHub::RedisHub(HubAddress address, const std::string& run)
    : address_(std::move(address)), prefix_("makzero:{" + run + "}:") {}

RedisHub::~RedisHub() = default;

void RedisHub::fail(const std::string& what) {
  context_.reset();
  throw HubError("hub " + address_.text() + ": " + what);
}

void RedisHub::connect() {
  std::signal(SIGPIPE,
              SIG_IGN);  // This hiredis writes without MSG_NOSIGNAL: a lost connection would kill us.
  context_.reset(address_.socket.empty()
                     ? redisConnectWithTimeout(address_.host.c_str(), address_.port, kConnectTimeout)
                     : redisConnectUnixWithTimeout(address_.socket.c_str(), kConnectTimeout));
  if (!context_) fail("no memory for a connection");
  if (context_->err != 0) fail(fmt::format("cannot connect: {}; is Redis running there?", context_->errstr));
  redisSetTimeout(context_.get(), kCallTimeout);
  if (address_.socket.empty()) redisEnableKeepAlive(context_.get());
  if (!address_.password.empty()) {
    call(address_.user.empty() ? Words{"AUTH", address_.password}
                               : Words{"AUTH", address_.user, address_.password});
  }
  if (address_.database != 0) call({"SELECT", std::to_string(address_.database)});
}

RedisHub::Reply RedisHub::send(const Words& words) {
  if (!context_) connect();
  std::vector<const char*> pointers;
  std::vector<std::size_t> sizes;
  for (const std::string& word : words) {
    pointers.push_back(word.data());
    sizes.push_back(word.size());
  }
  Reply reply(static_cast<redisReply*>(
      redisCommandArgv(context_.get(), static_cast<int>(words.size()), pointers.data(), sizes.data())));
  if (!reply) fail(fmt::format("{} failed: {}", words[0], context_->errstr));
  return reply;
}

RedisHub::Reply RedisHub::call(const Words& words) {
  Reply reply = send(words);
  if (reply->type != REDIS_REPLY_ERROR) return reply;
  const std::string why(text_of(reply.get()));
  // Within a script the text may stand behind others.
  if (why.find(kStale) != std::string::npos)
    throw LeaseLost("hub " + address_.text() + ": another trainer has taken the run over (" + why + ")");
  fail(fmt::format("{}: {}", words[0], why));
}

RedisHub::Reply RedisHub::eval(const char* script, const Words& keys, const Words& arguments) {
  Words words = {"EVAL", script, std::to_string(keys.size())};
  for (const std::string& name : keys) words.push_back(key(name));
  words.insert(words.end(), arguments.begin(), arguments.end());
  return call(words);
}

std::map<std::string, std::string> RedisHub::hash(const std::string& name) {
  const Reply reply = call({"HGETALL", key(name)});
  const std::vector<redisReply*> fields = elements_of(reply.get());
  std::map<std::string, std::string> found;
  for (std::size_t i = 0; i + 1 < fields.size(); i += 2)
    found.emplace(text_of(fields[i]), text_of(fields[i + 1]));
  return found;
}

std::map<std::string, std::string> RedisHub::about() { return hash("about"); }

void RedisHub::set_about(std::int64_t epoch, const std::map<std::string, std::string>& about) {
  Words arguments = {std::to_string(epoch)};
  for (const auto& [name, value] : about) arguments.insert(arguments.end(), {name, value});
  eval(kSetAbout, {"epoch", "about"}, arguments);
}

void RedisHub::publish_network(std::int64_t epoch, const PublishedNetwork& network,
                               const std::string& bytes) {
  eval(kPublish, {"epoch", "newest", "network:" + network.id},
       {std::to_string(epoch), network.id, std::to_string(network.generation), bytes,
        std::to_string(kNetworkExpiry), key("network:")});
}

std::optional<PublishedNetwork> RedisHub::newest_network() {
  const auto newest = hash("newest");
  if (!newest.contains("id") || !newest.contains("generation")) return std::nullopt;
  return PublishedNetwork{newest.at("id"), number_of<std::int64_t>(newest.at("generation"))};
}

std::optional<std::string> RedisHub::fetch_network(const std::string& id) {
  const Reply reply = call({"GET", key("network:" + id)});
  if (reply->type != REDIS_REPLY_STRING) return std::nullopt;
  return std::string(text_of(reply.get()));
}

std::vector<std::string> RedisHub::append(std::span<const GameMessage> games, std::size_t limit) {
  Words arguments = {std::to_string(limit)};
  for (const GameMessage& game : games) {
    arguments.insert(arguments.end(),
                     {game.worker, std::to_string(game.sequence), std::to_string(game.previous), game.frame});
  }
  const Reply reply = eval(kAppend, {"games"}, arguments);
  std::vector<std::string> ids;
  for (const redisReply* id : elements_of(reply.get())) ids.emplace_back(text_of(id));
  return ids;
}

bool RedisHub::holds(const std::string& id) {
  const Reply reply = call({"XRANGE", key("games"), id, id});
  return !elements_of(reply.get()).empty();
}

std::vector<Delivery> RedisHub::read_group(const std::string& after, std::size_t count) {
  const Words words = {"XREADGROUP",          "GROUP",   kGroup,       kGroup, "COUNT",
                       std::to_string(count), "STREAMS", key("games"), after};
  Reply reply = send(words);
  if (reply->type == REDIS_REPLY_ERROR && text_of(reply.get()).starts_with("NOGROUP")) {
    call({"XGROUP", "CREATE", key("games"), kGroup, "0", "MKSTREAM"});
    reply = send(words);
  }
  if (reply->type == REDIS_REPLY_ERROR) fail(fmt::format("XREADGROUP: {}", text_of(reply.get())));
  const std::vector<redisReply*> streams = elements_of(reply.get());
  const std::vector<redisReply*> stream = elements_of(streams.empty() ? nullptr : streams[0]);
  return deliveries_of(stream.size() < 2 ? nullptr : stream[1]);
}

std::vector<Delivery> RedisHub::list(const std::string& after, std::size_t count) {
  const Reply reply =
      call({"XRANGE", key("games"), after.empty() ? "-" : "(" + after, "+", "COUNT", std::to_string(count)});
  return deliveries_of(reply.get());
}

std::vector<Delivery> RedisHub::read(std::size_t count) { return read_group(">", count); }

// A deleted entry is settled.
std::vector<Delivery> RedisHub::read_again(const std::string& after, std::size_t count) {
  const auto is_deleted = [](const Delivery& delivery) { return delivery.game.worker.empty(); };
  for (std::string begin = after.empty() ? "0" : after;;) {
    std::vector<Delivery> deliveries = read_group(begin, count);
    if (deliveries.empty()) return deliveries;
    begin = deliveries.back().id;
    for (const Delivery& delivery : deliveries) {
      if (is_deleted(delivery)) call({"XACK", key("games"), kGroup, delivery.id});
    }
    std::erase_if(deliveries, is_deleted);
    if (!deliveries.empty()) return deliveries;
  }
}

void RedisHub::settle(std::int64_t epoch, std::span<const std::string> ids, const Marks& marks) {
  Words arguments = {std::to_string(epoch), kGroup, std::to_string(marks.size())};
  for (const auto& [worker, mark] : marks) arguments.insert(arguments.end(), {worker, std::to_string(mark)});
  arguments.insert(arguments.end(), ids.begin(), ids.end());
  eval(kSettle, {"epoch", "marks", "games"}, arguments);
}

std::uint64_t RedisHub::mark(const std::string& worker) {
  return number_of<std::uint64_t>(text_of(call({"HGET", key("marks"), worker}).get()));
}

Marks RedisHub::marks() {
  Marks marks;
  for (const auto& [worker, mark] : hash("marks")) marks[worker] = number_of<std::uint64_t>(mark);
  return marks;
}

std::size_t RedisHub::backlog() { return static_cast<std::size_t>(call({"XLEN", key("games")})->integer); }

std::optional<std::int64_t> RedisHub::take_lease(const std::string& holder, std::chrono::milliseconds time,
                                                 std::int64_t known_epoch) {
  const Reply reply = eval(kTakeLease, {"epoch", "lease"},
                           {std::to_string(known_epoch), holder, std::to_string(time.count())});
  if (reply->integer == 0) return std::nullopt;
  return reply->integer;
}

bool RedisHub::renew_lease(const std::string& holder, std::int64_t epoch, std::chrono::milliseconds time) {
  return eval(kRenewLease, {"epoch", "lease"}, {std::to_string(epoch), holder, std::to_string(time.count())})
             ->integer == 1;
}

void RedisHub::release_lease(const std::string& holder, std::int64_t epoch) {
  eval(kReleaseLease, {"epoch", "lease"}, {std::to_string(epoch), holder});
}

LeaseState RedisHub::lease() {
  LeaseState state;
  state.holder = text_of(call({"GET", key("lease")}).get());
  state.epoch = number_of<std::int64_t>(text_of(call({"GET", key("epoch")}).get()));
  state.left = std::chrono::milliseconds(std::max<long long>(0, call({"PTTL", key("lease")})->integer));
  return state;
}

void RedisHub::report_worker(const std::string& worker, const std::string& text) {
  call({"HSET", key("workers"), worker, text});
}

std::map<std::string, std::string> RedisHub::worker_reports() { return hash("workers"); }

std::map<std::string, std::string> RedisHub::server_info(const std::string& section) {
  const Reply reply = call({"INFO", section});
  std::istringstream lines{std::string(text_of(reply.get()))};
  std::map<std::string, std::string> found;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (const std::size_t colon = line.find(':'); colon != std::string::npos)
      found.emplace(line.substr(0, colon), line.substr(colon + 1));
  }
  return found;
}

std::string RedisHub::server_setting(const std::string& name) {
  const Reply reply = send({"CONFIG", "GET", name});
  const std::vector<redisReply*> words = elements_of(reply.get());
  return words.size() < 2 ? "" : std::string(text_of(words[1]));
}

}  // namespace makzero::train
