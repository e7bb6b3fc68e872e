#include "mcts/small_network.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <utility>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#include "game/rule_features.h"

namespace makzero::mcts {
namespace {

using game::Bitboard;
using game::Color;
using game::GameInfo;
using game::Position;
using game::Square;

constexpr std::string_view kMagic = "small network\n";
constexpr int kFirstInputs = 912;  // Of version 1: the first groups of the table.
constexpr int kMostFeatureWeight = SmallNetwork::kMostFeatureWeight;
constexpr int kMostOutputWeight = SmallNetwork::kMostOutputWeight;
constexpr int kMostOutputBias = 1 << 22;  // 257 logits: no score comes near that of a win.

// Little-endian bytes, one value behind the other.
class Writer {
 public:
  template <class Integer>
  void add(Integer value) {
    using Bits = std::make_unsigned_t<Integer>;
    for (std::size_t i = 0; i < sizeof(Integer); ++i)
      bytes_ += static_cast<char>(static_cast<Bits>(value) >> 8 * i & 0xFF);
  }
  void add_text(const std::string& text) {
    add(static_cast<std::uint16_t>(text.size()));
    bytes_ += text;
  }
  template <class Integer>
  void add_all(const std::vector<Integer>& values) {
    for (const Integer value : values) add(value);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_ = std::string(kMagic);
};

// Reads them again. What lies behind the end is 0, and good() is false from then on.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class Integer>
  Integer read() {
    using Bits = std::make_unsigned_t<Integer>;
    if (bytes_.size() < sizeof(Integer)) return fail(), Integer{0};
    Bits value = 0;
    for (std::size_t i = 0; i < sizeof(Integer); ++i)
      value = static_cast<Bits>(value | static_cast<Bits>(static_cast<unsigned char>(bytes_[i])) << 8 * i);
    bytes_.remove_prefix(sizeof(Integer));
    return static_cast<Integer>(value);
  }
  std::string read_text() {
    const auto size = read<std::uint16_t>();
    if (bytes_.size() < size) return fail(), "";
    std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return text;
  }
  template <class Integer>
  std::vector<Integer> read_all(std::size_t size) {
    if (bytes_.size() / sizeof(Integer) < size) return fail(), std::vector<Integer>();
    std::vector<Integer> values(size);
    for (Integer& value : values) value = read<Integer>();
    return values;
  }
  bool good() const { return good_; }
  bool at_end() const { return bytes_.empty(); }

 private:
  void fail() {
    good_ = false;
    bytes_ = {};
  }

  std::string_view bytes_;
  bool good_ = true;
};

// The names of a network's inputs. Returns what is wrong with them.
std::string read_inputs(std::uint32_t version, Reader* reader, std::vector<std::string>* names) {
  if (version == 1) {
    const auto inputs = reader->read<std::uint32_t>();
    for (const SmallInput& input : small_inputs())
      if (input.first < kFirstInputs) names->emplace_back(input.name);
    return inputs == kFirstInputs
               ? ""
               : "has " + std::to_string(inputs) + " inputs, and networks of version 1 have " +
                     std::to_string(kFirstInputs);
  }
  const auto groups = reader->read<std::uint16_t>();
  for (int i = 0; i < groups && reader->good(); ++i) {
    const std::string name = reader->read_text();
    const auto size = reader->read<std::uint32_t>();
    if (!reader->good()) break;
    const SmallInput* input = find_small_input(name);
    if (input == nullptr || std::find(names->begin(), names->end(), name) != names->end())
      return "has the inputs '" + name + "', which this program does not know: use a newer one";
    if (size != static_cast<std::uint32_t>(input->size))
      return "has " + std::to_string(size) + " inputs '" + name + "', and this program has " +
             std::to_string(input->size);
    names->push_back(name);
  }
  return "";
}

template <class Integer>
bool within(const std::vector<Integer>& weights, std::int64_t most) {
  return std::all_of(weights.begin(), weights.end(),
                     [most](std::int64_t weight) { return std::abs(weight) <= most; });
}

// sum += row. The weights of a network are too small for an overflow.
void add_row(const SmallRow& row, SmallRow* sums) {
  for (int i = 0; i < kSmallHidden; ++i) (*sums)[i] = static_cast<std::int16_t>((*sums)[i] + row[i]);
}

void subtract_row(const SmallRow& row, SmallRow* sums) {
  for (int i = 0; i < kSmallHidden; ++i) (*sums)[i] = static_cast<std::int16_t>((*sums)[i] - row[i]);
}

// Sums after a move, in one pass ...
void move_piece(const SmallRow& old, const SmallRow& come, const SmallRow& gone, SmallRow* sums) {
  for (int i = 0; i < kSmallHidden; ++i) (*sums)[i] = static_cast<std::int16_t>(old[i] + come[i] - gone[i]);
}

// ... and after one that takes a piece.
void move_and_take(const SmallRow& old, const SmallRow& come, const SmallRow& gone, const SmallRow& taken,
                   SmallRow* sums) {
  for (int i = 0; i < kSmallHidden; ++i)
    (*sums)[i] = static_cast<std::int16_t>(old[i] + come[i] - gone[i] - taken[i]);
}

// Pieces that a move has changed.
struct Piece {
  Color owner;
  int kind;
  Square square;
};
class PieceList {
 public:
  void add(const Piece& piece) { pieces_[size_++] = piece; }
  int size() const { return size_; }
  const Piece& operator[](int i) const { return pieces_[i]; }
  const Piece* begin() const { return pieces_.data(); }
  const Piece* end() const { return pieces_.data() + size_; }

