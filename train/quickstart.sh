#!/usr/bin/env bash
# From an empty machine with Debian 12 or 13 to trained networks: installs what is missing, builds, trains with a live display.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'HELP'
usage: train/quickstart.sh [--minutes N] [--until PLAYER] [--game GAME]

Trains GAME (default makruk) with the preset `quick`, a tower and a small network, until the small one beats PLAYER at equal
time (default control: the same search, which counts material and has learnt nothing), for N minutes at most (default 30).
Ctrl-C stops after the running step. Run again it goes on where it stopped.
HELP
}

GAME=makruk
MINUTES=30
UNTIL=control
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

echo "=== 1/3 packages"
tests/run.sh install-build
tests/run.sh install-web || echo "without \`makzero export --to web\`: what it needs could not be installed"
echo "=== 2/3 build (a few minutes the first time)"
cmake --preset release > /dev/null
cmake --build --preset release --target makzero
echo "=== 3/3 train $GAME until it beats $UNTIL, $MINUTES minutes at most; Ctrl-C stops earlier and keeps what is learnt"
build/release/makzero train "$GAME" --preset quick --until "$UNTIL" --minutes "$MINUTES"

if grep -q '"generation": 0,' "runs/$GAME/status.json"; then
  cat <<HELP
Nothing is learnt yet: runs/$GAME is before its first generation, and its games are kept. Go on with:
  train/quickstart.sh --game $GAME --until $UNTIL --minutes 30
HELP
  exit 0
fi
cat <<HELP

Trained: runs/$GAME. Next:
  build/release/makzero play $GAME --model runs/$GAME    play against it here
  build/release/makzero serve                            the same in the browser, with analysis and how it learnt
  build/release/makzero match $GAME --a runs/$GAME --b zoo  how far it is from the published network
  train/quickstart.sh --game $GAME --until alphabeta?ms=100 --minutes 60
                                                         train on
HELP
