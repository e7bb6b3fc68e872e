// The hub as a Redis server: games in streams, networks and marks beside them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "train/hub/hub.h"
#include "train/hub/hub_address.h"

struct redisContext;
struct redisReply;

namespace makzero::train {

// One connection, made by the first call and again after a failure; every call ends within seconds. All keys
// of a run begin with "makzero:{RUN}:", so that accounts are by run (users.acl) and a cluster keeps them
// together.
class RedisHub : public Hub {
 public:
  // Connects with the first call.
  RedisHub(HubAddress address, const std::string& run);
  ~RedisHub() override;

  const HubAddress& address() const { return address_; }

  std::map<std::string, std::string> about() override;
  void set_about(std::int64_t epoch, const std::map<std::string, std::string>& about) override;
  void publish_network(std::int64_t epoch, const PublishedNetwork& network,
                       const std::string& bytes) override;
  std::optional<PublishedNetwork> newest_network() override;
  std::string fetch_network(const std::string& id, std::uint64_t offset) override;
  std::vector<std::string> append(std::span<const GameMessage> games, std::size_t limit) override;
  bool holds(const std::string& worker, const std::string& id) override;
  std::vector<std::string> senders() override;
  std::vector<Delivery> read(std::span<const std::string> workers, std::size_t count) override;
  void settle(std::int64_t epoch, std::span<const Entry> entries, const Marks& marks) override;
  std::uint64_t mark(const std::string& worker) override;
  Marks marks() override;
  std::size_t backlog() override;
  std::optional<std::int64_t> take_lease(const std::string& holder, std::chrono::milliseconds time,
                                         std::int64_t known_epoch) override;
  bool renew_lease(const std::string& holder, std::int64_t epoch, std::chrono::milliseconds time) override;
  void release_lease(const std::string& holder, std::int64_t epoch) override;
  LeaseState lease() override;
  void report_worker(const std::string& worker, const std::string& text) override;
  std::map<std::string, std::string> worker_reports() override;

  // --- For `makzero doctor`.

  // A section of the server's INFO as names and values.
  std::map<std::string, std::string> server_info(const std::string& section);

 private:
  struct FreeContext {
    void operator()(redisContext* context) const;
  };
  struct FreeReply {
    void operator()(redisReply* reply) const;
  };
  using Reply = std::unique_ptr<redisReply, FreeReply>;
  using Words = std::vector<std::string>;

  std::string key(const std::string& name) const { return prefix_ + name; }
  void connect();
  // The replies to these commands, sent together; errors of the server are thrown.
  std::vector<Reply> call_all(const std::vector<Words>& commands);
  Reply call(const Words& words);
  // A script with keys and arguments.
  Reply eval(const char* script, const Words& keys, const Words& arguments);
  std::map<std::string, std::string> hash(const std::string& name);
  // Part behind `kind` in the names of keys of this type.
  std::vector<std::string> names(const std::string& kind, const char* type);
  [[noreturn]] void fail(const std::string& what);           // As HubError.
  [[noreturn]] void fail_for_good(const std::string& what);  // As HubFault.
  [[noreturn]] void fail_with(const redisReply* error, const std::string& command);

  HubAddress address_;
  std::string prefix_;
  std::unique_ptr<redisContext, FreeContext> context_;
};

}  // namespace makzero::train
