#include "play/server/page.h"

#include <zlib.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "models/error.h"
#include "models/fingerprint.h"
#include "play/web_files.h"

namespace makzero::play {
namespace {

// Below a folder that is named after the content, a file never changes.
constexpr const char* kForever = "public, max-age=31536000, immutable";
constexpr const char* kAskAgain = "no-cache";
constexpr size_t kHashDigits = 16;

std::string gzip(std::string_view text) {
  static constexpr int kGzipFormat = 16 + MAX_WBITS;
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipFormat, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw models::Error("zlib cannot begin to compress the page");
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

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

}  // namespace

void add_page_routes(Server* server) {
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
