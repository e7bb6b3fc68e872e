#include "play/server/page.h"

#include <string>

#include "models/fingerprint.h"
#include "play/web_files.h"

namespace makzero::play {
namespace {

// A browser asks whether its copy is still the one that the program has, and gets nothing where it is.
HttpReply file_reply(const WebFile& file, const std::string& tag, const HttpRequest& request) {
  HttpReply reply = {.type = std::string(file.type),
                     .headers = {{"Cache-Control", "no-cache"}, {"ETag", tag}, {"Vary", "Accept-Encoding"}}};
  if (request.header("if-none-match").find(tag) != std::string::npos) {
    reply.status = 304;
    return reply;
  }
  const bool compressed = request.header("accept-encoding").find("gzip") != std::string::npos;
  if (compressed) reply.headers.emplace_back("Content-Encoding", "gzip");
  reply.body = compressed ? file.gzip : file.content;
  return reply;
}

}  // namespace

void add_page_routes(Server* server) {
  for (const WebFile& file : web_files()) {
    server->router().add(
        "GET", "/" + std::string(file.name),
        [&file, tag = "W/\"" + models::sha256(file.content) + "\""](
            const HttpRequest& request, const PathParts&) { return file_reply(file, tag, request); });
  }
  server->router().add("GET", "/", [server](const HttpRequest& request, const PathParts&) {
    const WebFile& index = web_files().front();
    HttpReply reply = {.type = std::string(index.type), .body = std::string(index.content)};
    const std::string cookie = server->greeting(request);
    if (!cookie.empty()) reply.headers.emplace_back("Set-Cookie", cookie);
    return reply;
  });
}

}  // namespace makzero::play
