#!/usr/bin/env bash
# Builds the program of an earlier commit with its zoo, as the opponent that a change of the search is measured against.
set -euo pipefail

usage() {
  cat <<'END'
usage: tests/baseline.sh FOLDER [COMMIT]

Leaves sources and program of COMMIT (965ae05) in FOLDER, outside of the checkout, and says how a match names it. What is built
there already is used.
END
}

fail() { echo "baseline.sh: $1" >&2; exit 2; }

[ $# -ge 1 ] && [ $# -le 2 ] || { usage >&2; exit 2; }
[ "$1" = --help ] && { usage; exit 0; }
HERE=$(cd "$(dirname "$0")/.." && pwd)
FOLDER=$(realpath -m "$1")
COMMIT=$(git -C "$HERE" rev-parse --verify --quiet "${2:-965ae05}^{commit}") || fail "there is no commit '${2:-965ae05}' here"
case $FOLDER/ in "$HERE"/*) fail "$FOLDER lies in the checkout: give a folder elsewhere" ;; esac

if [ ! -e "$FOLDER" ]; then
  mkdir -p "$FOLDER"
  git -C "$HERE" archive "$COMMIT" | tar -x -C "$FOLDER"
  echo "$COMMIT" > "$FOLDER/COMMIT"
fi
[ "$(cat "$FOLDER/COMMIT" 2> /dev/null)" = "$COMMIT" ] || fail "$FOLDER is something else than $COMMIT: give another folder"
cd "$FOLDER"
tests/run.sh install-build  # What it needs may be no longer what is needed here.
cmake --preset release > /dev/null
cmake --build --preset release -j "$(nproc)" --target makzero
cat <<END
Its small network, by processor time:
  makzero match GAME --a 'small?ms=100' --b 'uci:env MAKZERO_ZOO=$FOLDER/models/zoo $FOLDER/build/release/makzero uci GAME --model small?ms=100'
END
