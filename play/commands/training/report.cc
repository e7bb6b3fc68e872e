// makzero report: a training as one page to look at and to keep.
#include <iostream>
#include <memory>

#include "models/file_io.h"
#include "play/commands/command.h"
#include "play/server/run_report.h"
#include "train/run_folder.h"

namespace makzero::play {
namespace {

struct ReportRequest {
  std::filesystem::path run, out;
};

int run_report_command(const ReportRequest& request) {
  const std::filesystem::path out = request.out.empty() ? request.run / "report.html" : request.out;
  models::write_text_file(out, report_page(run_report(request.run)));
  std::cout << out.string() << "\n";
  return 0;
}

}  // namespace

Run add_report(CLI::App* app) {
  auto request = std::make_shared<ReportRequest>();
  app->add_option("RUN", request->run, "The run's folder")->required()->type_name("");
  app->add_option("--out", request->out, "The file (RUN/report.html)")->type_name("FILE");
  app->footer(
      "Writes one file that any browser shows without a server: curves of losses, Elo, lengths and results,\n"
      "how well positions were judged, sample games, and when the next 100 Elo may be expected.\n\n"
      "Example:\n"
      "  makzero report runs/makyek");
  return [request] { return run_report_command(*request); };
}

}  // namespace makzero::play
