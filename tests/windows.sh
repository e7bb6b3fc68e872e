#!/usr/bin/env bash
# Builds the program for Windows, packs it, and tries it under Wine beside the one for Linux.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'TEXT'
usage: tests/windows.sh [--jobs=N] [STEP ...]

Run as root on Debian 12. Without a step all of them run, in this order:
  install    packages of the distribution, by name
  libraries  what the program needs beside Windows, from Debian's source packages, static, in build/windows/libraries
  build      makzero.exe in build/windows
  pack       build/windows/makzero-VERSION-windows-x86_64.zip: program, networks, licences
  try        perft, UCI, analysis and a match of what was packed, under Wine; build/release/makzero must be there
TEXT
}

fail() { echo "tests/windows.sh: $1" >&2; exit 1; }

PACKAGES=(ccache cmake dpkg-dev g++-mingw-w64-x86-64-posix libz-mingw-w64-dev ninja-build pkg-config protobuf-compiler wine wine64 zip)
SOURCES=(cli11 fmtlib libzstd nlohmann-json3 protobuf xxhash)
OUT=build/windows
JOBS=$(nproc)
STEPS=()
for argument in "$@"; do
  case $argument in
    --help | -h) usage; exit 0 ;;
    --jobs=[1-9]*) JOBS=${argument#*=} ;;
    install | libraries | build | pack | try) STEPS+=("$argument") ;;
    *) usage >&2; exit 2 ;;
  esac
