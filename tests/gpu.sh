#!/usr/bin/env bash
# Packs the program for a machine with a card, and measures there what only a card can show. Works in a checkout and in a pack.
set -euo pipefail

usage() {
  cat <<'END'
usage: tests/gpu.sh pack [--torch=VERSION|FOLDER] [--tree=FOLDER] [--jobs=N]
       tests/gpu.sh run  [--part=1|2] [--device=NAME] [--seconds=N] [--results=FOLDER] [STEP ...]

pack  builds program and tests with PyTorch VERSION for CUDA (2.11.0, from PyPI into build/) or the PyTorch in FOLDER, for
      processors with AVX2 (x86-64-v3), and leaves build/gpu/makzero-....tar.gz: programs, libraries, networks and this script,
      to be unpacked anywhere. The machine needs a PyTorch of that version (pip install torch==VERSION) and no compiler.
      --tree packs a build tree as it is configured. Prints the command for the machine with the card.
run   part 1, five minutes: doctor, tests, parity, bench, tune, memory; part 2: overlap, sizes, analysis, strength, training.
      Without --part or STEP both parts. `gpu.sh run --help` says what each step does.
END
}

HERE=$(cd "$(dirname "$0")" && pwd)
TORCH=2.11.0
ARCH=x86-64-v3
TREE=
JOBS=$(nproc)

fail() { echo "gpu.sh: $1" >&2; exit "${2:-1}"; }

# configure CMAKE_FOLDER: a build tree with the PyTorch whose CMake files lie there.
configure() {
  TREE=build/gpu/tree
  cmake --preset release -B $TREE -DMAKZERO_ARCH=$ARCH -DCMAKE_PREFIX_PATH="$1" > build/gpu/configure.log ||
    { cat build/gpu/configure.log; return 1; }
}

# torch_cmake VERSION|FOLDER: where the CMake files of that PyTorch lie; a version is installed, with CUDA's headers and without
# NVIDIA's other libraries.
torch_cmake() {
  if [ -d "$1" ]; then echo "$1"; return; fi
  local environment=build/torch-$1 toolkit
  if [ ! -f "$environment/installed" ]; then
    python3 -m venv "$environment" >&2 && "$environment"/bin/pip install --quiet --no-deps "torch==$1" >&2 || return
    toolkit=$(sed -n 's/^Requires-Dist: cuda-toolkit.*==\([0-9.]*\);.*/\1/p' "$environment"/lib/python3*/site-packages/torch-*/METADATA)
    [ -z "$toolkit" ] || "$environment"/bin/pip install --quiet "cuda-toolkit[cudart,crt]==$toolkit" >&2 || return
    touch "$environment/installed"
  fi
  echo "$PWD/$("$environment"/bin/python -c 'import os, sysconfig; print(os.path.relpath(sysconfig.get_path("purelib")))')/torch/share/cmake"
}

# The folder of the PyTorch that the build tree was configured with.
torch_of_tree() { sed -n 's,^Torch_DIR:PATH=\(.*\)/share/cmake/Torch$,\1,p' "$TREE/CMakeCache.txt"; }

# needed FILE ...: names of the shared libraries that the files ask for, in the order in which they are searched.
needed() { readelf -d "$@" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }

# libraries_of FILE ...: shared libraries that the files need, and those need in turn, but for the C and C++ runtime and what
# PyTorch brings.
libraries_of() {
  local name path
  needed "$@" | sort -u |
    sed -E '/^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s|gomp))\.so/d' | while read -r name; do
    [ ! -e "$(torch_of_tree)/lib/$name" ] || continue
    path=$(ldconfig -p | sed -n "s,^\t$name .* => ,,p;" | sed -n 1p)
    [ -n "$path" ] || fail "the library $name is not here"
    echo "$path"
    libraries_of "$path" || exit
  done | sort -u
}

# The newest version of the C library that a file asks for: the distributions that it runs on.
glibc_of() { objdump -T "$@" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1; }

