// Searches over HTTP: each is a stream of what it found so far, and ends with its connection; its tree stays
// a while.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "nn/backend.h"
#include "play/engine/search_pool.h"
#include "play/server/networks.h"
#include "play/server/router.h"

namespace makzero::play {

struct SearchCaps {
  int in_all = 16;
  int per_client = 4;
  int trees = 8;  // That stay after their searches, one per client.
};

// Thread-safe.
class SearchService {
 public:
  // The networks must outlive it; they are evaluated on `backend`.
  SearchService(const NetworkFolder& networks, const SearchCaps& caps, const nn::Backend& backend);

  // Begins the search that the body asks for. A refusal names the field or the limit.
  HttpReply search(const std::string& client, const HttpRequest& request);

  // The moves after `path` ("e2e4,e7e5") in the tree of that client's search.
  HttpReply tree(const std::string& client, const std::string& id, const std::string& path);

 private:
  struct Session;

  // None where the client has no place left: the reply says which limit is reached.
  std::shared_ptr<Session> open(std::shared_ptr<Session> session, HttpReply* refusal);
  void close(const std::shared_ptr<Session>& session);
  void run(const std::shared_ptr<Session>& session, EventStream& events);

  const NetworkFolder& networks_;
  SearchCaps caps_;
  std::mutex mutex_;
  std::deque<std::shared_ptr<Session>> sessions_;  // Oldest first.
  SearchPool pool_;                                // Last: its end stops what is searched.
};

// The service must outlive the router; `client_of` says who asks.
void add_search_routes(Router* router, SearchService* service,
                       const std::function<std::string(const HttpRequest&)>& client_of);

}  // namespace makzero::play
