#include "train/settings.h"

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

}  // namespace makzero::train
