// Settings that fill the option structs of the layers below, which hold their defaults.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <cstddef>

#include "mcts/search.h"
#include "nn/learner.h"
#include "nn/network.h"

namespace makzero::train {

// One value out of a section and into it.
void read_value(const google::protobuf::Message& section, const google::protobuf::FieldDescriptor& field,
                int* value);
void read_value(const google::protobuf::Message& section, const google::protobuf::FieldDescriptor& field,
                float* value);
void read_value(const google::protobuf::Message& section, const google::protobuf::FieldDescriptor& field,
                bool* value);
void write_value(int value, const google::protobuf::FieldDescriptor& field,
                 google::protobuf::Message* section);
void write_value(float value, const google::protobuf::FieldDescriptor& field,
                 google::protobuf::Message* section);
void write_value(bool value, const google::protobuf::FieldDescriptor& field,
                 google::protobuf::Message* section);

// A key of a section of the configuration and the member of the options that it fills.
template <typename Options>
struct Setting {
  const char* key;
  void (*read)(const google::protobuf::Message&, const google::protobuf::FieldDescriptor&, Options*);
  void (*write)(const Options&, const google::protobuf::FieldDescriptor&, google::protobuf::Message*);
};

template <auto kMember, typename Options, typename Value>
constexpr Setting<Options> make_setting(const char* key, Value Options::*) {
  return {key,
          [](const auto& section, const auto& field, Options* options) {
            read_value(section, field, &(options->*kMember));
          },
          [](const Options& options, const auto& field, auto* section) {
            write_value(options.*kMember, field, section);
          }};
}

template <auto kMember>
constexpr auto setting(const char* key) {
  return make_setting<kMember>(key, kMember);
}

inline constexpr Setting<nn::NetworkArchitecture> kNetworkSettings[] = {
    setting<&nn::NetworkArchitecture::blocks>("blocks"),
    setting<&nn::NetworkArchitecture::channels>("channels"),
    setting<&nn::NetworkArchitecture::attention>("attention"),
    setting<&nn::NetworkArchitecture::hidden>("hidden"),
};

inline constexpr Setting<mcts::SearchOptions> kSearchSettings[] = {
    setting<&mcts::SearchOptions::max_considered_actions>("max_considered_actions"),
    setting<&mcts::SearchOptions::c_scale>("c_scale"),
    setting<&mcts::SearchOptions::c_visit>("c_visit"),
    setting<&mcts::SearchOptions::cpuct>("cpuct"),
    setting<&mcts::SearchOptions::fpu_reduction>("fpu_reduction"),
    setting<&mcts::SearchOptions::dirichlet_alpha>("dirichlet_alpha"),
    setting<&mcts::SearchOptions::noise_fraction>("noise_fraction"),
    setting<&mcts::SearchOptions::draw_score>("draw_score"),
    setting<&mcts::SearchOptions::moves_left_weight>("moves_left_weight"),
};

inline constexpr Setting<nn::LearnerOptions> kLearnerSettings[] = {
    setting<&nn::LearnerOptions::learning_rate>("learning_rate"),
    setting<&nn::LearnerOptions::warmup_steps>("warmup_steps"),
    setting<&nn::LearnerOptions::weight_decay>("weight_decay"),
    setting<&nn::LearnerOptions::ema_decay>("ema_decay"),
    setting<&nn::LearnerOptions::mixed_precision>("mixed_precision"),
};

// The options as the section says: what it does not say keeps its default.
template <typename Options, size_t kCount>
void read_settings(const google::protobuf::Message& section, const Setting<Options> (&settings)[kCount],
                   Options* options) {
  for (const Setting<Options>& setting : settings) {
    const auto& field = *section.GetDescriptor()->FindFieldByName(setting.key);
    if (section.GetReflection()->HasField(section, &field)) setting.read(section, field, options);
  }
}

// Gives the section the defaults of the options that it does not say; a default in the schema goes before.
template <typename Options, size_t kCount>
void fill_settings(const Setting<Options> (&settings)[kCount], google::protobuf::Message* section) {
  const Options defaults;
  for (const Setting<Options>& setting : settings) {
    const auto& field = *section->GetDescriptor()->FindFieldByName(setting.key);
    const bool missing = !section->GetReflection()->HasField(*section, &field) && !field.has_default_value();
    if (missing) setting.write(defaults, field, section);
  }
}

// The weights of the losses, "NAME_weight" for each head of nn::kHeads that has such a key, likewise.
void read_loss_weights(const google::protobuf::Message& section, nn::LearnerOptions* options);
void fill_loss_weights(google::protobuf::Message* section);

}  // namespace makzero::train
