// HTTP requests and replies, whatever carries them.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "play/message.h"

namespace makzero::play {

struct HttpRequest {
  std::string method = {}, path = {};                  // The path decoded, without the query.
  std::map<std::string, std::string> parameters = {};  // Of the query; of equal names the first.
  std::map<std::string, std::string> headers = {};     // Names in small letters; of equal names the first.
  std::string body = {};
  std::string address = {};  // Of the client.

  // Path and parameters of "/path?game=makyek:jump=on&x=1": game is "makyek:jump=on".
  void read_target(std::string_view target);

  // Empty where there is none.
  std::string header(const std::string& name) const;
  std::string parameter(const std::string& name) const;
};

// A reply that goes on: server-sent events, written by the thread that answers.
class EventStream {
 public:
  EventStream() = default;
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;
  virtual ~EventStream() = default;

  // Sends an event; one without a name is a "message". False when the client has gone. REQUIRES: one line.
  virtual bool send(std::string_view name, std::string_view data) = 0;

  // Sends a comment, which clients ignore: it keeps proxies from closing the connection.
  virtual bool send_heartbeat() = 0;

  // Returns after wake() or `most`; false when the client has gone or the server ends.
  virtual bool wait(std::chrono::milliseconds most) = 0;

  // Ends a wait(), also one that begins later. From any thread.
  virtual void wake() = 0;
};

struct HttpReply {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};

  // If set this is the reply: events until it returns. It runs on the thread that answers.
  std::function<void(EventStream&)> stream = nullptr;
};

// {"error": why} with this status; a long text, as it may quote what was sent, is cut.
HttpReply error_reply(int status, const std::string& why);

// The same with "errorParts", as message_json() writes them, where it is not cut: an error that people meet
// by ordinary use of the page.
HttpReply error_reply(int status, const Message& why);

// The JSON of such errors, and the reply of it.
nlohmann::json error_json(const std::string& why);
nlohmann::json error_json(const Message& why);
HttpReply error_of(int status, const nlohmann::json& error);

}  // namespace makzero::play
