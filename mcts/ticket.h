// A batch whose evaluation has begun.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

namespace makzero::mcts {

// Move-only, of one thread at a time. A ticket that is destroyed finishes first, so that the memory of its
// batch may be freed afterwards; what finishing throws is lost then.
class [[nodiscard]] Ticket {
 public:
  Ticket() = default;  // Of a batch that is done.

  // `rest()` waits for the evaluations. It is called once.
  template <std::invocable Rest>
  explicit Ticket(Rest rest) : rest_(std::make_unique<RestOf<Rest>>(std::move(rest))) {}

  Ticket(Ticket&&) noexcept = default;
  Ticket& operator=(Ticket&& other) noexcept {
    abandon();
    rest_ = std::move(other.rest_);
    return *this;
  }
  ~Ticket() { abandon(); }

  bool done() const { return rest_ == nullptr; }

  // Waits until the evaluations are there; nothing where the batch is done. Throws what the evaluation threw.
  void finish() {
    if (const std::unique_ptr<Rest> rest = std::exchange(rest_, nullptr)) rest->run();
  }

  // This batch with more work after it, which is done at once where the batch is.
  template <std::invocable Work>
  Ticket then(Work work) && {
    if (!done()) {
      return Ticket([before = std::move(*this), work = std::move(work)]() mutable {
        before.finish();
        work();
      });
    }
    work();
    return {};
  }

 private:
  struct Rest {
    virtual ~Rest() = default;
    virtual void run() = 0;
  };

  template <class Function>
  struct RestOf : Rest {
    explicit RestOf(Function function) : function(std::move(function)) {}
    void run() override { function(); }
    Function function;
  };

  void abandon() noexcept {
#ifdef __cpp_exceptions
    try {
      finish();
    } catch (...) {  // Nobody asks for these evaluations any more.
    }
#else
    finish();  // In a browser nothing throws.
#endif
  }

  std::unique_ptr<Rest> rest_;  // Null: done.
};

}  // namespace makzero::mcts
