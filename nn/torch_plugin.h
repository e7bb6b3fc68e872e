// The border between the program and its plugin libmakzero_torch.so, which alone knows LibTorch.
//
// No exception crosses it: every function returns a status. Objects cross as abstract classes, whose virtual
// destructors are the plugin's. Both sides are of one build, so that they agree about every type here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "nn/backend.h"
#include "nn/device.h"
#include "nn/learner.h"
#include "nn/network.h"
#include "nn/runtime.h"

namespace makzero::nn {

struct [[nodiscard]] TorchStatus {
  enum class Code { kDone, kOutOfMemory, kOutOfDeviceMemory, kFailed };
  Code code = Code::kDone;
  std::string text = {};  // Why it failed.
};

// Throws std::bad_alloc, DeviceMemoryError or std::runtime_error where the call did not succeed.
void require(const TorchStatus& status);

// The outputs of a batch.
enum class TorchOutput {
  kWhole,     // The vectors of all squares: any move's logit can be made of them.
  kGathered,  // The logits of the moves that the batch lists: 3 KiB a position travel from a card, not 32.
};

// A batch in the memory of this process; rows are padded. Null: not in this batch.
struct TorchBatch : DeviceBatch {
  float* planes = nullptr;        // [rows, planes, 8, 8]
  float* rules = nullptr;         // [rows, rule features], unless they are folded into the weights
  std::int16_t* moves = nullptr;  // [rows, MoveList::kCapacity] policy indices; beyond a row's own, any

  // kWhole: attention vectors [rows, 64, 2 attention], bf16 or fp32; of the hand [attention]; of the pass
  // [rows]; logits of win, draw and loss [rows, 3]; moves left [rows].
  const std::uint16_t* squares_bf16 = nullptr;
  const float* squares = nullptr;
  const float *hand = nullptr, *pass = nullptr, *wdl = nullptr, *moves_left = nullptr;

  // kGathered: [rows, MoveList::kCapacity + 4] logits of the moves, of win, draw and loss; moves left.
  const float* gathered = nullptr;
};

// A network for play on one device. Two threads may run different batches at the same time.
class TorchNetwork {
 public:
  virtual ~TorchNetwork() = default;

  virtual Precision precision() const noexcept = 0;
  virtual TorchStatus make_batch(int rows, TorchOutput output,
                                 std::unique_ptr<TorchBatch>* batch) const noexcept = 0;

  // The outputs of the rows from `first` on, with so many threads of the tensor library on a CPU. REQUIRES:
  // `first` is 0, or a multiple of 32 for TorchOutput::kGathered.
  virtual TorchStatus run(int first, int rows, TorchOutput output, int threads,
                          TorchBatch* batch) noexcept = 0;
};

struct TorchNetworkOptions {
  Backend backend;
  bool takes_rules = false;             // They come with each batch.
  std::vector<float> fixed_rules = {};  // Else these are folded in: [rule features].
};

// See Learner.
class TorchLearner {
 public:
  virtual ~TorchLearner() = default;
  virtual TorchStatus stage(const TrainBatch& batch,
                            std::shared_ptr<const StagedBatch>* staged) const noexcept = 0;
  virtual TorchStatus step(const StagedBatch& batch) noexcept = 0;
  virtual TorchStatus losses(Losses* losses) noexcept = 0;
  virtual TorchStatus evaluate(const StagedBatch& batch, Validation* validation) noexcept = 0;
  virtual void scale_learning_rate(float factor) noexcept = 0;
  virtual std::int64_t steps() const noexcept = 0;
  virtual bool in_bf16() const noexcept = 0;
  virtual TorchStatus network(Network* network) const noexcept = 0;
  virtual TorchStatus state(LearnerState* state) const noexcept = 0;
  virtual TorchStatus load(const LearnerState& state) noexcept = 0;
};

struct TorchTable {
  TorchStatus (*make_network)(const Network& network, const TorchNetworkOptions& options,
                              std::unique_ptr<TorchNetwork>* made) noexcept;
  TorchStatus (*make_learner)(const NetworkArchitecture& shape, const LearnerOptions& options,
                              std::uint64_t seed, std::unique_ptr<TorchLearner>* made) noexcept;

  // See the functions of these names.
  TorchStatus (*initial_weights)(const NetworkArchitecture& shape, std::uint64_t seed,
                                 Weights* weights) noexcept;
  TorchStatus (*require_backend)(const Backend& backend) noexcept;
  TorchStatus (*inspect_runtime)(Runtime* runtime) noexcept;  // What LibTorch knows of it.
  TorchStatus (*make_deterministic)() noexcept;
  TorchStatus (*matrix_product_peak)(const Backend& backend, double* gigaflops) noexcept;
};

// The plugin's table; it is opened on first use and never closed. The file that MAKZERO_TORCH names, or
// libmakzero_torch.so beside the program or in ../lib/makzero. Thread-safe. Throws std::runtime_error where
// it or LibTorch is missing, or where it is of another build.
const TorchTable& torch_plugin();

// What the program and its plugin must agree on: version, and the headers of this border. Compilers of Linux
// keep to one ABI of C++.
const char* build_id();

// The two names that the plugin exports: its build id, and its table.
using TorchBuildId = const char*();
using TorchEntry = const TorchTable*();
inline constexpr char kTorchBuildId[] = "makzero_torch_build_id", kTorchEntry[] = "makzero_torch_table";

}  // namespace makzero::nn
