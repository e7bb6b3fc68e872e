// A network for play in LibTorch.
#include "nn/torch/network.h"

#include <c10/core/Event.h>
#include <torch/torch.h>

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "game/move_list.h"
#include "nn/torch/card_work.h"
#include "nn/torch/devices.h"
#include "nn/torch/guarded.h"
#include "nn/torch/network_module.h"
#include "nn/torch/runtime.h"
#include "nn/torch/tensors.h"

namespace makzero::nn {
namespace {

using torch::Tensor;

constexpr std::int64_t kMoves = game::MoveList::kCapacity;

// The sizes of batch that the network runs at: few, since every new one costs the preparation of all its
// kernels, and on a GPU multiples of what its tiles hold.
int padded_batch(int rows, bool cuda) {
  const int step = cuda ? 32 : rows <= 8 ? 1 : rows <= 64 ? 4 : 16;
  return (rows + step - 1) / step * step;
}

// The memory of a batch, which is reused; that for a card is pinned, so that the card copies by itself.
struct HostBatch : TorchBatch {
  Tensor input;               // [rows padded, P, 8, 8] fp32
  Tensor rule_features;       // [rows padded, F] fp32; undefined where the network takes no rules
  std::vector<Tensor> whole;  // What TorchOutput::kWhole points to.

  Tensor listed;   // [rows padded, kMoves] int16
  Tensor answers;  // [rows padded, kMoves + 4] fp32
};

// The stream of this thread for the card, so that batches, and the learner, do not wait for each other.
const std::optional<c10::Stream>& own_stream(torch::Device device) {
  static thread_local std::map<c10::DeviceIndex, std::optional<c10::Stream>> streams;
  const auto taken = streams.find(device.index());
  return taken != streams.end() ? taken->second
                                : streams.emplace(device.index(), take_stream(device)).first->second;
}

// Until the card has done all of it, asleep: a thread that spins takes a processor from the searches.
void wait_for(const std::optional<c10::Stream>& stream) {
  if (!stream) return;
  c10::Event event(stream->device_type());
  event.record(*stream);
  while (!event.query()) std::this_thread::sleep_for(std::chrono::microseconds(20));
}

// The memory of one thread: tensors on the device with room for its largest batch, as in HostBatch, and
// what is done with them, by rows.
struct Lane {
  Tensor planes, rules, listed, answers;
  std::map<std::int64_t, RepeatedWork> works;
};

class FusedNetwork final : public TorchNetwork {
 public:
  FusedNetwork(const Network& network, const TorchNetworkOptions& options)
      : shape_(network.architecture),
        device_(find_device(options.backend.device)),
        precision_(choose_precision(options.backend.precision, device_)),
        takes_rules_(options.takes_rules),
        network_(shape_) {
    copy_weights(network.weights, tensors_of(*network_));
    network_->fuse_for_inference(device_, scalar_type(precision_),
                                 takes_rules_ ? Tensor() : torch::tensor(options.fixed_rules));
    finish_work(device_);  // On the weights, before other threads compute with them.
  }

  Precision precision() const noexcept override { return precision_; }

  TorchStatus make_batch(int rows, TorchOutput output,
                         std::unique_ptr<TorchBatch>* made) const noexcept override {
    return guarded([&] {
      const auto pinned = torch::TensorOptions().pinned_memory(device_.is_cuda());
      const std::int64_t padded = padded_batch(rows, device_.is_cuda());
      auto batch = std::make_unique<HostBatch>();
      batch->input = torch::zeros({padded, shape_.plane_count(), 8, 8}, pinned);
      batch->planes = batch->input.data_ptr<float>();
      if (takes_rules_) {
        batch->rule_features = torch::zeros({padded, shape_.rule_feature_count()}, pinned);
        batch->rules = batch->rule_features.data_ptr<float>();
      }
      if (output == TorchOutput::kGathered) {
        batch->listed = torch::zeros({padded, kMoves}, pinned.dtype(torch::kShort));
        batch->moves = batch->listed.data_ptr<std::int16_t>();
        batch->answers = torch::empty({padded, kMoves + 4}, pinned);
        batch->gathered = batch->answers.data_ptr<float>();
      }
      *made = std::move(batch);
    });
  }

