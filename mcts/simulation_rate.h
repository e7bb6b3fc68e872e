// How fast searches are: what sequential halving plans with where a clock ends them.
#pragma once

namespace makzero::mcts {

// Simulations per second of the last searches, the older the less. All times are in seconds.
class SimulationRate {
 public:
  // How many simulations a search will have done in the end that has done so many in `used` and has `left`
  // more; a guess where nothing is known yet.
  int expected(int done, double used, double left) const;

  // At the end of a search.
  void add(int simulations, double seconds);

 private:
  double simulations_ = 0, seconds_ = 0;
};

}  // namespace makzero::mcts
