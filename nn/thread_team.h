// Threads that live from one piece of work to the next.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace makzero::nn {

// A new thread would prepare the network's kernels anew. Of one owner at a time.
class ThreadTeam {
 public:
  explicit ThreadTeam(int threads);
  ~ThreadTeam();

  // Every thread calls work(number of the thread, from 0), which must not throw. REQUIRES: no call is
  // running.
  void start(std::function<void(int)> work);

  // Waits until all have returned from it.
  void wait();

 private:
  void serve(int number);

  std::mutex mutex_;  // Of all but the threads.
  std::condition_variable started_, ended_;
  std::function<void(int)> work_;
  int round_ = 0;  // Of the work that was started last.
  int working_ = 0;
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace makzero::nn