done
[ ${#STEPS[@]} -gt 0 ] || STEPS=(install libraries build pack try)

step_install() {
  apt-get update -q
  DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${PACKAGES[@]}"
}

# The sources come from where the machine's packages come from; its lists of packages stay as they are.
fetch_sources() {
  local list=debian.sources dsc
  mkdir -p lists/partial source
  if [ -f /etc/apt/sources.list.d/$list ]; then
    sed 's/^Types: deb$/Types: deb deb-src/' /etc/apt/sources.list.d/$list > $list
  else
    list=debian.list
    sed 's/^deb /deb-src /' /etc/apt/sources.list > $list
  fi
  local apt=(-o "Dir::Etc::sourcelist=$PWD/$list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$PWD/lists")
  apt-get "${apt[@]}" update -q
  cd source
  apt-get "${apt[@]}" source -q --download-only "${SOURCES[@]}"
  for dsc in *.dsc; do [ -d "$(basename "${dsc%-*}" | tr _ -)" ] || dpkg-source --no-check -x "$dsc"; done
}

# library NAME [FOLDER [CMAKE_OPTION ...]]: FOLDER within its sources holds its CMakeLists.txt.
library() {
  local name=$1 folder=${2:-.}
  shift $(($# < 2 ? $# : 2))
  cmake -G Ninja -S "$(echo $OUT/source/"$name"-*/)/$folder" -B "$OUT/build-$name" \
    -DCMAKE_TOOLCHAIN_FILE="$PWD/play/windows/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache \
    -DCMAKE_INSTALL_PREFIX="$PWD/$OUT/libraries" "$@" > "$OUT/$name.log" || { cat "$OUT/$name.log"; return 1; }
  cmake --build "$OUT/build-$name" -j "$JOBS"
  cmake --install "$OUT/build-$name" >> "$OUT/$name.log"
}

step_libraries() {
  mkdir -p $OUT
  (cd $OUT && fetch_sources)
  library cli11 . -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF -DCLI11_BUILD_DOCS=OFF
  library fmtlib . -DFMT_TEST=OFF -DFMT_DOC=OFF
  library libzstd build/cmake -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF
  library nlohmann-json3 . -DJSON_BuildTests=OFF
  library protobuf . -Dprotobuf_BUILD_TESTS=OFF -Dprotobuf_BUILD_PROTOC_BINARIES=OFF -Dprotobuf_WITH_ZLIB=OFF
  library xxhash cmake_unofficial -DXXHASH_BUILD_XXHSUM=OFF
}

step_build() {
  cmake --preset windows > $OUT/configure.log || { cat $OUT/configure.log; return 1; }
  cmake --build --preset windows -j "$JOBS"
}

step_pack() {
  local version name folder source
  version=$(sed -n 's/^project(makzero VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
  name=makzero-$version-windows-x86_64
  folder=$OUT/$name
  rm -rf "$folder" "$folder.zip" $OUT/installed
  cmake --install $OUT --component makzero --prefix $OUT/installed > $OUT/install.log
  mkdir -p "$folder/licences"
  mv $OUT/installed/bin/makzero.exe $OUT/installed/share "$folder/"
  x86_64-w64-mingw32-strip "$folder/makzero.exe"
  sed 's/$/\r/' LICENSE > "$folder/LICENSE.txt"
  sed 's/$/\r/' play/windows/README.txt > "$folder/README.txt"
  for source in "${SOURCES[@]}"; do cp "$(echo $OUT/source/"$source"-*/)/debian/copyright" "$folder/licences/$source.txt"; done
  for source in gcc-mingw-w64-base libz-mingw-w64-dev mingw-w64-common; do
    cp "/usr/share/doc/$source/copyright" "$folder/licences/$source.txt"
  done
  (cd $OUT && zip -q -9 -r "$name.zip" "$name")
  ls -l "$folder.zip" "$folder/makzero.exe"
}

# windows ARGUMENT ... and linux ARGUMENT ...: the same call of both programs, with the same networks.
windows() { wine $OUT/makzero-*-windows-x86_64/makzero.exe "$@" 2> $OUT/wine.log | tr -d '\r'; }
linux() { MAKZERO_ZOO=$(echo $OUT/makzero-*-windows-x86_64/share/makzero/zoo) build/release/makzero "$@" 2> $OUT/linux.log; }

# same NAME COMMAND: both programs, called as `program` by the command, answer alike, and something.
same() {
  local program answer expected
  answer=$(program=windows && eval "$2")
  expected=$(program=linux && eval "$2")
  [ -n "$answer" ] || { cat $OUT/wine.log; fail "$1: no answer"; }
  diff <(echo "$answer") <(echo "$expected") || fail "$1: the program for Windows (<) answers otherwise"
  echo "passed: $1"
}

# Counts that other programs have found too.
try_perft() {
  local rows=0 variant position depth leaves found
  while IFS=$'\t' read -r variant position depth leaves; do
    found=$(windows perft "$variant" "$depth" --position "$position" | sed -n 's/^nodes //p') || found=$(cat $OUT/wine.log)
    [ "$found" = "$leaves" ] || fail "perft $variant $depth '$position': '$found' instead of $leaves"
    rows=$((rows + 1))
  done < <(awk -F'\t' '$1 == "makruk" && $3 == 4 && n++ < 4 {print $1 "\t" $2 "\t" $3 "\t" $4}' tests/data/oracle/chess-family.tsv
           awk -F'\t' '$1 == "perft" && $3 == "start" && $6 == 3 && $2 ~ /^(apit|gala|makyek|minrekchanh|rek)$/ {print $2 "\t" $4 "\t" $6 "\t" $7}' tests/data/oracle/makyek-family.tsv)
  [ "$rows" -ge 6 ] || fail "only $rows rows of leaf counts"
  echo "passed: perft, $rows rows of leaf counts"
}

# The same positions, searched by small networks: bestmove, scores and variations, but no times.
uci_answer() {
  printf '%s\n' uci isready 'position startpos' 'go nodes 100000' | "$program" uci "$1" --model small |
    sed -E 's/ (time|nps) [0-9]+//g' | grep -E '^(id name|readyok|info depth|bestmove)'
}

analysis_answer() {
  printf '%s\n' '{"id": "a", "game": "makyek", "moves": ["a3a5"], "maxVisits": 20000}' \
    '{"id": "b", "game": "makruk", "moves": [], "maxVisits": 20000, "lines": 3}' |
    "$program" analysis --model small --together 1 | sed -E 's/"timeMs":[0-9]+,//'
}

step_try() {
  export WINEPREFIX=$PWD/$OUT/wine WINEDEBUG=-all MAKZERO_TUNED=/dev/null/none
  [ -x build/release/makzero ] || fail "build the program for Linux first: cmake --preset release && cmake --build --preset release"
  wine wineboot -i > $OUT/wineboot.log 2>&1 || fail "Wine does not start: $OUT/wineboot.log"
  same version '$program --version'
  same games '$program games && $program games makruk'
  try_perft
  for game in makruk makyek hunt; do same "uci $game" "uci_answer $game"; done
  same analysis analysis_answer
  same match '$program match makruk --a small:4 --b alphabeta:2 --games 4 --threads 1 | grep -v time'
  same 'play in Thai' '$program play makruk --side none --simulations 200 --seed 1 --language th < /dev/null'
  windows match makyek --a small:3 --b "uci:$(winepath -w $OUT/makzero-*-windows-x86_64/makzero.exe) uci makyek --model small?nodes=500" \
    --games 2 --threads 1 | grep ' 2 games' || fail "match against an engine: $(cat $OUT/wine.log)"
  echo "passed: match against an engine"
}

for step in "${STEPS[@]}"; do
  echo "== $step"
  "step_$step"
done
