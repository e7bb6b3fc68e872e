// The files of the web page, within the program.
#pragma once

#include <span>
#include <string_view>

namespace makzero::play {

struct WebFile {
  std::string_view name;     // "app.js": a path below the page's address.
  std::string_view type;     // "text/javascript; charset=utf-8".
  std::string_view content;  // Text, or bytes.
};

// "index.html" comes first.
std::span<const WebFile> web_files();

// What the page needs besides to play by itself, without a server: rules and searches as WebAssembly,
// manifest, icons and service worker. Empty where the program was built without them; see
// web/wasm/wasm.cmake.
std::span<const WebFile> local_page_files();

// onnxruntime-web, for a tower. Empty where it was not installed.
std::span<const WebFile> tower_page_files();

// The catalogues of ../languages, "th.json".
std::span<const WebFile> language_files();

}  // namespace makzero::play
