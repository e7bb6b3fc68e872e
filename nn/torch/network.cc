// A network for play in LibTorch.
#include "nn/torch/network.h"

#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/torch.h>

#include <chrono>
#include <map>
#include <optional>
#include <thread>

#include "game/move_list.h"
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

// While it lives, the work of this thread for a card goes through a stream of its own: batches, and the
// learner, do not wait for each other. A thread takes one for each card, once: streams are never given back,
// and each holds memory. On a CPU it does nothing.
class OwnStream {
 public:
  explicit OwnStream(torch::Device device) {
    if (!device.is_cuda()) return;
    static thread_local std::map<c10::DeviceIndex, c10::Stream> streams;
    auto taken = streams.find(device.index());
    if (taken == streams.end())
      taken = streams
                  .emplace(device.index(),
                           c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device))
                  .first;
    stream_ = taken->second;
    guard_.emplace(*stream_);
  }

  // Until the card has done it all, asleep: a thread that spins takes a processor from the searches.
  void wait() const {
    if (!stream_) return;
    c10::Event event(stream_->device_type());
    event.record(*stream_);
    while (!event.query()) std::this_thread::sleep_for(std::chrono::microseconds(20));
  }

 private:
  std::optional<c10::Stream> stream_;
  std::optional<c10::StreamGuard> guard_;
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
    // Streams do not wait for each other: what was done to the weights is done now.
    if (device_.is_cuda()) torch::cuda::synchronize(device_.index());
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
  PlayOutput play(int first, int count, const HostBatch& batch) {
    const bool asynchronous = device_.is_cuda();
    const Tensor rows = batch.input.narrow(0, first, padded_batch(count, device_.is_cuda()));
    const Tensor planes = rows.to(device_, asynchronous)
                              .to(scalar_type(precision_), false, false, torch::MemoryFormat::ChannelsLast);
    Tensor rules;
    if (takes_rules_) rules = batch.rule_features.narrow(0, first, planes.size(0)).to(device_, asynchronous);
    return network_->play(planes, rules);
  }

  void gather(int first, int count, HostBatch* batch) {
    const OwnStream stream(device_);
    const PlayOutput output = play(first, count, *batch);
    const std::int64_t rows = output.wdl.size(0);
    const Tensor index = batch->listed.narrow(0, first, rows).to(device_, true).to(torch::kLong);
    const Tensor logits = logits_at(move_logits(output.policy, shape_.attention), output.policy.pass, index);
    batch->answers.narrow(0, first, rows)
        .copy_(torch::cat({logits, output.wdl, output.moves_left.unsqueeze(1)}, 1), /*non_blocking=*/true);
    stream.wait();
  }

  void run_whole(int count, HostBatch* batch) {
    batch->whole.clear();  // Its memory is that of the new ones.
    const PlayOutput output = play(0, count, *batch);
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
};

}  // namespace

std::unique_ptr<TorchNetwork> make_network(const Network& network, const TorchNetworkOptions& options) {
  return std::make_unique<FusedNetwork>(network, options);
}

}  // namespace makzero::nn
