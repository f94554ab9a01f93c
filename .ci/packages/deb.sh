#!/usr/bin/env bash
# Makes a Debian package of an executable, with the unit that `outrider install` prints:
#
#   .ci/packages/deb.sh EXECUTABLE ARCHITECTURE VERSION UNIT FILE
#
# The user that it runs as is the unit's (DynamicUser), so nothing is left of it in /etc/passwd. The same input gives the
# same bytes.
set -euo pipefail

executable=$1 architecture=$2 version=$3 unit=$4 file=$5
here=$(dirname "${BASH_SOURCE[0]}")/../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

install -D -m 755 "$executable" "$work/usr/bin/outrider"
install -D -m 644 "$unit" "$work/usr/lib/systemd/system/outrider.service"
install -D -m 644 "$here/LICENSE" "$work/usr/share/doc/outrider/copyright"
install -D -m 644 "$here/src/cli/third-party.txt" "$work/usr/share/doc/outrider/THIRD-PARTY.txt"
mkdir -p "$work/DEBIAN"
# A pre-release is older than its release, as Debian compares versions.
cat >"$work/DEBIAN/control" <<CONTROL
Package: outrider
Version: ${version/-/\~}
Architecture: $architecture
Maintainer: The Outrider developers <outrider@localhost>
Installed-Size: $(du -sk "$work/usr" | cut -f 1)
Depends: libc6 (>= 2.31)
Suggests: caddy | nginx, minisign
Section: mail
Priority: optional
Description: email outreach from a team's own mailboxes
 Sequences of personal emails that stop when somebody replies, one inbox for all
 mailboxes, experiments, and a sandbox that sends nothing. One executable and one
 data directory, with a web console and an API.
 .
 The service isn't started until you do: systemctl enable --now outrider.
CONTROL
cat >"$work/DEBIAN/postinst" <<'SCRIPT'
#!/bin/sh
set -e
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # An upgrade goes on with the new version; nothing is started that wasn't running.
  systemctl try-restart outrider.service
fi
SCRIPT
cat >"$work/DEBIAN/prerm" <<'SCRIPT'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now outrider.service
fi
SCRIPT
cat >"$work/DEBIAN/postrm" <<'SCRIPT'
#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
if [ "$1" = purge ]; then
  echo "The data is left in /var/lib/outrider: remove it by hand once you don't need it."
fi
SCRIPT
chmod 755 "$work"/DEBIAN/{postinst,prerm,postrm}
find "$work" -exec touch -h -d @0 {} +
SOURCE_DATE_EPOCH=0 dpkg-deb --root-owner-group -Zzstd -z3 --build "$work" "$file" >&2
