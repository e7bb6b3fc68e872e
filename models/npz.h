// NumPy arrays in one file, .npz: a ZIP archive of .npy files, stored without compression.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "models/file_io.h"

namespace makzero::models {

// NumPy's name of a type of numbers, little-endian.
template <class Number>
constexpr std::string_view npy_type() {
  if constexpr (std::is_same_v<Number, float>) return "<f4";
  if constexpr (std::is_same_v<Number, std::uint8_t>) return "|u1";
  if constexpr (std::is_same_v<Number, std::int32_t>) return "<i4";
  if constexpr (std::is_same_v<Number, std::int64_t>) return "<i8";
  if constexpr (std::is_same_v<Number, std::uint64_t>) return "<u8";
}

// The file has its name once finish() returns; before that it is temporary_name(), which the destructor
// removes. Throws Error, also where the file would exceed the 4 GiB of a plain ZIP archive.
class NpzWriter {
 public:
  explicit NpzWriter(std::filesystem::path path);
  ~NpzWriter();
  NpzWriter(const NpzWriter&) = delete;
  NpzWriter& operator=(const NpzWriter&) = delete;

  // An array, row-major. REQUIRES: as many values as the product of the shape; each name once.
  template <class Number>
  void add(const std::string& name, const std::vector<std::int64_t>& shape,
           const std::vector<Number>& values) {
    add_bytes(name, npy_type<Number>(), shape,
              {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number)});
  }

  // An array of texts. REQUIRES: they are ASCII.
  void add_texts(const std::string& name, const std::vector<std::string>& texts);

  void finish();

  // "planes <f4 (10, 20, 8, 8)" for each array so far.
  const std::vector<std::string>& contents() const { return contents_; }

 private:
  void add_bytes(const std::string& name, std::string_view type, const std::vector<std::int64_t>& shape,
                 std::string_view bytes);
  void write(std::string_view bytes);

  std::filesystem::path path_;
  File file_;  // Under its temporary name.
  bool is_finished_ = false;
  std::uint64_t written_ = 0;  // Bytes.
  std::string directory_;      // The archive's central directory.
  std::vector<std::string> contents_;
};

}  // namespace makzero::models
