#include "play/export_network.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "models/error.h"
#include "play/web_files.h"

namespace makzero::play {
namespace {

using models::ExportedFile;

// The page's own word for where its answers come from; local_backend.ts is the one without a server.
std::string local_index(std::string_view page) {
  static constexpr std::string_view kServer = "data-backend=\"http\"";
  const std::size_t at = page.find(kServer);
  if (at == std::string_view::npos) throw models::Error("the page names no backend: build the program anew");
  return std::string(page).replace(at, kServer.size(), "data-backend=\"local\"");
}

models::ExportReport export_page(const std::filesystem::path& checkpoint, const std::filesystem::path& folder,
                                 const std::string& ruleset) {
  if (local_page_files().empty()) {
    throw models::Error(
        "this program was built without what a page needs to play by itself; to repair it: apt-get install "
        "clang lld wasi-libc libc++-14-dev-wasm32 libc++abi-14-dev-wasm32 libclang-rt-14-dev-wasm32 nodejs "
        "npm, then `npm install` in play/web, then cmake --preset release and build again");
  }
  const std::string index = local_index(web_files().front().content);
  std::vector<ExportedFile> files;
  for (const WebFile& file : web_files()) files.push_back({file.name, file.content});
  files.front().bytes = index;
  for (const WebFile& file : local_page_files()) files.push_back({file.name, file.content});
  return models::export_checkpoint(checkpoint, models::ModelFormat::kOnnx, folder, files, ruleset);
}

}  // namespace

std::span<const std::string_view> export_kinds() {
  static constexpr std::array<std::string_view, 4> kKinds = {"onnx", "web", "json", "small"};
  return kKinds;
}

models::ExportReport export_network(const std::filesystem::path& checkpoint, std::string_view kind,
                                    const std::filesystem::path& folder, const std::string& ruleset) {
  if (kind == "web") return export_page(checkpoint, folder, ruleset);
  if (kind == "onnx")
    return models::export_checkpoint(checkpoint, models::ModelFormat::kOnnx, folder, {}, ruleset);
  if (kind == "json")
    return models::export_checkpoint(checkpoint, models::ModelFormat::kJson, folder, {}, ruleset);
  if (kind == "small") return models::export_small_network(checkpoint, folder, ruleset);
  throw models::Error("'" + std::string(kind) + "' is no kind of export: onnx, web, json or small");
}

}  // namespace makzero::play
