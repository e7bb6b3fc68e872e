#include "nn/torch/card_work.h"

#include <c10/core/impl/VirtualGuardImpl.h>

#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>

#ifdef MAKZERO_CUDA_GRAPHS
#include <ATen/cuda/CUDAGraph.h>
#endif

namespace makzero::nn {

std::optional<c10::Stream> take_stream(torch::Device device) {
  if (!device.is_cuda()) return std::nullopt;
  return c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device);
}

void finish_work(torch::Device device) {
  if (device.is_cuda()) c10::impl::VirtualGuardImpl(device.type()).getStream(device).synchronize();
}

#ifdef MAKZERO_CUDA_GRAPHS
static constexpr bool kRecords = true;

namespace graphs {

// Recordings share the state of the random numbers: one is made while none is made, launched or destroyed.
static std::shared_mutex recording_mutex;

static std::atomic<bool> can_record = true;

// Throws c10::Error where the work does what cannot be recorded.
static void record(at::cuda::CUDAGraph* graph, at::cuda::MempoolId_t memory,
                   const std::function<void()>& work) {
  graph->capture_begin(memory, cudaStreamCaptureModeThreadLocal);  // Other threads may take memory meanwhile.
  try {
    work();
  } catch (...) {
    try {
      graph->capture_end();
    } catch (const c10::Error&) {  // It says once more what was wrong.
    }
    throw;
  }
  graph->capture_end();
}

// Memory that a thread's recordings take from and give back to, in turn: what they have computed on the way
// is of no use afterwards. LibTorch would keep the memory of every recording that is gone; a first one, which
// stays, holds it.
class GraphMemory {
 public:
  explicit GraphMemory(torch::Device device) {
    record(&first_, {0, 0}, [device] { torch::zeros({1}, device); });
  }
  ~GraphMemory() {
    const std::unique_lock lock(recording_mutex);
    first_.reset();
  }
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  at::cuda::MempoolId_t id() { return first_.pool(); }

 private:
  at::cuda::CUDAGraph first_;
};

static std::shared_ptr<GraphMemory> memory_of_thread(torch::Device device) {
  static thread_local std::map<c10::DeviceIndex, std::shared_ptr<GraphMemory>> memories;
  std::shared_ptr<GraphMemory>& memory = memories[device.index()];
  if (!memory) memory = std::make_shared<GraphMemory>(device);
  return memory;
}

}  // namespace graphs

class RepeatedWork::Recording {
 public:
  // Null where the work cannot be recorded; then nothing is recorded any more.
  static std::unique_ptr<Recording> make(torch::Device device, const std::function<void()>& work) {
    if (!graphs::can_record) return nullptr;
    auto recording = std::make_unique<Recording>();  // Goes after the lock, which its destructor takes.
    const std::unique_lock lock(graphs::recording_mutex);
    try {
      recording->memory_ = graphs::memory_of_thread(device);
      graphs::record(&recording->graph_.emplace(), recording->memory_->id(), work);
      return recording;
    } catch (const c10::Error&) {
      graphs::can_record = false;
      return nullptr;
    }
  }

  ~Recording() {
    const std::unique_lock lock(graphs::recording_mutex);
    graph_.reset();
  }

  void launch() {
    const std::shared_lock lock(graphs::recording_mutex);
    graph_->replay();
  }

 private:
  std::shared_ptr<graphs::GraphMemory> memory_;
  std::optional<at::cuda::CUDAGraph> graph_;
};

#else

static constexpr bool kRecords = false;

class RepeatedWork::Recording {
 public:
  static std::unique_ptr<Recording> make(torch::Device, const std::function<void()>&) { return nullptr; }
  void launch() {}
};

#endif

bool RepeatedWork::records(torch::Device device) { return kRecords && device.is_cuda(); }

RepeatedWork::RepeatedWork() = default;
RepeatedWork::RepeatedWork(RepeatedWork&&) noexcept = default;
RepeatedWork& RepeatedWork::operator=(RepeatedWork&&) noexcept = default;
RepeatedWork::~RepeatedWork() = default;

void RepeatedWork::run(torch::Device device, const std::function<void()>& work) {
  if (records(device) && ++runs_ == 2) recording_ = Recording::make(device, work);
  recording_ ? recording_->launch() : work();
}

}  // namespace makzero::nn
