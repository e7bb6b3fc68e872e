#!/usr/bin/env bash
# Builds Fairy-Stockfish 14 for this processor, as an opponent in matches. The program is GPL: it is neither linked nor shipped.
set -euo pipefail

usage() {
  cat <<'END'
usage: tests/fairy_stockfish.sh FOLDER

Leaves the program in FOLDER, outside of the checkout, built from the sources in PyPI's package pyffish, and says how a match
names it. What is there already is used. Needs g++ and the environment of `tests/run.sh install`.
END
}

fail() { echo "fairy_stockfish.sh: $1" >&2; exit 2; }

[ $# -eq 1 ] || { usage >&2; exit 2; }
case $1 in --help | -h) usage; exit 0 ;; esac
HERE=$(cd "$(dirname "$0")/.." && pwd)
FOLDER=$(realpath -m "$1")
case $FOLDER/ in "$HERE"/*) fail "$FOLDER lies in the checkout: give a folder elsewhere" ;; esac
PYTHON=$HERE/build/python/bin/python
VERSION=$(sed -n 's/.*pyffish==\([0-9.]*\).*/\1/p' "$HERE/tests/run.sh")
PROGRAM=$FOLDER/fairy-stockfish-14

if [ ! -x "$PROGRAM" ]; then
  [ -x "$PYTHON" ] || fail "there is no $PYTHON: tests/run.sh install"
  mkdir -p "$FOLDER"
  "$PYTHON" -m pip download --quiet --no-deps --no-binary pyffish --dest "$FOLDER" "pyffish==$VERSION"
  tar -x -f "$FOLDER/pyffish-$VERSION.tar.gz" -C "$FOLDER"
  cd "$FOLDER/pyffish-$VERSION/src"
  defines=(-DNDEBUG -DIS_64BIT -DUSE_PTHREADS -DNNUE_EMBEDDING_OFF)  # As the Makefile of Fairy-Stockfish gives them.
  has() { grep -q -m1 -w "$1" /proc/cpuinfo; }
  has popcnt && defines+=(-DUSE_POPCNT)
  has bmi2 && defines+=(-DUSE_PEXT)
  sources=$(ls ./*.cpp syzygy/*.cpp nnue/*.cpp nnue/features/*.cpp | grep -v -e ffishjs -e pyffish)
  # shellcheck disable=SC2086
  g++ -std=c++17 -O3 -march=native -flto=auto -fno-exceptions "${defines[@]}" -o "$PROGRAM.new" $sources -pthread
  mv "$PROGRAM.new" "$PROGRAM"
fi
echo "In Makruk, by processor time:
  makzero match makruk --a 'small?ms=100' --b 'uci:$PROGRAM?ms=100&Hash=64&Threads=1'"
