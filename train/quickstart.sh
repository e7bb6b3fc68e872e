#!/usr/bin/env bash
# From an empty Debian 12 machine to a trained Mak-yek network: installs what is missing, builds, trains with a live display.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: train/quickstart.sh [--minutes N] [--game GAME]

Trains GAME (default makyek) with the preset `quick` for N minutes (default 20); Ctrl-C stops after the running step. Run
again it goes on where it stopped.
END
}

GAME=makyek
MINUTES=20
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --minutes=* | --game=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
    --minutes | --game)
      [ $# -gt 1 ] || { echo "train/quickstart.sh: $1 needs a value" >&2; exit 2; }
      case $1 in --minutes) MINUTES=$2 ;; --game) GAME=$2 ;; esac
      shift 2 ;;
    *) echo "train/quickstart.sh: unknown argument '$1'" >&2; usage >&2; exit 2 ;;
  esac
done

echo "=== 1/4 packages"
tests/run.sh install-build
echo "=== 2/4 build (a few minutes the first time)"
cmake --preset release > /dev/null
cmake --build --preset release --target makzero
echo "=== 3/4 train $GAME for $MINUTES minutes in runs/$GAME; Ctrl-C stops earlier and keeps what is learnt"
build/release/makzero train "$GAME" --preset quick --minutes "$MINUTES"
echo "=== 4/4 a match of 40 games against alphabeta:1"
build/release/makzero match "$GAME" --a latest --b alphabeta:1 --games 40

cat <<END

Trained: runs/$GAME. Next:
  build/release/makzero play $GAME                       play against it here
  train/quickstart.sh --minutes 60                       train on
  build/release/makzero rate runs/$GAME                  rate all its checkpoints
END
