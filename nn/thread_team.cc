#include "nn/thread_team.h"

#include <cassert>
#include <utility>

namespace makzero::nn {

ThreadTeam::ThreadTeam(int threads) {
  for (int number = 0; number < threads; ++number) threads_.emplace_back([this, number] { serve(number); });
}

ThreadTeam::~ThreadTeam() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  started_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::start(std::function<void(int)> work) {
  const std::lock_guard lock(mutex_);
  assert(working_ == 0);
  work_ = std::move(work);
  working_ = static_cast<int>(threads_.size());
  ++round_;
  started_.notify_all();
}

void ThreadTeam::wait() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return working_ == 0; });
}

void ThreadTeam::serve(int number) {
  std::unique_lock lock(mutex_);
  for (int done = 0;;) {
    started_.wait(lock, [&] { return stop_ || round_ != done; });
    if (round_ == done) return;
    done = round_;
    lock.unlock();
    work_(number);
    lock.lock();
    if (--working_ == 0) ended_.notify_one();
  }
}

}  // namespace makzero::nn
