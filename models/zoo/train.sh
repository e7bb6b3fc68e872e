#!/usr/bin/env bash
# Repeats the training of towers of the zoo: each from its configuration to its budget, then its model card.
set -euo pipefail
cd "$(dirname "$0")/../.."

usage() {
  cat <<'END'
usage: models/zoo/train.sh [--into ZOO] [GAME ...]

Trains the tower of each GAME (default: all with a configuration) again in runs/zoo/GAME, from models/zoo/GAME/config.textproto
to its budget of evaluations, and publishes it into ZOO (default runs/zoo/published; models/zoo replaces what is there).
Ctrl-C stops; the same command goes on where it was stopped. MAKZERO names the program (default build/release/makzero).
END
}

fail() { echo "models/zoo/train.sh: $1" >&2; exit 2; }

ZOO=models/zoo
INTO=runs/zoo/published
MAKZERO=${MAKZERO:-build/release/makzero}
GAMES=()
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --into=*) INTO=${1#*=}; shift ;;
    --into) [ $# -gt 1 ] || fail "--into needs a folder"; INTO=$2; shift 2 ;;
    -*) usage >&2; fail "unknown flag '$1'" ;;
    *) GAMES+=("$1"); shift ;;
  esac
done
if [ ${#GAMES[@]} -eq 0 ]; then
  for config in "$ZOO"/*/config.textproto; do
    [ -e "$config" ] || fail "the zoo is empty"
    GAMES+=("$(basename "$(dirname "$config")")")
  done
fi
for game in "${GAMES[@]}"; do
  [ -e "$ZOO/$game/config.textproto" ] || fail "no $ZOO/$game/config.textproto: the zoo has $(cd $ZOO && dirname */config.textproto | paste -sd ' ')"
done
[ -x "$MAKZERO" ] || fail "no program '$MAKZERO': build it with cmake --preset release && cmake --build --preset release"

trap 'exit 130' INT TERM  # A training that is stopped ends well: what follows must not.
for game in "${GAMES[@]}"; do
  run=runs/zoo/$game
  echo "=== $game: training in $run"
  mkdir -p "$run"
  # A run goes on with the configuration that it finds.
  [ -e "$run/config.textproto" ] || cp "$ZOO/$game/config.textproto" "$run/config.textproto"
  "$MAKZERO" train "$game" --run "$run"
  echo "=== $game: matches"
  "$MAKZERO" publish "$run" --zoo "$INTO"
done
