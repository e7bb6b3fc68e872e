#include "play/server/page.h"

#include <string>

#include "play/web_files.h"

namespace makzero::play {
namespace {

HttpReply file_reply(const WebFile& file) {
  return {.type = std::string(file.type), .body = std::string(file.content)};
}

}  // namespace

void add_page_routes(Server* server) {
  for (const WebFile& file : web_files()) {
    server->router().add("GET", "/" + std::string(file.name),
                         [&file](const HttpRequest&, const PathParts&) { return file_reply(file); });
  }
  server->router().add("GET", "/", [server](const HttpRequest& request, const PathParts&) {
    HttpReply reply = file_reply(web_files().front());
    const std::string cookie = server->greeting(request);
    if (!cookie.empty()) reply.headers.emplace_back("Set-Cookie", cookie);
    return reply;
  });
}

}  // namespace makzero::play
