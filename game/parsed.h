// What reading a text gives: the value, or every reason why there is none.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace makzero::game {

template <class T>
class Parsed {
 public:
  Parsed(T value) : value_(std::move(value)) {}  // NOLINT: a value is a success.

  static Parsed failure(std::vector<std::string> reasons) {  // NOLINT: it is moved, unseen in a template.
    assert(!reasons.empty());
    Parsed parsed;
    parsed.reasons_ = std::move(reasons);
    return parsed;
  }

  explicit operator bool() const { return value_.has_value(); }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return &*value_; }

  // Empty on success. Each reason says what is wrong, where, and how to repair it.
  const std::vector<std::string>& reasons() const { return reasons_; }

  // All reasons in one line.
  std::string why() const {
    std::string all;
    for (const std::string& reason : reasons_) all += (all.empty() ? "" : "; ") + reason;
    return all;
  }

 private:
  Parsed() = default;

  std::optional<T> value_;
  std::vector<std::string> reasons_;
};

}  // namespace makzero::game
