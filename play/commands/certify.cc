// makzero certify: checks the fortresses of a game, which prove that its start is drawn, or a position held.
#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <iostream>
#include <memory>
#include <string>

#include "game/embedded_text.h"
#include "game/fortress.h"
#include "game/notation.h"
#include "models/file_io.h"
#include "play/commands/command.h"
#include "play/views.h"

namespace makzero::play {
namespace {

struct FortressRequest {
  std::string ruleset;
  std::string position;     // Empty: the start, which is drawn where both sides have a fortress.
  std::string certificate;  // A file; empty: what the program comes with.
};

using Proof = game::Parsed<game::FortressProof>;

// Prints what a check of fortresses has shown, or its hole. Returns whether it has.
bool print_proof(const std::string& shown, const std::string& not_shown,
                 const std::function<Proof()>& prove) {
  const auto start = std::chrono::steady_clock::now();
  const Proof proof = prove();
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  if (!proof) {
    std::cout << not_shown << ": " << proof.why() << "\n";
    return false;
  }
  std::cout << shown << " can play so that it never loses a piece and always has a move\n"
            << fmt::format("{} set-ups with a reply each, {} enemy moves followed, {:.1f} ms\n",
                           proof->setups.size(), proof->enemy_moves, spent.count());
  for (const game::FortressSetup& setup : proof->setups) std::cout << game::fortress_text(setup) << "\n";
  return true;
}

int run_certify(const FortressRequest& request) {
  const game::GamePtr game = game_or_usage_error(request.ruleset);
  const std::string text = request.certificate.empty() ? std::string(game::fortresses().front().text)
                                                       : models::read_given_text(request.certificate);
  const auto setups =
      value_or_usage_error(game::parse_fortress(text), "--certificate: " + request.certificate + ": ");
  const std::string& ruleset = game->info().ruleset;
  if (request.position.empty()) {
    return print_proof(ruleset + ": drawn. From the start each side", ruleset + ": not shown to be drawn",
                       [&] { return game::prove_fortress(*game, setups); })
               ? 0
               : 1;
  }
  const game::Position position =
      value_or_usage_error(game::parse_position(*game, request.position), "--position: ");
  int shown = 0;
  for (const game::Color side : {game::Color::kWhite, game::Color::kBlack}) {
    const std::string name = side_name(side);
    shown += print_proof(name + " cannot lose: it", name + " is not shown to hold",
                         [&] { return game::prove_fortress(*game, position, side, setups); });
  }
  return shown > 0 ? 0 : 1;
}

}  // namespace

Run add_certify(CLI::App* app) {
  auto request = std::make_shared<FortressRequest>();
  app->add_option("RULESET", request->ruleset, "Game, with options if wanted")->required()->type_name("");
  app->add_option("--position", request->position,
                  "Whether a side holds from there on, in place of the start")
      ->type_name("TEXT");
  app->add_option("--certificate", request->certificate, "Set-ups to check instead of those of the program")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  app->footer(
      "A fortress is a set of set-ups of one side, with a reply to each. The check searches nothing: it\n"
      "follows them from the start, for both sides, and lets the enemy do more than the rules do. Status\n"
      "1: there is a hole, and which; with --position: in both sides.\n\n"
      "A line of a certificate: M pieces of the side, * where enemies may stand, . squares that are empty,\n"
      "then the reply. It stands for its mirror images too:\n"
      "  ********/********/********/********/********/MMMMMMMM/......../MMMMMMMM a1a2\n\n"
      "Examples:\n"
      "  makzero certify makyek\n"
      "  makzero certify rek:kings=mirror\n"
      "  makzero certify makyek --position '8/8/3mmmm1/1m6/8/Mm6/1Mm5/MM6 b'    four men hold a corner\n"
      "  makzero certify makyek-jump             jumps lead behind the wall");
  return [request] { return run_certify(*request); };
}

}  // namespace makzero::play
