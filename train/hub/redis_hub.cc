#include "train/hub/redis_hub.h"

#include <fmt/format.h>
#include <hiredis/hiredis.h>
#include <netdb.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace makzero::train {
namespace {

constexpr timeval kConnectTimeout{3, 0}, kCallTimeout{10, 0};
constexpr const char* kNetworkExpiry = "90";  // Seconds that an older network stays for those loading it.
constexpr const char* kReportExpiry = "600";  // Seconds that the report of a worker stays.
constexpr std::string_view kStale = "STALE";

// States of a server that pass.
constexpr std::array<std::string_view, 9> kPassing = {"OOM",        "LOADING",    "BUSY",
                                                      "MASTERDOWN", "MISCONF",    "TRYAGAIN",
                                                      "READONLY",   "NOREPLICAS", "max number of clients"};

// Scripts run as a whole: nothing comes in between. Their first key and argument are the epoch's. A full
// server refuses a script only where the first command that writes needs memory.
#define MAKZERO_FENCE                                      \
  "local epoch = redis.call('GET', KEYS[1]) "              \
  "if epoch and tonumber(epoch) > tonumber(ARGV[1]) then " \
  "return redis.error_reply('STALE epoch ' .. epoch .. ' has begun') end "

constexpr const char* kSetAbout = MAKZERO_FENCE
    "redis.call('DEL', KEYS[2]) "
    "for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end";

// A network that is not announced, as its trainer was killed, expires. Arguments: epoch, offset, bytes, id,
// expiry.
constexpr const char* kWriteChunk = MAKZERO_FENCE
    "redis.call('SETRANGE', KEYS[2], ARGV[2], ARGV[3]) "
    "if redis.call('HGET', KEYS[3], 'id') ~= ARGV[4] then redis.call('EXPIRE', KEYS[2], ARGV[5]) end";

// The network before stays for a while, and none before that. Arguments: epoch, id, generation, bytes,
// expiry, prefix of networks.
constexpr const char* kAnnounce = MAKZERO_FENCE
    "local before = redis.call('HGET', KEYS[2], 'id') "
    "redis.call('PERSIST', KEYS[3]) "
    "redis.call('HSET', KEYS[2], 'id', ARGV[2], 'generation', ARGV[3], 'bytes', ARGV[4]) "
    "if before and before ~= ARGV[2] then "
    "local older = redis.call('HGET', KEYS[2], 'before') "
    "if older and older ~= ARGV[2] then redis.call('DEL', ARGV[6] .. older) end "
    "redis.call('HSET', KEYS[2], 'before', before) "
    "redis.call('EXPIRE', ARGV[6] .. before, ARGV[5]) end";

// Arguments: epoch, prefix of streams, number of marks, worker and mark of each, worker and id of each entry.
constexpr const char* kSettle = MAKZERO_FENCE
    "local marks = tonumber(ARGV[3]) "
    "for i = 4 + 2 * marks, #ARGV, 2 do redis.call('XDEL', ARGV[2] .. ARGV[i], ARGV[i + 1]) end "
    "for i = 4, 2 + 2 * marks, 2 do "
    "local known = redis.call('HGET', KEYS[2], ARGV[i]) "
    "if not known or tonumber(known) < tonumber(ARGV[i + 1]) then "
    "redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end end";

// Keys: epoch, lease; arguments: known epoch, holder, milliseconds.
constexpr const char* kTakeLease =
    "local held = redis.call('GET', KEYS[2]) "
    "if held and held ~= ARGV[2] then return 0 end "
    "local epoch = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(ARGV[1])) + 1 "
    "redis.call('DEL', KEYS[2]) "
    "redis.call('SET', KEYS[1], string.format('%.0f', epoch)) "
    "redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) "
    "return epoch";

constexpr const char* kRenewLease =
    "local epoch, held = redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2]) "
    "if epoch and tonumber(epoch) > tonumber(ARGV[1]) then return 0 end "
    "if held and held ~= ARGV[2] then return 0 end "
    "redis.call('DEL', KEYS[2]) "
    "redis.call('SET', KEYS[1], ARGV[1]) "
    "redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) "
    "return 1";

constexpr const char* kReleaseLease =
    "if redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('GET', KEYS[2]) == ARGV[2] then "
    "redis.call('DEL', KEYS[2]) end";

std::string_view text_of(const redisReply* reply) {
  if (reply == nullptr || reply->str == nullptr) return {};
  return {reply->str, static_cast<std::size_t>(reply->len)};
}

// 0 where the text is no number.
template <class Number>
Number number_of(std::string_view text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<redisReply*> elements_of(const redisReply* reply) {
  if (reply == nullptr || reply->type != REDIS_REPLY_ARRAY) return {};
  return {reply->element, reply->element + reply->elements};
}

Delivery delivery_of(const std::string& worker, const std::vector<redisReply*>& entry) {
  Delivery delivery;
  delivery.id = text_of(entry[0]);
  delivery.game.worker = worker;
  const std::vector<redisReply*> fields = elements_of(entry[1]);
  for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
    const std::string_view name = text_of(fields[i]), value = text_of(fields[i + 1]);
    if (name == "sequence") delivery.game.sequence = number_of<std::uint64_t>(value);
    if (name == "previous") delivery.game.previous = number_of<std::uint64_t>(value);
    if (name == "frame") delivery.game.frame = value;
  }
  return delivery;
}

// As a pattern that matches this text alone.
std::string escaped(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view("*?[]\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace

void RedisHub::FreeContext::operator()(redisContext* context) const { redisFree(context); }
void RedisHub::FreeReply::operator()(redisReply* reply) const { freeReplyObject(reply); }

RedisHub::RedisHub(HubAddress address, const std::string& run)
    : address_(std::move(address)), prefix_("makzero:{" + run + "}:") {}

RedisHub::~RedisHub() = default;

// --- The connection.

void RedisHub::fail(const std::string& what) {
  context_.reset();
  throw HubError("hub " + address_.text() + ": " + what);
}

void RedisHub::fail_for_good(const std::string& what) {
  context_.reset();
  throw HubFault("hub " + address_.text() + ": " + what);
}

void RedisHub::fail_with(const redisReply* error, const std::string& command) {
  const std::string why(text_of(error));
  // Within a script the text may stand behind others.
  const auto says = [&](std::string_view code) { return why.find(code) != std::string::npos; };
  if (says(kStale))
    throw LeaseLost("hub " + address_.text() + ": another trainer has taken the run over (" + why + ")");
  if (std::ranges::any_of(kPassing, says)) fail(fmt::format("{}: {}", command, why));
  const bool is_password = says("NOAUTH") || says("WRONGPASS");
  fail_for_good(fmt::format("{}: {}{}", command, why,
                            is_password      ? "; give it in MAKZERO_HUB_PASSWORD"
                            : says("NOPERM") ? "; use the account of this run and role (train/hub/users.acl)"
                                             : ""));
}

void RedisHub::connect() {
  std::signal(SIGPIPE,
              SIG_IGN);  // This hiredis writes without MSG_NOSIGNAL: a lost connection would kill us.
  context_.reset(address_.socket.empty()
                     ? redisConnectWithTimeout(address_.host.c_str(), address_.port, kConnectTimeout)
                     : redisConnectUnixWithTimeout(address_.socket.c_str(), kConnectTimeout));
  if (!context_) fail("no memory for a connection");
  const std::string why = context_->errstr;
  const bool has_no_host = context_->err == REDIS_ERR_OTHER && why != gai_strerror(EAI_AGAIN);
  if (has_no_host) fail_for_good(fmt::format("no such host: {}", why));
  if (context_->err != 0) fail(fmt::format("cannot connect: {}; is Redis running there?", why));
  redisSetTimeout(context_.get(), kCallTimeout);
  if (address_.socket.empty()) redisEnableKeepAlive(context_.get());
  if (!address_.password.empty()) {
    call(address_.user.empty() ? Words{"AUTH", address_.password}
                               : Words{"AUTH", address_.user, address_.password});
  }
  if (address_.database != 0) call({"SELECT", std::to_string(address_.database)});
}

std::vector<RedisHub::Reply> RedisHub::call_all(const std::vector<Words>& commands) {
  if (!context_) connect();
  for (const Words& words : commands) {
    std::vector<const char*> pointers;
    std::vector<std::size_t> sizes;
    for (const std::string& word : words) {
      pointers.push_back(word.data());
      sizes.push_back(word.size());
    }
    redisAppendCommandArgv(context_.get(), static_cast<int>(words.size()), pointers.data(), sizes.data());
  }
  std::vector<Reply> replies;
  for (const Words& words : commands) {
    void* reply = nullptr;
    redisGetReply(context_.get(), &reply);
    replies.emplace_back(static_cast<redisReply*>(reply));
    if (reply == nullptr && context_->err == REDIS_ERR_PROTOCOL)
      fail_for_good(
          fmt::format("it does not answer as Redis does ({}): check host and port", context_->errstr));
    if (reply == nullptr) fail(fmt::format("{} failed: {}", words[0], context_->errstr));
    if (replies.back()->type == REDIS_REPLY_ERROR) fail_with(replies.back().get(), words[0]);
  }
  return replies;
}

RedisHub::Reply RedisHub::call(const Words& words) { return std::move(call_all({words}).front()); }

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

std::vector<std::string> RedisHub::names(const std::string& kind, const char* type) {
  const std::string prefix = key(kind);
  std::set<std::string> found;
  std::string cursor = "0";
  do {
    const Reply reply = call({"SCAN", cursor, "MATCH", escaped(prefix) + "*", "COUNT", "1000", "TYPE", type});
    const std::vector<redisReply*> parts = elements_of(reply.get());
    if (parts.size() < 2) break;
    cursor = text_of(parts[0]);
    for (const redisReply* name : elements_of(parts[1])) found.emplace(text_of(name).substr(prefix.size()));
  } while (cursor != "0");
  return {found.begin(), found.end()};
}

// --- The run and its networks.

std::map<std::string, std::string> RedisHub::about() { return hash("about"); }

void RedisHub::set_about(std::int64_t epoch, const std::map<std::string, std::string>& about) {
  Words arguments = {std::to_string(epoch)};
  for (const auto& [name, value] : about) arguments.insert(arguments.end(), {name, value});
  eval(kSetAbout, {"epoch", "about"}, arguments);
}

void RedisHub::publish_network(std::int64_t epoch, const PublishedNetwork& network,
                               const std::string& bytes) {
  const std::string of = std::to_string(epoch), name = "network:" + network.id;
  for (std::size_t offset = 0; offset < bytes.size(); offset += kChunk)
    eval(kWriteChunk, {"epoch", name, "newest"},
         {of, std::to_string(offset), bytes.substr(offset, kChunk), network.id, kNetworkExpiry});
  eval(kAnnounce, {"epoch", "newest", name},
       {of, network.id, std::to_string(network.generation), std::to_string(bytes.size()), kNetworkExpiry,
        key("network:")});
}

std::optional<PublishedNetwork> RedisHub::newest_network() {
  const auto newest = hash("newest");
  if (!newest.contains("id") || !newest.contains("generation") || !newest.contains("bytes"))
    return std::nullopt;
  return PublishedNetwork{newest.at("id"), number_of<std::int64_t>(newest.at("generation")),
                          number_of<std::uint64_t>(newest.at("bytes"))};
}

std::string RedisHub::fetch_network(const std::string& id, std::uint64_t offset) {
  const Reply reply =
      call({"GETRANGE", key("network:" + id), std::to_string(offset), std::to_string(offset + kChunk - 1)});
  return std::string(text_of(reply.get()));
}

// --- Games.

std::vector<std::string> RedisHub::append(std::span<const GameMessage> games, std::size_t limit) {
  if (games.empty()) return {};
  const std::string stream = key("games:" + games.front().worker);
  const auto held = static_cast<std::size_t>(call({"XLEN", stream})->integer);
  std::vector<Words> commands;
  for (const GameMessage& game : games.first(std::min(games.size(), limit - std::min(limit, held)))) {
    commands.push_back({"XADD", stream, "*", "sequence", std::to_string(game.sequence), "previous",
                        std::to_string(game.previous), "frame", game.frame});
  }
  std::vector<std::string> ids;
  for (const Reply& reply : call_all(commands)) ids.emplace_back(text_of(reply.get()));
  return ids;
}

bool RedisHub::holds(const std::string& worker, const std::string& id) {
  const Reply reply = call({"XRANGE", key("games:" + worker), id, id});
  return !elements_of(reply.get()).empty();
}

std::vector<std::string> RedisHub::senders() { return names("games:", "stream"); }

std::vector<Delivery> RedisHub::read(std::span<const std::string> workers, std::size_t count) {
  std::vector<Words> commands;
  for (const std::string& worker : workers)
    commands.push_back({"XRANGE", key("games:" + worker), "-", "+", "COUNT", std::to_string(count)});
  const std::vector<Reply> replies = call_all(commands);
  std::vector<Delivery> deliveries;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    for (const redisReply* entry : elements_of(replies[i].get()))
      deliveries.push_back(delivery_of(workers[i], elements_of(entry)));
  }
  return deliveries;
}

void RedisHub::settle(std::int64_t epoch, std::span<const Entry> entries, const Marks& marks) {
  Words arguments = {std::to_string(epoch), key("games:"), std::to_string(marks.size())};
  for (const auto& [worker, mark] : marks) arguments.insert(arguments.end(), {worker, std::to_string(mark)});
  for (const Entry& entry : entries) arguments.insert(arguments.end(), {entry.worker, entry.id});
  eval(kSettle, {"epoch", "marks"}, arguments);
}

std::uint64_t RedisHub::mark(const std::string& worker) {
  return number_of<std::uint64_t>(text_of(call({"HGET", key("marks"), worker}).get()));
}

Marks RedisHub::marks() {
  Marks marks;
  for (const auto& [worker, mark] : hash("marks")) marks[worker] = number_of<std::uint64_t>(mark);
  return marks;
}

std::size_t RedisHub::backlog() {
  std::vector<Words> commands;
  for (const std::string& worker : senders()) commands.push_back({"XLEN", key("games:" + worker)});
  std::size_t games = 0;
  for (const Reply& reply : call_all(commands)) games += static_cast<std::size_t>(reply->integer);
  return games;
}

// --- The lease.

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

// --- For people.

void RedisHub::report_worker(const std::string& worker, const std::string& text) {
  call({"SET", key("report:" + worker), text, "EX", kReportExpiry});
}

std::map<std::string, std::string> RedisHub::worker_reports() {
  const std::vector<std::string> workers = names("report:", "string");
  std::vector<Words> commands;
  commands.reserve(workers.size());
  for (const std::string& worker : workers) commands.push_back({"GET", key("report:" + worker)});
  const std::vector<Reply> replies = call_all(commands);
  std::map<std::string, std::string> reports;
  for (std::size_t i = 0; i < workers.size(); ++i) reports.emplace(workers[i], text_of(replies[i].get()));
  return reports;
}

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

}  // namespace makzero::train
