#!/bin/sh
# Installs Outrider from a place that has a release's files: a URL or a directory.
#
#   sh install.sh https://releases.example.com/outrider
#
# PREFIX is where its bin is (/usr/local for root, ~/.local for anybody else). Nothing else is written, and nothing
# is left behind where something fails. To update later: outrider update.
set -eu

KEY=${OUTRIDER_UPDATE_KEY:-RWQUBh6pt/92uCwYjXdln5axJrZANFWVe4/VFayKW/ZVZVYykL0WWrqH}
FROM=${1:-${OUTRIDER_UPDATE_URL:-}}

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

[ -n "$FROM" ] || fail "name the place of the release: sh install.sh https://…"
case $FROM in
  https://* | http://127.0.0.1* | http://localhost*) ;;
  *://*) fail "$FROM must be an https URL, or a directory" ;;
  *) [ -d "$FROM" ] || fail "$FROM is no directory, and no https URL" ;;
esac

# fetch NAME FILE
fetch() {
  case $FROM in
    *://*)
      if command -v curl >/dev/null; then
        curl -fsSL --retry 2 -o "$2" "${FROM%/}/$1"
      elif command -v wget >/dev/null; then
        wget -qO "$2" "${FROM%/}/$1"
      else
        fail "needs curl or wget"
      fi
      ;;
    *) cp "${FROM%/}/$1" "$2" ;;
  esac || fail "can't get $1 from $FROM"
}

hash_of() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1"
  else
    shasum -a 256 "$1"
  fi | cut -d ' ' -f 1
}

is_musl() {
  for file in /lib/ld-musl-*; do
    [ -e "$file" ] && return 0
  done
  return 1
}

case $(uname -s) in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  *) fail "there is no release for $(uname -s); on Windows, download outrider-windows-x64.exe" ;;
esac
case $(uname -m) in
  x86_64 | amd64) machine=x64 ;;
  aarch64 | arm64) machine=arm64 ;;
  *) fail "there is no release for $(uname -m)" ;;
esac
name=outrider-$system-$machine
if [ "$system" = linux ] && is_musl; then
  name=$name-musl
fi

if [ -z "${PREFIX:-}" ]; then
  if [ "$(id -u)" = 0 ]; then PREFIX=/usr/local; else PREFIX=${HOME:?}/.local; fi
fi
bin=$PREFIX/bin
mkdir -p "$bin"
[ -w "$bin" ] || fail "can't write into $bin; set PREFIX, or run this as root"
# Beside its place, so that the last step is a rename.
work=$(mktemp -d "$bin/.outrider-install-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

fetch SHA256SUMS "$work/SHA256SUMS"
if command -v minisign >/dev/null; then
  fetch SHA256SUMS.minisig "$work/SHA256SUMS.minisig"
  minisign -Vqm "$work/SHA256SUMS" -P "$KEY" ||
    fail "the release isn't signed with the key $KEY. Nothing was installed"
else
  echo "The signature isn't checked, because minisign isn't installed; checksums are." >&2
fi
wanted=
while read -r hash file; do
  case $file in "$name" | "*$name") wanted=$hash ;; esac
done <"$work/SHA256SUMS"
[ -n "$wanted" ] || fail "the release has no $name"
fetch "$name" "$work/outrider"
found=$(hash_of "$work/outrider")
[ "$found" = "$wanted" ] || fail "$name was damaged on the way: its hash is $found, not $wanted. Try again"
chmod 755 "$work/outrider"
version=$("$work/outrider" version) || fail "$name doesn't run on this machine"
mv -f "$work/outrider" "$bin/outrider"

echo "$version is now $bin/outrider"
case :$PATH: in
  *:"$bin":*) start=outrider ;;
  *) start=$bin/outrider ;;
esac
echo "Start it: $start serve --data ./outrider-data"
