#include "train/settings.h"

#include <string>

#include "nn/heads.h"

namespace makzero::train {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

void read_value(const Message& section, const FieldDescriptor& field, int* value) {
  *value = section.GetReflection()->GetInt32(section, &field);
}

void write_value(int value, const FieldDescriptor& field, Message* section) {
  section->GetReflection()->SetInt32(section, &field, value);
}

void read_value(const Message& section, const FieldDescriptor& field, float* value) {
  *value = section.GetReflection()->GetFloat(section, &field);
}

void write_value(float value, const FieldDescriptor& field, Message* section) {
  section->GetReflection()->SetFloat(section, &field, value);
}

void read_value(const Message& section, const FieldDescriptor& field, bool* value) {
  *value = section.GetReflection()->GetBool(section, &field);
}

void write_value(bool value, const FieldDescriptor& field, Message* section) {
  section->GetReflection()->SetBool(section, &field, value);
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
