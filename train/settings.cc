#include "train/settings.h"

#include <string>

#include "nn/heads.h"

namespace makzero::train {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

void read_value(const Message& section, const FieldDescriptor& field,
                std::variant<int*, float*, bool*> value) {
  const auto& reflection = *section.GetReflection();
  if (auto** number = std::get_if<int*>(&value)) **number = reflection.GetInt32(section, &field);
  if (auto** number = std::get_if<float*>(&value)) **number = reflection.GetFloat(section, &field);
  if (auto** truth = std::get_if<bool*>(&value)) **truth = reflection.GetBool(section, &field);
}

void write_value(std::variant<int, float, bool> value, const FieldDescriptor& field, Message* section) {
  const auto& reflection = *section->GetReflection();
  if (auto* number = std::get_if<int>(&value)) reflection.SetInt32(section, &field, *number);
  if (auto* number = std::get_if<float>(&value)) reflection.SetFloat(section, &field, *number);
  if (auto* truth = std::get_if<bool>(&value)) reflection.SetBool(section, &field, *truth);
}

namespace {

// Null for policy and value, which weigh 1.
const FieldDescriptor* weight_field(const Message& section, const nn::HeadInfo& head) {
  return section.GetDescriptor()->FindFieldByName(std::string(head.name) + "_weight");
}

}  // namespace

void read_loss_weights(const Message& section, nn::LearnerOptions* options) {
  for (const nn::HeadInfo& head : nn::kHeads) {
    const FieldDescriptor* field = weight_field(section, head);
    if (field && section.GetReflection()->HasField(section, field))
      read_value(section, *field, &options->loss_weights[head.head]);
  }
}

void fill_loss_weights(Message* section) {
  const nn::LearnerOptions defaults;
  for (const nn::HeadInfo& head : nn::kHeads) {
    const FieldDescriptor* field = weight_field(*section, head);
    if (field && !section->GetReflection()->HasField(*section, field))
      write_value(defaults.loss_weights[head.head], *field, section);
  }
}

}  // namespace makzero::train
