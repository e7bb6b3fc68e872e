#include "tests/train/hub/memory_hub.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace makzero::train {

template <class Call>
auto MemoryHub::call(const Call& action) {
  const std::lock_guard lock(mutex_);
  const auto fails = [this] { return faults.fail > 0 && rng_.uniform() < faults.fail / 2; };
  step();
  if (fails()) throw HubError("the hub failed before the call");
  if constexpr (std::is_void_v<decltype(action())>) {
    action();
    step();
    if (fails()) throw HubError("the hub failed after the call");
  } else {
    auto result = action();
    step();
    if (fails()) throw HubError("the hub failed after the call");
    return result;
  }
}

void MemoryHub::flush() { state_ = State(); }

void MemoryHub::require_epoch(std::int64_t epoch) const {
  if (state_.epoch > epoch)
    throw LeaseLost(fmt::format("epoch {} has begun, this trainer is of epoch {}", state_.epoch, epoch));
}

std::map<std::string, std::string> MemoryHub::about() {
  return call([&] { return state_.about; });
}

void MemoryHub::set_about(std::int64_t epoch, const std::map<std::string, std::string>& about) {
  call([&] {
    require_epoch(epoch);
    state_.about = about;
  });
}

void MemoryHub::publish_network(std::int64_t epoch, const PublishedNetwork& network,
                                const std::string& bytes) {
  call([&] {
    require_epoch(epoch);
    state_.networks[network.id] = bytes;
    state_.newest = network;
  });
}

std::optional<PublishedNetwork> MemoryHub::newest_network() {
  return call([&] { return state_.newest; });
}

std::optional<std::string> MemoryHub::fetch_network(const std::string& id) {
  return call([&]() -> std::optional<std::string> {
    const auto found = state_.networks.find(id);
    if (found == state_.networks.end()) return std::nullopt;
    return found->second;
  });
}

std::string MemoryHub::add(const GameMessage& game) {
  std::string id = fmt::format("{:012}", next_id_++);
  if (rng_.uniform() >= faults.drop) state_.games[id] = game;
  return id;
}

std::vector<std::string> MemoryHub::append(std::span<const GameMessage> games, std::size_t limit) {
  return call([&] {
    std::vector<std::string> ids;
    for (const GameMessage& game : games) {
      if (state_.games.size() >= limit) break;
      ids.push_back(add(game));
      if (rng_.uniform() < faults.repeat) add(game);
    }
    return ids;
  });
}

bool MemoryHub::holds(const std::string& id) {
  return call([&] { return state_.games.contains(id); });
}

std::vector<Delivery> MemoryHub::take(std::vector<std::string> ids) {
  if (rng_.uniform() < faults.reorder) {
    for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[rng_.below(i)]);
  }
  std::vector<Delivery> taken;
  taken.reserve(ids.size());
  for (const std::string& id : ids) taken.push_back({id, state_.games.at(id)});
  return taken;
}

std::vector<Delivery> MemoryHub::read(std::size_t count) {
  return call([&] {
    std::vector<std::string> ids;
    for (const auto& [id, game] : state_.games) {
      if (ids.size() < count && state_.unsettled.insert(id).second) ids.push_back(id);
    }
    return take(std::move(ids));
  });
}

// In the order of the entries, as the reader goes on behind the last.
std::vector<Delivery> MemoryHub::read_again(const std::string& after, std::size_t count) {
  return call([&] {
    std::vector<Delivery> found;
    for (auto id = state_.unsettled.upper_bound(after); id != state_.unsettled.end(); ++id) {
      const auto game = state_.games.find(*id);
      if (found.size() < count && game != state_.games.end()) found.push_back({*id, game->second});
    }
    return found;
  });
}

std::vector<Delivery> MemoryHub::list(const std::string& after, std::size_t count) {
  return call([&] {
    std::vector<Delivery> found;
    for (auto game = state_.games.upper_bound(after); game != state_.games.end() && found.size() < count;
         ++game)
      found.push_back({game->first, game->second});
    return found;
  });
}

void MemoryHub::settle(std::int64_t epoch, std::span<const std::string> ids, const Marks& marks) {
  call([&] {
    require_epoch(epoch);
    for (const auto& [worker, mark] : marks) {
      std::uint64_t& known = state_.marks[worker];
      known = std::max(known, mark);
    }
    for (const std::string& id : ids) {
      state_.games.erase(id);
      state_.unsettled.erase(id);
    }
  });
}

std::uint64_t MemoryHub::mark(const std::string& worker) {
  return call([&]() -> std::uint64_t {
    const auto found = state_.marks.find(worker);
    return found == state_.marks.end() ? 0 : found->second;
  });
}

Marks MemoryHub::marks() {
  return call([&] { return state_.marks; });
}

std::size_t MemoryHub::backlog() {
  return call([&] { return state_.games.size(); });
}

std::optional<std::int64_t> MemoryHub::take_lease(const std::string& holder, std::chrono::milliseconds time,
                                                  std::int64_t known_epoch) {
  return call([&]() -> std::optional<std::int64_t> {
    if (is_leased() && state_.holder != holder) return std::nullopt;
    state_.epoch = std::max(state_.epoch, known_epoch) + 1;
    state_.holder = holder;
    state_.lease_end = now() + time;
    return state_.epoch;
  });
}

bool MemoryHub::renew_lease(const std::string& holder, std::int64_t epoch, std::chrono::milliseconds time) {
  return call([&] {
    if (state_.epoch > epoch || (is_leased() && state_.holder != holder)) return false;
    state_.epoch = epoch;
    state_.holder = holder;
    state_.lease_end = now() + time;
    return true;
  });
}

void MemoryHub::release_lease(const std::string& holder, std::int64_t epoch) {
  call([&] {
    if (state_.holder == holder && state_.epoch == epoch) state_.holder.clear();
  });
}

LeaseState MemoryHub::lease() {
  return call([&]() -> LeaseState {
    if (!is_leased()) return {"", state_.epoch, {}};
    return {state_.holder, state_.epoch, state_.lease_end - now()};
  });
}

void MemoryHub::report_worker(const std::string& worker, const std::string& text) {
  call([&] { state_.reports[worker] = text; });
}

std::map<std::string, std::string> MemoryHub::worker_reports() {
  return call([&] { return state_.reports; });
}

}  // namespace makzero::train
