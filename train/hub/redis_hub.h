// The hub as a Redis server: games in a stream, networks and marks beside it.
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
// of a run begin with "makzero:{RUN}:", so that a cluster keeps them together.
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
  std::optional<std::string> fetch_network(const std::string& id) override;
  std::vector<std::string> append(std::span<const GameMessage> games, std::size_t limit) override;
  bool holds(const std::string& id) override;
  std::vector<Delivery> read(std::size_t count) override;
  std::vector<Delivery> read_again(const std::string& after, std::size_t count) override;
  std::vector<Delivery> list(const std::string& after, std::size_t count) override;
  void settle(std::int64_t epoch, std::span<const std::string> ids, const Marks& marks) override;
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

  // A value of the server's configuration; empty where it may not be read.
  std::string server_setting(const std::string& name);

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
  Reply send(const Words& words);  // Errors of the server are replies.
  Reply call(const Words& words);  // Errors of the server are thrown.
  // A script with keys and arguments.
  Reply eval(const char* script, const Words& keys, const Words& arguments);
  std::map<std::string, std::string> hash(const std::string& name);
  std::vector<Delivery> read_group(const std::string& after, std::size_t count);
  [[noreturn]] void fail(const std::string& what);

  HubAddress address_;
  std::string prefix_;
  std::unique_ptr<redisContext, FreeContext> context_;
};

}  // namespace makzero::train
