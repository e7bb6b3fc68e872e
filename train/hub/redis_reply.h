// What the files of the Redis hub share: replies read as values, and the beginning of scripts that write.
#pragma once

#include <hiredis/hiredis.h>

#include <charconv>
#include <string_view>
#include <vector>

namespace makzero::train {

// Scripts run as a whole: nothing comes in between. Their first key and argument are the epoch's.
#define MAKZERO_FENCE                                      \
  "local epoch = redis.call('GET', KEYS[1]) "              \
  "if epoch and tonumber(epoch) > tonumber(ARGV[1]) then " \
  "return redis.error_reply('STALE epoch ' .. epoch .. ' has begun') end "

inline std::string_view text_of(const redisReply* reply) {
  if (reply == nullptr || reply->str == nullptr) return {};
  return {reply->str, static_cast<std::size_t>(reply->len)};
}

// 0 where the text is no number.
template <class Number>
Number number_of(std::string_view text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

inline std::vector<redisReply*> elements_of(const redisReply* reply) {
  if (reply == nullptr || reply->type != REDIS_REPLY_ARRAY) return {};
  return {reply->element, reply->element + reply->elements};
}

}  // namespace makzero::train
