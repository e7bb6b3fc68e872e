// makzero certify: checks the fortress of a game, which proves that its start is drawn.
#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <string>

#include "game/embedded_text.h"
#include "game/fortress.h"
#include "models/file_io.h"
#include "play/commands/command.h"

namespace makzero::play {
namespace {

struct FortressRequest {
  std::string ruleset;
  std::string certificate;  // A file; empty: what the program comes with.
};

int run_certify(const FortressRequest& request) {
  const game::GamePtr game = game_or_usage_error(request.ruleset);
  const std::string text = request.certificate.empty() ? std::string(game::fortresses().front().text)
                                                       : models::read_given_text(request.certificate);
  const auto setups =
      value_or_usage_error(game::parse_fortress(text), "--certificate: " + request.certificate + ": ");
  const auto start = std::chrono::steady_clock::now();
  const auto proof = game::prove_fortress(*game, setups);
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  const std::string& ruleset = game->info().ruleset;
  if (!proof) {
    std::cout << ruleset << ": not shown to be drawn: " << proof.why() << "\n";
    return 1;
  }
  std::cout
      << ruleset
      << ": drawn. From the start each side can play so that it never loses a piece and always has a move\n"
      << fmt::format("{} set-ups with a reply each, {} enemy moves followed, {:.1f} ms\n",
                     proof->setups.size(), proof->enemy_moves, spent.count());
  for (const game::FortressSetup& setup : proof->setups) std::cout << game::fortress_text(setup) << "\n";
  return 0;
}

}  // namespace

Run add_certify(CLI::App* app) {
  auto request = std::make_shared<FortressRequest>();
  app->add_option("RULESET", request->ruleset, "Game, with options if wanted")->required()->type_name("");
  app->add_option("--certificate", request->certificate, "Set-ups to check instead of those of the program")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  app->footer(
      "A fortress is a set of set-ups of one side, with a reply to each. The check searches nothing: it\n"
      "follows them from the start, for both sides, and lets the enemy do more than the rules do. Status\n"
      "1: there is a hole, and which.\n\n"
      "A line of a certificate, seen from the side of the fortress: M its pieces, * where enemies may\n"
      "stand, . squares that are empty, then the reply:\n"
      "  ********/********/********/********/********/MMMMMMMM/......../MMMMMMMM a1a2\n\n"
      "Examples:\n"
      "  makzero certify makyek\n"
      "  makzero certify rek:kings=mirror\n"
      "  makzero certify makyek-jump             jumps lead behind the wall");
  return [request] { return run_certify(*request); };
}

}  // namespace makzero::play