pack() {
  cd "$HERE/.."
  mkdir -p build/gpu
  local torch version name folder libraries library package size
  if [ -z "$TREE" ]; then
    torch=$(torch_cmake "$TORCH")
    configure "$torch"
  fi
  cmake --build "$TREE" -j "$JOBS" --target makzero makzero_device_tests
  torch=$(torch_of_tree)
  version=$(sed -n "s/^__version__ = '\([0-9.]*\).*/\1/p" "$torch/version.py") || true
  [ -n "$version" ] || fail "$TREE is built with the LibTorch in '$torch', which no 'pip install torch' brings: use --torch"
  name=makzero-$("$TREE"/makzero --version | cut -d' ' -f2)-$(uname -m)-torch-$version
  folder=build/gpu/$name
  rm -rf build/gpu/makzero-*-torch-"$version"*
  cmake --install "$TREE" --strip --prefix "$folder" > /dev/null
  cmake --install "$TREE" --strip --prefix "$folder" --component device_tests > /dev/null
  [ ! -f "$torch/lib/libtorch_cuda.so" ] || needed "$torch/lib/libtorch.so" | grep -q '^libtorch_cuda.so' ||
    fail "$torch/lib/libtorch.so does not load libtorch_cuda.so: the plugin would find no card"
  [ "$(needed "$folder"/bin/makzero_device_tests | grep -E '^lib(stdc\+\+|torch)' | sed -n 1p)" = libstdc++.so.6 ] ||
    fail "$TREE's device tests look for the C++ library's functions in LibTorch: link libstdc++ first"
  mkdir -p "$folder"/{lib,licences}
  libraries=$(libraries_of "$folder"/bin/* "$folder"/lib/makzero/*)
  for library in $libraries; do
    cp -L "$library" "$folder/lib/"
    package=$(dpkg-query -S "*/$(basename "$(readlink -f "$library")")" | sed 's/:.*//;q')
    cp "/usr/share/doc/$package/copyright" "$folder/licences/$package"
  done
  cp LICENSE tests/gpu.sh tests/pack/* "$folder/"
  sed -i "s/@TORCH@/$version/" "$folder/README.txt"
  echo "$version" > "$folder/torch_version"
  tar -C build/gpu -czf "build/gpu/$name.tar.gz" "$name"
  size=$(du -s --block-size=1MB "$folder" | cut -f1)
  [ "$size" -le 60 ] || fail "$folder has $size MB: a borrowed machine takes 60"
  cat <<END
$folder has $size MB, its archive $(du --block-size=1MB "$folder.tar.gz" | cut -f1) MB. It
needs PyTorch $version, a processor with AVX2 and $(glibc_of "$folder"/bin/* "$folder"/lib/*.so* "$folder"/lib/makzero/*). On the machine with the card, for part 1 and 2:
$(command_of 1 "$name")
$(command_of 2 "$name")
END
}

command_of() { echo "tar -xzf build/gpu/$2.tar.gz -C /tmp && /tmp/$2/gpu.sh run --part=$1 --results=\"\${OUT:-gpu-results}\""; }

# The pack around this script, or the one that was made last in this checkout.
find_pack() {
  if [ -f "$HERE/torch_version" ]; then echo "$HERE"; return; fi
  local newest
  newest=$(ls -td "$HERE"/../build/gpu/makzero-*/ 2> /dev/null | head -1)
  [ -n "$newest" ] || fail "there is no pack yet; make one: tests/gpu.sh pack"
  echo "${newest%/}"
}

command=${1:-}
[ $# -eq 0 ] || shift
case $command in
  pack)
    for argument in "$@"; do
      case $argument in
        --torch=?*) TORCH=${argument#*=} ;;
        --tree=?*) TREE=${argument#*=} ;;
        --jobs=[1-9]*) JOBS=${argument#*=} ;;
        *) usage >&2; fail "unknown argument '$argument'" 2 ;;
      esac
    done
    pack ;;
  run)
    here=$(find_pack)
    . "$here/environment.sh"
    exec "${PYTHON:-python3}" "$here/parts.py" "$@" ;;
  --help | -h) usage ;;
  *) usage >&2; fail "unknown command '$command'" 2 ;;
esac
