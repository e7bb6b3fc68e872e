#!/usr/bin/env bash
# Runs a command in a copy of the working tree on another release of Debian.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tests/chroot.sh SUITE COMMAND [ARGUMENT ...]

Makes a chroot of Debian's SUITE (trixie) by debootstrap, copies into it what git does not ignore, and runs COMMAND there. The
mirror, proxies, certificates and settings of apt, pip and npm are those of this machine. The chroot stays for the next time,
with its packages, build folders and ccache: build/chroot-SUITE, or the folder in MAKZERO_CHROOT. Needs root.
END
}

fail() { echo "tests/chroot.sh: $1" >&2; exit "${2:-1}"; }

case ${1:-} in --help | -h) usage; exit 0 ;; esac
[ $# -ge 2 ] || { usage >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || fail "needs root, to mount and to change the root folder: use sudo"
for program in debootstrap rsync; do
  command -v $program > /dev/null || fail "$program is not installed: apt-get install debootstrap rsync"
done
SUITE=$1
CHROOT=$(realpath -m "${MAKZERO_CHROOT:-build/chroot-$SUITE}")
shift

# What this machine has of the files and folders, at the same places in the chroot.
copy_settings() {
  local path
  for path in "$@"; do
    [ ! -e "$path" ] || rsync -a --relative "$path" "$CHROOT.new/"
  done
}

make_chroot() {
  local mirror proxy=
  mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Label: Debian' 'Component: main' | sed -n 1p)
  [ -n "$mirror" ] || fail "apt knows no mirror of Debian: apt-get update"
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  rm -rf "$CHROOT.new"
  mkdir -p "$CHROOT.new"
  env ${proxy:+http_proxy="$proxy"} debootstrap --variant=minbase --include=ca-certificates "$SUITE" "$CHROOT.new" "$mirror"
  apt-config dump | grep -E '^Acquire::(http|https|Check-|Retries)' > "$CHROOT.new/etc/apt/apt.conf.d/99host" || true
  copy_settings /etc/hosts /etc/pip.conf /etc/xdg/pip /etc/npmrc ~/.config/pip ~/.npmrc /usr/local/share/ca-certificates
  chroot "$CHROOT.new" update-ca-certificates > /dev/null 2>&1
  echo force-unsafe-io > "$CHROOT.new/etc/dpkg/dpkg.cfg.d/chroot"  # A broken chroot is made again.
  # No package starts a server.
  printf '#!/bin/sh\nexit 101\n' > "$CHROOT.new/usr/sbin/policy-rc.d"
  chmod +x "$CHROOT.new/usr/sbin/policy-rc.d"
  mv "$CHROOT.new" "$CHROOT"
}

[ -d "$CHROOT" ] || make_chroot
# What is ignored there stays: build folders, packages of npm.
rsync -a --delete --exclude=/.git --filter=':- .gitignore' ./ "$CHROOT/makzero/"

# Mounts and processes are in namespaces of their own, which end with this script, however it ends. The outer shell waits as
# process 1, so that signals end COMMAND.
setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child sh -ec '
  root=$1
  shift
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --rbind /sys "$root/sys"
  status=0
  chroot "$root" sh -c "cd /makzero && exec \"\$@\"" - "$@" || status=$?
  exit $status' - "$CHROOT" "$@"
