// Searches over HTTP: each is a stream of its thoughts, and ends with its connection; its tree stays a while.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "play/server_networks.h"
#include "play/server_router.h"
#include "play/server_searcher.h"

namespace makzero::play {

struct SearchCaps {
  int in_all = 16;
  int per_client = 4;
  int networks = 4;  // That stay loaded when nobody searches with them.
  int trees = 8;     // That stay after their searches, one per client.
};

// Thread-safe.
class SearchService {
 public:
  // The networks must outlive it.
  SearchService(const NetworkFolder& networks, const SearchCaps& caps);

  // Begins the search that the body asks for. A refusal names the field or the limit.
  HttpReply search(const std::string& client, const HttpRequest& request);

  // The moves after `path` ("e2e4,e7e5") in the tree of that client's search.
  HttpReply tree(const std::string& client, const std::string& id, const std::string& path);

 private:
  struct Session {
    std::string client, id;
    std::shared_ptr<OrderedSearch> search;  // None before it begins.
    bool running = true;
  };
  // What the query asks for, checked.
  struct Query;

  // None where the client has no place left: the reply says which limit is reached.
  std::shared_ptr<Session> open(const std::string& client, const std::string& id, HttpReply* refusal);
  void close(const std::shared_ptr<Session>& session);
  void run(const std::shared_ptr<Session>& session, const Query& query, EventStream& events);
  std::shared_ptr<NetworkSearcher> searcher(const game::GamePtr& rules, const std::filesystem::path& network);

  const NetworkFolder& networks_;
  SearchCaps caps_;

  std::mutex mutex_;
  std::deque<std::shared_ptr<Session>> sessions_;  // Oldest first.

  struct Loaded {
    std::string key;  // Checkpoint and ruleset.
    std::shared_ptr<NetworkSearcher> searcher;
  };
  std::mutex loading_;         // Also while a network is read: nobody reads it twice.
  std::deque<Loaded> loaded_;  // Used last first.
};

// The service must outlive the router; `client_of` says who asks.
void add_search_routes(Router* router, SearchService* service,
                       const std::function<std::string(const HttpRequest&)>& client_of);

}  // namespace makzero::play
