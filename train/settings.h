// Settings that fill the option structs of the layers below, which hold their defaults.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <variant>

#include "mcts/search.h"
#include "nn/learner.h"
#include "nn/network.h"

namespace makzero::train {

template <typename Options>
using Member = std::variant<int Options::*, float Options::*, bool Options::*>;

// A key of a section of the configuration and the member of the options that it fills.
template <typename Options>
struct Setting {
  const char* name;  // The key.
  Member<Options> member;
};

inline constexpr Setting<nn::NetworkArchitecture> kNetworkSettings[] = {
    {"blocks", &nn::NetworkArchitecture::blocks},
    {"channels", &nn::NetworkArchitecture::channels},
    {"attention", &nn::NetworkArchitecture::attention},
    {"hidden", &nn::NetworkArchitecture::hidden},
};

// Settings of self-play alone; the others are mcts::kSearchConstants.
inline constexpr Setting<mcts::SearchOptions> kSearchSettings[] = {
    {"max_considered_actions", &mcts::SearchOptions::max_considered_actions},
    {"dirichlet_alpha", &mcts::SearchOptions::dirichlet_alpha},
    {"noise_fraction", &mcts::SearchOptions::noise_fraction},
};

inline constexpr Setting<nn::LearnerOptions> kLearnerSettings[] = {
    {"learning_rate", &nn::LearnerOptions::learning_rate},
    {"warmup_steps", &nn::LearnerOptions::warmup_steps},
    {"weight_decay", &nn::LearnerOptions::weight_decay},
    {"ema_decay", &nn::LearnerOptions::ema_decay},
    {"mixed_precision", &nn::LearnerOptions::mixed_precision},
};

// One value out of a section and into it.
void read_value(const google::protobuf::Message& section, const google::protobuf::FieldDescriptor& field,
                std::variant<int*, float*, bool*> value);
void write_value(std::variant<int, float, bool> value, const google::protobuf::FieldDescriptor& field,
                 google::protobuf::Message* section);

// The options as the section says: what it does not say, or has no key, keeps its default. `settings` are
// rows {name, member}.
template <typename Options>
void read_settings(const google::protobuf::Message& section, const auto& settings, Options* options) {
  for (const auto& [name, member] : settings) {
    const auto* field = section.GetDescriptor()->FindFieldByName(name);
    if (!field || !section.GetReflection()->HasField(section, field)) continue;
    std::visit([&](auto each) { read_value(section, *field, &(options->*each)); }, Member<Options>(member));
  }
}

// Gives the section the defaults of the options that it does not say; a default in the schema goes before.
template <typename Options>
void fill_settings(const Options& defaults, const auto& settings, google::protobuf::Message* section) {
  for (const auto& [name, member] : settings) {
    const auto* field = section->GetDescriptor()->FindFieldByName(name);
    if (!field || section->GetReflection()->HasField(*section, field) || field->has_default_value()) continue;
    std::visit([&](auto each) { write_value(defaults.*each, *field, section); }, Member<Options>(member));
  }
}

// The weights of the losses, "NAME_weight" for each head of nn::kHeads that has such a key, likewise.
void read_loss_weights(const google::protobuf::Message& section, nn::LearnerOptions* options);
void fill_loss_weights(google::protobuf::Message* section);

}  // namespace makzero::train