 private:
  std::array<Piece, game::kSquares> pieces_;
  int size_ = 0;
};

// The products of squared, clipped sums and weights: a clipped sum times a weight of at most 127 fits 16
// bits.
std::int32_t output_sum(const SmallRow& sums, const SmallRow& weights) {
#ifdef __wasm_simd128__  // Clang 14 leaves the loop below scalar.
  v128_t totals = wasm_i32x4_splat(0);
  for (int i = 0; i < kSmallHidden; i += 8) {
    const v128_t positive = wasm_i16x8_max(wasm_v128_load(&sums[i]), wasm_i16x8_splat(0));
    const v128_t clipped = wasm_i16x8_min(positive, wasm_i16x8_splat(SmallNetwork::kActivationOne));
    const v128_t weighted = wasm_i16x8_mul(clipped, wasm_v128_load(&weights[i]));
    totals = wasm_i32x4_add(totals, wasm_i32x4_dot_i16x8(clipped, weighted));
  }
  return wasm_i32x4_extract_lane(totals, 0) + wasm_i32x4_extract_lane(totals, 1) +
         wasm_i32x4_extract_lane(totals, 2) + wasm_i32x4_extract_lane(totals, 3);
#else
  std::int32_t total = 0;
  for (int i = 0; i < kSmallHidden; ++i) {
    const auto clipped = std::clamp<std::int16_t>(sums[i], 0, SmallNetwork::kActivationOne);
    const auto weighted = static_cast<std::int16_t>(clipped * weights[i]);
    total += std::int32_t{clipped} * weighted;
  }
  return total;
#endif
}

}  // namespace

double expected_result(LogitScore score) {
  return 1 / (1 + std::exp(-static_cast<double>(score.value) / kScorePerLogit));
}

LogitScore score_of_result(double expected) {
  return {static_cast<int>(std::lround(kScorePerLogit * std::log(expected / (1 - expected))))};
}

int small_bucket(const Position& position) {
  return std::clamp((game::size(position.occupied()) - 1) / 4, 0, kSmallBuckets - 1);
}

SmallNetwork empty_small_network(const GameInfo& info) {
  SmallNetwork network;
  network.game = info.ruleset.substr(0, info.ruleset.find(':'));
  network.inputs = default_small_inputs(info.family);
  for (const std::string_view name : game::rule_feature_names(info.family))
    network.rule_features.emplace_back(name);
  network.features.resize(std::size_t{kSmallFeatures} * kSmallHidden);
  network.rules.resize(network.rule_features.size() * kSmallHidden);
  network.bias.resize(kSmallHidden);
  network.output.resize(std::size_t{kSmallBuckets} * 2 * kSmallHidden);
  network.output_bias.resize(kSmallBuckets);
  return network;
}

// A unit holds 1/2 + the lead of its side, in steps small enough for all leads; the difference of both sides'
// squares is twice the lead.
SmallNetwork material_small_network(const GameInfo& info) {
  static constexpr int kUnits =
      4;  // Alike: the largest output weight of one is a sixteenth of a logit a man.
  static constexpr int kStepsPerMan = 4;  // Of 1/255: leads of up to 30 men are not clipped.
  SmallNetwork network = empty_small_network(info);
  for (int unit = 0; unit < kUnits; ++unit) {
    network.bias[unit] = SmallNetwork::kActivationOne / 2;
    const auto set = [&](int own, int enemy, int value) {
      network.features[own * kSmallHidden + unit] = static_cast<std::int16_t>(value);
      network.features[enemy * kSmallHidden + unit] = static_cast<std::int16_t>(-value);
    };
    const auto steps = [&](int kind) { return (kStepsPerMan * info.kind_value[kind] + 50) / 100; };
    for (int kind = 0; kind < game::kKinds; ++kind) {
      const int first = kind * game::kSquares;
      for (Square square = 0; square < game::kSquares; ++square)
        set(first + square, first + square + game::kKinds * game::kSquares, steps(kind));
    }
    const SmallInput& hands = *find_small_input("hands");
    for (int men = 0; men < hands.size / 2; ++men)
      set(hands.first + men, hands.first + hands.size / 2 + men, men * steps(0));
    for (int bucket = 0; bucket < kSmallBuckets; ++bucket) {
      network.output[2 * bucket * kSmallHidden + unit] = SmallNetwork::kMostOutputWeight;
      network.output[(2 * bucket + 1) * kSmallHidden + unit] = -SmallNetwork::kMostOutputWeight;
    }
  }
  return network;
}

std::string encode_small_network(const SmallNetwork& network, std::uint32_t version) {
  Writer writer;
  std::vector<std::int16_t> features;
  for (const std::string& name : network.inputs) {
    const SmallInput& input = *find_small_input(name);
    const auto weights = network.features.begin() + std::ptrdiff_t{input.first} * kSmallHidden;
    features.insert(features.end(), weights, weights + std::ptrdiff_t{input.size} * kSmallHidden);
  }
  writer.add(version);
  writer.add(static_cast<std::uint32_t>(kSmallHidden));
  if (version == 1) {
    writer.add(static_cast<std::uint32_t>(features.size() / kSmallHidden));
  } else {
    writer.add(static_cast<std::uint16_t>(network.inputs.size()));
    for (const std::string& name : network.inputs) {
      writer.add_text(name);
      writer.add(static_cast<std::uint32_t>(find_small_input(name)->size));
    }
  }
  writer.add_text(network.game);
  writer.add_text(network.source);
  writer.add(static_cast<std::uint16_t>(network.rule_features.size()));
  for (const std::string& name : network.rule_features) writer.add_text(name);
  writer.add_all(features);
  writer.add_all(network.rules);
  writer.add_all(network.bias);
  writer.add_all(network.output);
  writer.add_all(network.output_bias);
  return writer.take();
}

game::Parsed<SmallNetwork> decode_small_network(std::string_view bytes) {
  using Result = game::Parsed<SmallNetwork>;
  if (!bytes.starts_with(kMagic)) return Result::failure({"is no small network"});
  Reader reader(bytes.substr(kMagic.size()));
  const auto version = reader.read<std::uint32_t>();
  if (version < 1 || version > kSmallNetworkVersion) {
    return Result::failure({"is a small network of version " + std::to_string(version) +
                            ", and this program reads versions up to " +
                            std::to_string(kSmallNetworkVersion)});
  }
  if (const auto hidden = reader.read<std::uint32_t>(); hidden != kSmallHidden) {
    return Result::failure({"has " + std::to_string(hidden) + " hidden units, and this program has " +
                            std::to_string(kSmallHidden)});
  }
  SmallNetwork network;
  if (std::string why = read_inputs(version, &reader, &network.inputs); !why.empty())
    return Result::failure({std::move(why)});
  network.game = reader.read_text();
  network.source = reader.read_text();
  const auto rules = reader.read<std::uint16_t>();
  for (int i = 0; i < rules && reader.good(); ++i) network.rule_features.push_back(reader.read_text());
  network.features.resize(std::size_t{kSmallFeatures} * kSmallHidden);
  for (const std::string& name : network.inputs) {
    const SmallInput& input = *find_small_input(name);
    const auto weights = reader.read_all<std::int16_t>(std::size_t(input.size) * kSmallHidden);
    std::copy(weights.begin(), weights.end(),
              network.features.begin() + std::ptrdiff_t{input.first} * kSmallHidden);
  }
  network.rules = reader.read_all<std::int16_t>(std::size_t{rules} * kSmallHidden);
  network.bias = reader.read_all<std::int16_t>(kSmallHidden);
  network.output = reader.read_all<std::int16_t>(std::size_t{kSmallBuckets} * 2 * kSmallHidden);
  network.output_bias = reader.read_all<std::int32_t>(kSmallBuckets);
  if (!reader.good() || !reader.at_end()) return Result::failure({"has not the size of its weights"});
  if (!within(network.features, kMostFeatureWeight) || !within(network.rules, kMostFeatureWeight) ||
      !within(network.bias, kMostFeatureWeight) || !within(network.output, kMostOutputWeight) ||
      !within(network.output_bias, kMostOutputBias))
    return Result::failure({"has weights that are out of range"});
  return network;
}

SmallEvaluator::SmallEvaluator(game::GameInfo rules, const SmallNetwork& network)
    : info_(std::move(rules)),
      kinds_(static_cast<int>(info_.kinds.size())),
      state_(state_inputs(info_, network.inputs)) {
  assert(info_.ruleset.starts_with(network.game));
  features_.resize(kSmallFeatures);
  for (const std::string& name : network.inputs) {
    const SmallInput& input = *find_small_input(name);
    for (int feature = input.first; feature < input.first + input.size; ++feature)
      std::copy_n(network.features.begin() + feature * kSmallHidden, kSmallHidden,
                  features_[feature].begin());
  }
  std::array<float, kSmallHidden> bias;
  std::copy(network.bias.begin(), network.bias.end(), bias.begin());
  for (std::size_t rule = 0; rule < network.rule_features.size(); ++rule) {
    const float value = rule_feature(info_, network.rule_features[rule]);
    for (int i = 0; i < kSmallHidden; ++i) bias[i] += value * network.rules[rule * kSmallHidden + i];
  }
  static constexpr float kMost = std::numeric_limits<std::int16_t>::max();
  for (int i = 0; i < kSmallHidden; ++i)
    bias_[i] = static_cast<std::int16_t>(std::clamp(bias[i], -kMost, kMost));
  for (int bucket = 0; bucket < kSmallBuckets; ++bucket) {
    for (int part = 0; part < 2; ++part) {
      std::copy_n(network.output.begin() + (2 * bucket + part) * kSmallHidden, kSmallHidden,
                  output_[bucket][part].begin());
    }
    output_bias_[bucket] = network.output_bias[bucket];
  }
}

void SmallEvaluator::refresh(const Position& position, SmallAccumulator* accumulator) const {
  accumulator->sums = {bias_, bias_};
  for (const Color owner : {Color::kWhite, Color::kBlack}) {
    for (int kind = 0; kind < game::kKinds; ++kind) {
      for (Bitboard rest = position.side[index(owner)] & position.kind[kind]; rest;) {
        const Square square = game::pop_first(&rest);
        for (const Color side : {Color::kWhite, Color::kBlack})
          add_row(features_[piece_feature(info_, side, owner, kind, square)],
                  &accumulator->sums[index(side)]);
      }
    }
  }
}

void SmallEvaluator::update(const Position& before, const SmallAccumulator& from, const Position& position,
                            SmallAccumulator* accumulator) const {
  PieceList gone, come;
  for (const Color owner : {Color::kWhite, Color::kBlack}) {
    const Bitboard was = before.side[index(owner)], is = position.side[index(owner)];
    for (int kind = 0; kind < kinds_; ++kind) {
      const Bitboard old = was & before.kind[kind], now = is & position.kind[kind];
      if (old == now) continue;
      for (Bitboard rest = old & ~now; rest;) gone.add({owner, kind, game::pop_first(&rest)});
      for (Bitboard rest = now & ~old; rest;) come.add({owner, kind, game::pop_first(&rest)});
    }
  }
  for (const Color side : {Color::kWhite, Color::kBlack}) {
    const auto row = [&](const Piece& piece) -> const Row& {
      return features_[piece_feature(info_, side, piece.owner, piece.kind, piece.square)];
    };
    const Row& old = from.sums[index(side)];
    Row& sums = accumulator->sums[index(side)];
    if (come.size() == 1 && gone.size() == 1) {
      move_piece(old, row(come[0]), row(gone[0]), &sums);
    } else if (come.size() == 1 && gone.size() == 2) {
      move_and_take(old, row(come[0]), row(gone[0]), row(gone[1]), &sums);
    } else {
      sums = old;
      for (const Piece& piece : gone) subtract_row(row(piece), &sums);
      for (const Piece& piece : come) add_row(row(piece), &sums);
    }
  }
}

// One point of view's part of the output, in units of 1/(255 * 255 * 64). The activation is the square of the
// clipped sum.
std::int64_t SmallEvaluator::half(const Position& position, Color side, const SmallAccumulator& accumulator,
                                  const Row& weights) const {
  Row sums = accumulator.sums[index(side)];
  FeatureList state;
  add_state_features(info_, state_, position, side, &state);
  for (const std::int16_t feature : state) add_row(features_[feature], &sums);
  return output_sum(sums, weights);
}

LogitScore SmallEvaluator::evaluate(const Position& position, const SmallAccumulator& accumulator) const {
  static constexpr std::int64_t kOne = SmallNetwork::kActivationOne;
  const int bucket = small_bucket(position);
  const std::int64_t sum = half(position, position.to_move, accumulator, output_[bucket][0]) +
                           half(position, other(position.to_move), accumulator, output_[bucket][1]) +
                           kOne * output_bias_[bucket];
  return {static_cast<int>(sum * kScorePerLogit / (kOne * kOne * SmallNetwork::kWeightOne))};
}

}  // namespace makzero::mcts