  TorchStatus run(int first, int rows, TorchOutput output, int threads, TorchBatch* batch) noexcept override {
    return guarded([&] {
      if (device_.is_cpu()) library::use_threads(threads);
      const c10::InferenceMode inference;
      auto* host = static_cast<HostBatch*>(batch);
      output == TorchOutput::kGathered ? gather(first, rows, host) : run_whole(rows, host);
    });
  }

 private:
  void gather(int first, int count, HostBatch* batch) {
    const std::optional<c10::Stream>& stream = own_stream(device_);
    const StreamScope scope(stream);
    Lane* lane = lane_for(*batch);
    const std::int64_t rows = padded_batch(count, device_.is_cuda());
    const auto send = [&](const Tensor& from, const Tensor& to) {
      if (from.defined()) to.narrow(0, 0, rows).copy_(from.narrow(0, first, rows), /*non_blocking=*/true);
    };
    send(batch->input, lane->planes);
    send(batch->rule_features, lane->rules);
    send(batch->listed, lane->listed);
    lane->works[rows].run(device_, [&] { answer(rows, lane); });
    batch->answers.narrow(0, first, rows).copy_(lane->answers.narrow(0, 0, rows), /*non_blocking=*/true);
    wait_for(stream);
  }

  void answer(std::int64_t rows, Lane* lane) {
    const PlayOutput output =
        play(lane->planes.narrow(0, 0, rows), takes_rules_ ? lane->rules.narrow(0, 0, rows) : Tensor());
    const Tensor index = lane->listed.narrow(0, 0, rows).to(torch::kLong);
    const Tensor logits = logits_at(move_logits(output.policy, shape_.attention), output.policy.pass, index);
    lane->answers.narrow(0, 0, rows)
        .copy_(torch::cat({logits, output.wdl, output.moves_left.unsqueeze(1)}, 1));
  }

  // The lane of this thread, with room for such a batch.
  Lane* lane_for(const HostBatch& batch) {
    const std::lock_guard lock(mutex_);
    Lane* lane = &lanes_[std::this_thread::get_id()];
    if (lane->planes.defined() && lane->planes.size(0) >= batch.input.size(0)) return lane;
    *lane = {};
    const auto like = [&](const Tensor& tensor) {
      return tensor.defined() ? torch::zeros_like(tensor, torch::TensorOptions(device_)) : Tensor();
    };
    lane->planes = like(batch.input);
    lane->rules = like(batch.rule_features);
    lane->listed = like(batch.listed);
    lane->answers = like(batch.answers);
    return lane;
  }

  // `planes` and `rules` in fp32 on the device.
  PlayOutput play(const Tensor& planes, const Tensor& rules) {
    return network_->play(planes.to(scalar_type(precision_), false, false, torch::MemoryFormat::ChannelsLast),
                          rules);
  }

  void run_whole(int count, HostBatch* batch) {
    batch->whole.clear();  // Its memory is that of the new ones.
    const std::int64_t rows = padded_batch(count, device_.is_cuda());
    const PlayOutput output =
        play(batch->input.narrow(0, 0, rows).to(device_),
             takes_rules_ ? batch->rule_features.narrow(0, 0, rows).to(device_) : Tensor());
    Tensor squares = output.policy.squares.contiguous();
    if (device_.is_cuda() || precision_ == Precision::kFp16) squares = squares.to(torch::kFloat).cpu();
    const bool bf16 = squares.scalar_type() == torch::kBFloat16;
    batch->squares_bf16 = bf16 ? static_cast<const std::uint16_t*>(squares.data_ptr()) : nullptr;
    batch->squares = bf16 ? nullptr : squares.data_ptr<float>();
    batch->whole = {squares, output.policy.hand.cpu(), output.policy.pass.cpu(), output.wdl.cpu(),
                    output.moves_left.cpu()};
    batch->hand = batch->whole[1].data_ptr<float>();
    batch->pass = batch->whole[2].data_ptr<float>();
    batch->wdl = batch->whole[3].data_ptr<float>();
    batch->moves_left = batch->whole[4].data_ptr<float>();
  }

  NetworkArchitecture shape_;
  torch::Device device_;
  Precision precision_;
  bool takes_rules_;
  NetworkModule network_;
  std::mutex mutex_;  // Of the lanes; each is its thread's alone.
  std::map<std::thread::id, Lane> lanes_;
};

}  // namespace

std::unique_ptr<TorchNetwork> make_network(const Network& network, const TorchNetworkOptions& options) {
  return std::make_unique<FusedNetwork>(network, options);
}

}  // namespace makzero::nn
