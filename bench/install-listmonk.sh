#!/usr/bin/env bash
# Installs listmonk into .toolchain/listmonk, for the figures that stand beside it: the newest version that the
# module proxy has as a module, with the files that it reads where it runs. Needs Go; PostgreSQL comes from the
# system (Debian: apt-get install --no-install-recommends postgresql).
set -euo pipefail

version=v1.1.0
home=$(cd "$(dirname "$0")/.." && pwd)/.toolchain/listmonk
[[ -x $home/listmonk ]] && exit 0
go mod download "github.com/knadh/listmonk@$version"
source=$(go env GOMODCACHE)/github.com/knadh/listmonk@$version
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
# Modules are read-only, and this one replaces another, so that `go install` refuses it.
cp "$source/go.mod" "$source/go.sum" "$build/"
chmod u+w "$build"/go.*
mkdir -p "$home/frontend/dist/frontend"
(cd "$source" && go build -modfile="$build/go.mod" -mod=mod -o "$build/listmonk" ./cmd)
cp -r "$source"/{config.toml.sample,queries.sql,schema.sql,i18n,static} "$home/"
chmod -R u+w "$home"
# Its pages are not measured, and it does not start without them.
touch "$home/frontend/dist/favicon.png" "$home/frontend/dist/frontend/index.html"
mv "$build/listmonk" "$home/"
