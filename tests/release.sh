#!/usr/bin/env bash
# Makes the packages of a release and tries them on bare systems.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tests/release.sh [--draft] [--jobs=N]

Run as root on Debian 12. Leaves in build/packages:
  makzero_VERSION_amd64.deb                program, page and small networks, for Debian 12 and 13 and their kin
  libmakzero-dev_VERSION_amd64.deb         library with the C interface, for programs of others
  makzero-torch_VERSION_amd64.SUITE.deb    LibTorch's plugin and towers, for bookworm and for trixie
  makzero-VERSION-Linux.tar.gz             the same as one folder, with the plugin for bookworm
  makzero-VERSION-*.whl                    the Python module
then installs them on a bare bookworm and a bare trixie, plays a game over UCI, asks for the page and trains for a minute.
The version of CMakeLists.txt must head CHANGELOG.md and be tagged vVERSION here; --draft does without the tag.
END
}

fail() { echo "tests/release.sh: $1" >&2; exit 1; }

OUT=build/packages
DRAFT=
JOBS=$(nproc)
VERSION=$(sed -n 's/^project(makzero VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)

check_version() {
  grep -m1 '^## ' CHANGELOG.md | grep -qx "## $VERSION" || fail "CHANGELOG.md does not begin with ## $VERSION, the version of CMakeLists.txt"
  [ -n "$DRAFT" ] || [ "$(git tag --points-at HEAD "v$VERSION")" ] || fail "this commit has no tag v$VERSION: git tag v$VERSION, or --draft"
  [ -z "$(git status --porcelain)" ] || [ -n "$DRAFT" ] || fail "there are changes that are not committed: git status"
}

# configure ...: the build tree of packages, with what CPack calls. COMMIT is part of the version but at a tag.
configure() {
  apt-get install -q -y --no-install-recommends dpkg-dev file
  mkdir -p build
  cmake --preset package -DMAKZERO_COMMIT="$COMMIT" "$@" > build/package.log || { cat build/package.log; return 1; }
  rm -rf build/package/packages
}

make_packages() {
  tests/run.sh install-build install-web
  configure
  cmake --build --preset package -j "$JOBS"
  (cd build/package && cpack -G DEB && cpack -G TGZ -D CPACK_ARCHIVE_COMPONENT_INSTALL=ON -D CPACK_COMPONENTS_GROUPING=ALL_COMPONENTS_IN_ONE \
    -D CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY=ON)
}

# The plugin for this distribution's LibTorch alone, within a chroot.
make_torch_package() {
  tests/run.sh install-build
  configure -DCMAKE_SKIP_INSTALL_ALL_DEPENDENCY=ON
  cmake --build --preset package -j "$JOBS" --target makzero_torch
  (cd build/package && cpack -G DEB -D CPACK_COMPONENTS_ALL=torch)
}

# What the packages promise, asked within the system that has them.
try_packages() {
  local folder=$1
  export DEBIAN_FRONTEND=noninteractive
  tar -xzf "$folder"/makzero-*.tar.gz -C /tmp
  /tmp/makzero-*/bin/makzero --version
  apt-get update -q
  apt-get install -q -y --no-install-recommends "$folder"/makzero_*.deb
  makzero --version
  [ "$(ldd /usr/bin/makzero | wc -l)" -le 12 ] || { ldd /usr/bin/makzero; fail "the program needs more than 12 libraries"; }
  makzero match makruk --a small:4 --b 'uci:makzero uci makruk?nodes=2000' --games 2 --threads 1
  makzero serve --port 8700 > /tmp/serve.log 2>&1 &
  local server=$!
  for _ in $(seq 50); do
    if { exec 3<> /dev/tcp/127.0.0.1/8700; } 2> /dev/null; then break; fi
    sleep 0.2
  done
  printf 'GET / HTTP/1.1\r\nHost: 127.0.0.1:8700\r\nConnection: close\r\n\r\n' >&3
  grep -q '<title>' <&3 || fail "the page does not come"
  kill $server
  echo "the page comes"
  if makzero train makruk --run /tmp/run --minutes 1 2> /tmp/train.log; then fail "a training begins without LibTorch"; fi
  grep makzero-torch /tmp/train.log || { cat /tmp/train.log; fail "the training does not name makzero-torch"; }
  apt-get install -q -y --no-install-recommends "$folder"/makzero-torch_*.deb
  makzero train makruk --run /tmp/run --minutes 1 --network.blocks=1 --network.channels=8
  makzero doctor
}

make_all() {
  check_version
  COMMIT=$(git rev-parse --short HEAD)
  [ -z "$(git tag --points-at HEAD "v$VERSION")" ] || COMMIT=
  make_packages
  rm -rf $OUT
  mkdir -p $OUT
  cp build/package/packages/{makzero,libmakzero-dev}_*.deb build/package/packages/*.tar.gz $OUT/
  torch_package build/package bookworm
  tests/run.sh wheel
  cp build/wheels/*.whl $OUT/
  tests/chroot.sh trixie env COMMIT="$COMMIT" JOBS="$JOBS" tests/release.sh --torch
  torch_package build/chroot-trixie/makzero/build/package trixie
  for suite in bookworm trixie; do
    try_on $suite
  done
  echo "$OUT:"
  ls -l $OUT
}

# torch_package BUILD_FOLDER SUITE
torch_package() { cp "$1"/packages/makzero-torch_*.deb "$OUT/makzero-torch_${VERSION}_amd64.$2.deb"; }

try_on() {
  local bare=build/bare-$1
  rm -rf "$bare"
  MAKZERO_CHROOT=$bare tests/chroot.sh "$1" mkdir -p /packages
  cp $OUT/makzero_*.deb $OUT/makzero-torch_*."$1".deb $OUT/*.tar.gz "$bare/packages/"
  MAKZERO_CHROOT=$bare tests/chroot.sh "$1" tests/release.sh --try /packages
  echo "$1: installed and tried"
}

case ${1:-} in
  --torch) make_torch_package; exit ;;  # Within a chroot, as the next.
  --try) try_packages "$2"; exit ;;
esac
for argument in "$@"; do
  case $argument in
    --help | -h) usage; exit 0 ;;
    --draft) DRAFT=yes ;;
    --jobs=[1-9]*) JOBS=${argument#*=} ;;
    *) usage >&2; exit 2 ;;
  esac
done
make_all
