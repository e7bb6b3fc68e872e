// The page as a site of its own: files for any server of files, with rules and searches as WebAssembly, that
// can be installed and then needs no network.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace makzero::play {

// A game of the site and the model whose small network plays it; without one alpha-beta plays by material.
struct SiteGame {
  std::string game;  // Without options: "makyek".
  std::optional<std::filesystem::path> model;
};

struct SiteFile {
  std::string name;  // "index.html", the first; "makyek.small.gz".
  std::string type;  // "text/html; charset=utf-8".
  std::string bytes;
};

// The games of the zoo that a list names, "makruk,makyek", of an empty list all. Throws models::Error where
// one has no small network.
std::vector<SiteGame> zoo_site_games(std::string_view list);

// The games of the small networks in a model, or of them `game` alone. Throws models::Error where there is
// none.
std::vector<SiteGame> model_site_games(const std::filesystem::path& model, const std::string& game);

// index.html, the scripts, makzero.wasm.gz, a small network for each game, site.json (which says what there
// is), manifest, icons and service worker. `tower`: the id of a tower whose net.json and model.onnx are put
// beside them; of an empty one there is none and no onnxruntime-web. Throws models::Error, also where the
// program was built without what a site needs.
std::vector<SiteFile> site_files(const std::vector<SiteGame>& games, const std::string& tower = "");

}  // namespace makzero::play
