#include "play/server/routes.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "models/error.h"
#include "models/fingerprint.h"
#include "play/export/site.h"
#include "play/gzip.h"
#include "play/web_files.h"

namespace makzero::play {
namespace {

// Below a folder that is named after the content, a file never changes.
constexpr const char* kForever = "public, max-age=31536000, immutable";
constexpr const char* kAskAgain = "no-cache";
constexpr size_t kHashDigits = 16;

// A file of the page, in both its forms.
class PageFile {
 public:
  PageFile(std::string_view type, std::string content)
      : type_(type),
        content_(std::move(content)),
        gzip_(gzip(content_)),
        tag_("W/\"" + models::sha256(content_) + "\"") {}

  // A browser asks whether its copy is still the one that the program has, and gets nothing where it is.
  HttpReply reply(const HttpRequest& request, const char* caching) const {
    HttpReply reply = {.type = type_,
                       .headers = {{"Cache-Control", caching}, {"ETag", tag_}, {"Vary", "Accept-Encoding"}}};
    if (request.header("if-none-match").find(tag_) != std::string::npos) {
      reply.status = 304;
      return reply;
    }
    const bool compressed = request.header("accept-encoding").find("gzip") != std::string::npos;
    if (compressed) reply.headers.emplace_back("Content-Encoding", "gzip");
    reply.body = compressed ? gzip_ : content_;
    return reply;
  }

 private:
  std::string type_, content_, gzip_, tag_;
};

// "/assets/0123456789abcdef/".
std::string assets_folder() {
  std::string all;
  for (const WebFile& file : web_files()) all += file.content;
  return "/assets/" + models::sha256(all).substr(0, kHashDigits) + "/";
}

// The index, which names its files as "./app.js", with that folder in their names.
std::string index_with(const std::string& folder) {
  static constexpr std::string_view kHere = "\"./";
  std::string index(web_files().front().content);
  for (size_t at = 0; (at = index.find(kHere, at)) != std::string::npos; at += folder.size())
    index.replace(at, kHere.size(), "\"." + folder);
  return index;
}

// The site of the zoo's games, made when it is first asked for.
class Site {
 public:
  HttpReply reply(const HttpRequest& request, const std::string& name) try {
    std::call_once(made_, [this] {
      for (SiteFile& file : site_files(zoo_site_games("")))
        files_.try_emplace(file.name, file.type, std::move(file.bytes));
    });
    const auto found = files_.find(name);
    if (found == files_.end()) return error_reply(404, "the site has no file '" + name + "'");
    return found->second.reply(request, kAskAgain);
  } catch (const models::Error& error) {
    return error_reply(404, error.what());
  }

 private:
  std::once_flag made_;
  std::map<std::string, PageFile> files_;
};

void add_site_routes(Router* router) {
  const auto site = std::make_shared<Site>();
  router->add("GET", "/offline", [](const HttpRequest&, const PathParts&) {
    return HttpReply{.status = 308, .headers = {{"Location", "/offline/"}}};
  });
  router->add("GET", "/offline/", [site](const HttpRequest& request, const PathParts&) {
    return site->reply(request, "index.html");
  });
  router->add("GET", "/offline/*", [site](const HttpRequest& request, const PathParts& parts) {
    return site->reply(request, parts[0]);
  });
}

}  // namespace

void add_page_routes(Server* server) {
  add_site_routes(&server->router());
  const std::string folder = assets_folder();
  for (const WebFile& file : web_files().subspan(1)) {
    const auto page_file = std::make_shared<const PageFile>(file.type, std::string(file.content));
    const std::string name(file.name);
    const auto add = [&](const std::string& path, const char* caching) {
      server->router().add("GET", path, [page_file, caching](const HttpRequest& request, const PathParts&) {
        return page_file->reply(request, caching);
      });
    };
    add(folder + name, kForever);
    add("/" + name, kAskAgain);
  }
  const auto index = std::make_shared<const PageFile>(web_files().front().type, index_with(folder));
  for (const char* path : {"/", "/index.html"}) {
    server->router().add("GET", path, [server, index](const HttpRequest& request, const PathParts&) {
      HttpReply reply = index->reply(request, kAskAgain);
      const std::string cookie = server->greeting(request);
      if (!cookie.empty()) reply.headers.emplace_back("Set-Cookie", cookie);
      return reply;
    });
  }
}

}  // namespace makzero::play
