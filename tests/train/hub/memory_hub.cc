#include "tests/train/hub/memory_hub.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
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
    state_.newest->bytes = bytes.size();
  });
}

std::optional<PublishedNetwork> MemoryHub::newest_network() {
  return call([&] { return state_.newest; });
}

std::string MemoryHub::fetch_network(const std::string& id, std::uint64_t offset) {
  return call([&] {
    const auto found = state_.networks.find(id);
    if (found == state_.networks.end() || offset >= found->second.size()) return std::string();
    return found->second.substr(offset, kChunk);
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
      const auto is_of_worker = [&](const auto& held) { return held.second.worker == game.worker; };
      if (static_cast<std::size_t>(std::ranges::count_if(state_.games, is_of_worker)) >= limit) break;
      ids.push_back(add(game));
      if (rng_.uniform() < faults.repeat) add(game);
    }
    return ids;
  });
}

bool MemoryHub::holds(const std::string&, const std::string& id) {
  return call([&] { return state_.games.contains(id); });
}

std::vector<std::string> MemoryHub::senders() {
  return call([&] {
    std::set<std::string> workers;
    for (const auto& [id, game] : state_.games) workers.insert(game.worker);
    return std::vector<std::string>(workers.begin(), workers.end());
  });
}

std::vector<Delivery> MemoryHub::read(std::span<const std::string> workers, std::size_t count) {
  return call([&] {
    std::vector<Delivery> read;
    for (const std::string& worker : workers) {
      std::size_t taken = 0;
      for (const auto& [id, game] : state_.games) {
        if (game.worker == worker && taken++ < count) read.push_back({id, game});
      }
    }
    if (rng_.uniform() < faults.reorder) {
      for (std::size_t i = read.size(); i > 1; --i) std::swap(read[i - 1], read[rng_.below(i)]);
    }
    return read;
  });
}

void MemoryHub::settle(std::int64_t epoch, std::span<const Entry> entries, const Marks& marks) {
  call([&] {
    require_epoch(epoch);
    for (const auto& [worker, mark] : marks) {
      std::uint64_t& known = state_.marks[worker];
      known = std::max(known, mark);
    }
    for (const Entry& entry : entries) state_.games.erase(entry.id);
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
