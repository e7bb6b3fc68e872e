// Work of a thread for a card: its stream, and what it has recorded. Private to the plugin.
#pragma once

#include <c10/core/Stream.h>
#include <c10/core/StreamGuard.h>
#include <torch/torch.h>

#include <functional>
#include <memory>
#include <optional>

namespace makzero::nn {

// A stream of LibTorch's pool, for work that shall not wait for other threads'; none on a CPU. Streams are
// never given back, and each holds memory: to be taken once for a thread or a learner.
std::optional<c10::Stream> take_stream(torch::Device device);

// While it lives, this thread's work for the stream's card goes through it. Without a stream it does nothing.
class StreamScope {
 public:
  explicit StreamScope(const std::optional<c10::Stream>& stream) {
    if (stream) guard_.emplace(*stream);
  }

 private:
  std::optional<c10::StreamGuard> guard_;
};

// Waits for what this thread has given to the card: streams do not wait for each other. Not for the whole
// card, which may not be waited for while another thread records.
void finish_work(torch::Device device);

// Work for a card, always the same with the same tensors. The first time prepares its kernels; the second is
// recorded as a CUDA graph, whose operations are launched together from then on. On a CPU, in a plugin built
// without CUDA's headers, and where CUDA cannot record it, the work is just done.
class RepeatedWork {
 public:
  RepeatedWork();
  RepeatedWork(RepeatedWork&&) noexcept;
  RepeatedWork& operator=(RepeatedWork&&) noexcept;
  ~RepeatedWork();

  // In the current stream of the device, which is not its default one. What the work has computed must lie in
  // tensors that were there before. All works of one thread run in turn.
  void run(torch::Device device, const std::function<void()>& work);

  // True where the plugin is built to record work for the device.
  static bool records(torch::Device device);

 private:
  class Recording;
  int runs_ = 0;
  std::unique_ptr<Recording> recording_;
};

}  // namespace makzero::nn
