// The border of the plugin: what is refused, and what failures in it become.
#include "nn/torch_plugin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

#include "nn/evaluators/torch_evaluator.h"
#include "nn/machine.h"
#include "tests/nn/nn_samples.h"

namespace makzero::nn {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;
using Code = TorchStatus::Code;

// While it lives, the plugin is looked for there.
class PluginAt {
 public:
  explicit PluginAt(const char* path) { setenv("MAKZERO_TORCH", path, 1); }
  ~PluginAt() { unsetenv("MAKZERO_TORCH"); }
};

// Before the others: an opened plugin stays.
TEST(AMissingPluginTest, IsWhatEveryTowerAsksForInOneSentence) {
  const auto missing = ThrowsMessage<std::runtime_error>(AllOf(StartsWith("this needs LibTorch: install "),
                                                               EndsWith("; small networks play without"),
                                                               Not(HasSubstr("\n"))));
  for (const char* path : {"", "/nowhere/libmakzero_torch.so"}) {
    const PluginAt place(path);
    EXPECT_THAT([] { torch_plugin(); }, missing);
    EXPECT_THAT([] { initial_weights({}, 1); }, missing);
    EXPECT_THAT([] { require_backend({}); }, missing);
    EXPECT_THAT([] { Learner({}, {}, 1); }, missing);
    const Runtime runtime = inspect_runtime();
    EXPECT_EQ(runtime.libtorch_version, "");
    EXPECT_THAT(runtime.why_no_libtorch, StartsWith("this needs LibTorch"));
    EXPECT_GE(runtime.cores, 1);
    EXPECT_THAT(machine_text(), Not(HasSubstr("LibTorch")));
  }
}

TEST(AMissingPluginTest, OfAnotherBuildIsRefusedByName) {
  const PluginAt place(OTHER_BUILD);
  EXPECT_THAT([] { torch_plugin(); },
              ThrowsMessage<std::runtime_error>(
                  AllOf(HasSubstr(std::string(OTHER_BUILD) + " is of another build, 0.0.1-0ddba11,"),
                        HasSubstr(build_id()), HasSubstr("install both from one build"))));
}

TEST(AMissingPluginTest, IsNotAnyOtherLibrary) {
  const PluginAt place("libstdc++.so.6");
  EXPECT_THAT([] { torch_plugin(); },
              ThrowsMessage<std::runtime_error>(HasSubstr("libstdc++.so.6 is of another build, unknown,")));
}

TEST(TorchPluginTest, TheBuildIdNamesVersionCompilerAndHeaders) {
  EXPECT_THAT(build_id(), testing::MatchesRegex("[0-9.]+.* \\(headers [0-9a-f]{12}\\)"));
}

TEST(TorchPluginTest, TooLittleMemoryIsACodeOfItsOwn) {
  NetworkArchitecture huge = small_architecture({"own man"});
  huge.channels = 1 << 20;  // Terabytes.
  Weights weights;
  EXPECT_EQ(torch_plugin().initial_weights(huge, 1, &weights).code, Code::kOutOfMemory);
  EXPECT_THROW(initial_weights(huge, 1), std::bad_alloc);
}

TEST(TorchPluginTest, AnExceptionBecomesAStatusWithItsText) {
  const NetworkArchitecture shape = small_architecture({"own man"});
  Network misfit = {shape, initial_weights(shape, 1)};
  misfit.weights.pop_back();
  std::unique_ptr<TorchNetwork> made;
  const TorchStatus status = torch_plugin().make_network(misfit, {}, &made);
  EXPECT_EQ(status.code, Code::kFailed);
  EXPECT_THAT(status.text, HasSubstr("the weights do not fit the network"));
  EXPECT_EQ(made, nullptr);
  // One of LibTorch's own, in an object that the plugin has made.
  std::unique_ptr<TorchLearner> learner;
  require(torch_plugin().make_learner(shape, {.threads = 1}, 1, &learner));
  Network network;
  EXPECT_EQ(learner->network(&network).code, Code::kDone);
  LearnerState state;
  require(learner->state(&state));
  state.weights.front().shape = {1};
  EXPECT_THAT([&] { require(learner->load(state)); },
              ThrowsMessage<std::runtime_error>(HasSubstr("has the shape [1]")));
}

}  // namespace
}  // namespace makzero::nn
