// Sums over the replicas of a learner while they compute. Private to the plugin.
#pragma once

#include <torch/custom_class.h>
#include <torch/torch.h>

#include <array>
#include <atomic>
#include <vector>

namespace makzero::nn {

// Every replica works in a thread of its own, and all call sum() equally often.
class ReplicaExchange {
 public:
  // The first `replicas` take part from now on, also where one has failed. REQUIRES: no replica works.
  void begin(int replicas);

  int replicas() const { return replicas_; }

  // Waits for the parts of all replicas, tensors of one shape and type. Returns their sum, added in the order
  // of the replicas, on the device of `part`. Throws std::runtime_error where another replica has failed.
  torch::Tensor sum(int replica, const torch::Tensor& part);

  // A replica has failed: the others shall not wait for it.
  void abandon();

 private:
  void wait_for_all(int round);
  void require_all() const;

  int replicas_ = 1;
  // What was given in an even and in an odd round: a replica can be one round ahead of another that still
  // reads.
  std::array<std::vector<torch::Tensor>, 2> parts_;
  std::atomic<int> round_ = 0;    // Ended rounds.
  std::atomic<int> arrived_ = 0;  // Of the round that goes on.
  std::atomic<bool> abandoned_ = false;
};

// The place of one replica, in the shape in which gradient functions can keep it.
struct ReplicaPlace : torch::CustomClassHolder {
  ReplicaPlace(ReplicaExchange* exchange, int replica) : exchange(exchange), replica(replica) {}

  // Of all replicas; of a network that has none, its own part.
  torch::Tensor sum(const torch::Tensor& part) const {
    return exchange ? exchange->sum(replica, part) : part;
  }

  ReplicaExchange* exchange;
  int replica;
};

}  // namespace makzero::nn
