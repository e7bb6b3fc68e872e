#include "models/player/tuned_settings.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/error.h"
#include "models/file_io.h"
#include "nn/machine.h"

namespace makzero::models {
namespace {

using nlohmann::json;

json to_json(const TunedSettings& settings) {
  return {{"machine", settings.machine},     {"device", settings.device},
          {"network", settings.network},     {"precision", nn::precision_name(settings.precision)},
          {"threads", settings.threads},     {"games", settings.games},
          {"max_batch", settings.max_batch}, {"evaluations_per_second", settings.evaluations_per_second}};
}

TunedSettings from_json(const json& text) {
  const std::string precision = text.at("precision");
  const auto known = nn::parse_precision(precision);
  if (!known) throw std::runtime_error("'" + precision + "' is no precision");
  return {text.at("machine"), text.at("device"), text.at("network"),   *known,
          text.at("threads"), text.at("games"),  text.at("max_batch"), text.at("evaluations_per_second")};
}

std::vector<TunedSettings> read_all(const std::filesystem::path& path) {
  std::vector<TunedSettings> all;
  if (!std::filesystem::exists(path)) return all;
  try {
    for (const json& each : json::parse(models::read_text_file(path))) all.push_back(from_json(each));
  } catch (const models::Error&) {
    throw;
  } catch (const std::exception& error) {
    throw models::Error(path, std::string("cannot be read: ") + error.what() +
                                  "; remove it, and measure again with `makzero tune`");
  }
  return all;
}

bool are_for_the_same(const TunedSettings& a, const TunedSettings& b) {
  return a.machine == b.machine && a.device == b.device && a.network == b.network;
}

}  // namespace

std::filesystem::path tuned_settings_path() {
  if (const char* named = std::getenv("MAKZERO_TUNED")) return named;
  const char* configuration = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  const std::filesystem::path folder = configuration && *configuration
                                           ? std::filesystem::path(configuration)
                                           : std::filesystem::path(home ? home : ".") / ".config";
  return folder / "makzero" / "tuned.json";
}

void keep_tuned_settings(const TunedSettings& settings) {
  const std::filesystem::path path = tuned_settings_path();
  std::vector<TunedSettings> all = read_all(path);
  std::erase_if(all, [&](const TunedSettings& other) { return are_for_the_same(settings, other); });
  all.push_back(settings);
  json text = json::array();
  for (const TunedSettings& each : all) text.push_back(to_json(each));
  models::make_folder(path.parent_path());
  models::write_text_file(path, text.dump(2) + "\n");
}

std::optional<TunedSettings> tuned_settings(const std::string& device, const std::string& network) {
  std::vector<TunedSettings> all = read_all(tuned_settings_path());
  if (all.empty()) return std::nullopt;  // Without asking for the machine, which may wake up a card.
  const TunedSettings wanted = {.machine = nn::machine_text(), .device = device, .network = network};
  for (TunedSettings& settings : all) {
    if (are_for_the_same(settings, wanted)) return std::move(settings);
  }
  return std::nullopt;
}

}  // namespace makzero::models
