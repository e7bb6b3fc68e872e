// The options of the UCI protocol but for UCI_Variant: what they are, and what they are set to.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "models/player/level.h"
#include "nn/backend.h"
#include "play/engine/engine.h"

namespace makzero::play {

class UciOptions {
 public:
  // What WeightsFile, Device and Precision begin with.
  UciOptions(const std::string& player, const nn::Backend& backend);

  // What changed by an assignment.
  enum class Effect { kNone, kEngine, kRefused, kClearHash };
  struct Change {
    Effect effect = Effect::kNone;
    std::string why;  // Where it is refused, or another value stands for it.
  };

  // Sets the option of that name, without regard to case; a number out of range is the nearest within.
  Change set(const std::string& name, const std::string& text);

  // The lines "option name ...". The strength can be limited where the network's was measured.
  std::vector<std::string> lines(std::span<const models::PlayerLevel> levels) const;

  EngineOptions engine() const;
  std::int64_t number(const std::string& name) const { return options_.at(name).number; }
  bool flag(const std::string& name) const { return number(name) != 0; }
  const std::string& text(const std::string& name) const { return options_.at(name).text; }

 private:
  enum class Type { kSpin, kCheck, kText, kChoice, kLevel, kButton };
  struct Option {
    Type type;
    std::int64_t number = 0, minimum = 0, maximum = 0;
    std::string text = {};
    Effect effect = Effect::kNone;          // Of a new value.
    std::vector<std::string> choices = {};  // Of a choice.
  };

  std::map<std::string, Option> options_;
};

}  // namespace makzero::play
