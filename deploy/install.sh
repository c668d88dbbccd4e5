#!/bin/sh
# Installs Trawl for this machine: downloads the executable, compares its checksum, puts it on the PATH.
#   TRAWL_FROM     where the files of a release are (an address or a folder); required
#   TRAWL_VERSION  for example 0.9.0; required
#   TRAWL_INTO     a folder; by default /usr/local/bin for root, ~/.local/bin for others
set -eu

fail() { echo "install.sh: $1" >&2; exit 1; }

main() {
  from=${TRAWL_FROM:-} version=${TRAWL_VERSION:-}
  [ -n "$from" ] || fail "set TRAWL_FROM to the address of a release's files"
  [ -n "$version" ] || fail "set TRAWL_VERSION, for example 0.9.0"
  if [ "$(id -u)" = 0 ]; then into=/usr/local/bin; else into=$HOME/.local/bin; fi
  into=${TRAWL_INTO:-$into}

  case $(uname -m) in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) fail "there is no executable for $(uname -m)" ;;
  esac
  case $(uname -s) in
    Linux)
      name=trawl-$version-linux-$arch
      if [ -e /lib/ld-musl-x86_64.so.1 ] || [ -e /lib/ld-musl-aarch64.so.1 ]; then
        # Machines of glibc may have musl beside it.
        [ -e /lib64/ld-linux-x86-64.so.2 ] || [ -e /lib/ld-linux-aarch64.so.1 ] || name=$name-musl
      fi
      ;;
    Darwin) name=trawl-$version-darwin-$arch ;;
    *) fail "there is no executable for $(uname -s); Windows has a zip" ;;
  esac

  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  fetch "$from/$name.gz" "$work/$name.gz"
  fetch "$from/SHA256SUMS" "$work/SHA256SUMS"
  wanted=$(awk -v name="$name.gz" '$2 == name { print $1 }' "$work/SHA256SUMS")
  [ -n "$wanted" ] || fail "SHA256SUMS does not list $name.gz"
  found=$(sum "$work/$name.gz")
  [ "$wanted" = "$found" ] || fail "$name.gz has the checksum $found, not $wanted: nothing was installed"

  gzip -dc "$work/$name.gz" > "$work/trawl"
  chmod 755 "$work/trawl"
  case $name in *-musl) needs=" (it needs the C++ library: apk add libstdc++)" ;; *) needs= ;; esac
  "$work/trawl" --version > /dev/null || fail "the executable does not run on this machine$needs"
  mkdir -p "$into"
  # In one step, also over one that runs.
  cp "$work/trawl" "$into/.trawl.$$"
  mv -f "$into/.trawl.$$" "$into/trawl"
  echo "Trawl $version is $into/trawl."
  case ":$PATH:" in
    *":$into:"*) echo "Start it: trawl" ;;
    *) echo "Start it: $into/trawl   ($into is not on your PATH)" ;;
  esac
}

fetch() {
  case $1 in
    http://* | https://*)
      if command -v curl > /dev/null; then curl -fsSL --retry 3 -o "$2" "$1"
      else wget -q -O "$2" "$1"; fi || fail "$1 cannot be downloaded"
      ;;
    *) cp "$1" "$2" || fail "there is no $1" ;;
  esac
}

sum() {
  if command -v sha256sum > /dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | awk '{ print $1 }'
}

# All of it is read before any of it is done.
main
