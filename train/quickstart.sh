#!/usr/bin/env bash
# From an empty Debian 12 machine to a trained Mak-yek network: installs what is missing, builds, trains with a live display.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: train/quickstart.sh [--minutes N] [--until PLAYER] [--game GAME]

Trains GAME (default makyek) with the preset `quick` until its rating matches beat the built-in PLAYER (default alphabeta:3)
by material, for N minutes at most (default 30). Ctrl-C stops after the running step. Run again it goes on where it stopped.
END
}

GAME=makyek
MINUTES=30
UNTIL=alphabeta:3
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --minutes=* | --until=* | --game=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
    --minutes | --until | --game)
      [ $# -gt 1 ] || { echo "train/quickstart.sh: $1 needs a value" >&2; exit 2; }
      case $1 in --minutes) MINUTES=$2 ;; --until) UNTIL=$2 ;; --game) GAME=$2 ;; esac
      shift 2 ;;
    *) echo "train/quickstart.sh: unknown argument '$1'" >&2; usage >&2; exit 2 ;;
  esac
done

echo "=== 1/4 packages"
tests/run.sh install-build
tests/run.sh install-web || echo "without \`makzero export --to web\`: what it needs could not be installed"
echo "=== 2/4 build (a few minutes the first time)"
cmake --preset release > /dev/null
cmake --build --preset release --target makzero
echo "=== 3/4 train $GAME until it beats $UNTIL, $MINUTES minutes at most; Ctrl-C stops earlier and keeps what is learnt"
build/release/makzero train "$GAME" --preset quick --until "$UNTIL" --minutes "$MINUTES"

if grep -q '"generation": 0,' "runs/$GAME/status.json"; then
  cat <<END
=== 4/4 nothing is learnt yet
runs/$GAME is before its first generation: its games without a network are kept, its network is untrained. Go on with:
  train/quickstart.sh --game $GAME --until $UNTIL --minutes 30
END
  exit 0
fi
echo "=== 4/4 matches of 40 games: what the network in runs/$GAME has learnt, alone, without the evaluator of material beside it"
for opponent in random alphabeta:1 "$UNTIL"; do
  build/release/makzero match "$GAME" --a 'latest?material=0' --b "$opponent" --games 40
done

cat <<END

Trained: runs/$GAME. Next:
  build/release/makzero serve                            play against it in the browser, analyse, see how it learnt
  build/release/makzero play $GAME --model runs/$GAME   play against it here
  train/quickstart.sh --game $GAME --until alphabeta:6 --minutes 60
                                                         train on
  build/release/makzero rate runs/$GAME                  rate all its checkpoints
END
