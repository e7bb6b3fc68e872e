// Analysis by JSON lines after KataGo's analysis engine: a query a line in, results as they come out.
// QueryLine and AnswerLine of play/json/api.json document both.
#pragma once

#include <iosfwd>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "play/analysis/analysis_query.h"

namespace makzero::play {

// One session on a pair of streams.
class Analysis {
 public:
  Analysis(std::istream& in, std::ostream& out, const AnalysisDefaults& defaults,
           const SearchPoolOptions& options);

  // Serves lines until the end of the input, and finishes what was asked until then.
  void run();

 private:
  struct Running;

  void handle(const std::string& line);
  void search(const nlohmann::json& query);
  void start(const std::shared_ptr<Running>& running);
  void act(const nlohmann::json& query);
  void terminate(const nlohmann::json& query);
  nlohmann::json models_json();
  void warn(const nlohmann::json& query, const std::vector<FieldWarning>& warnings);
  void refuse(const nlohmann::json& query, const std::string& why, const std::string& field);
  void send(const nlohmann::json& answer);

  std::istream& in_;
  std::ostream& out_;
  AnalysisDefaults defaults_;
  SearchPoolOptions options_;
  std::mutex mutex_;  // Of the output and of what runs: the pool's threads answer.
  std::map<std::pair<std::string, int>, std::shared_ptr<Running>> running_;  // By id and turn.
  SearchPool pool_;  // Last: its end tells the last results.
};

}  // namespace makzero::play
