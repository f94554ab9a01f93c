#!/usr/bin/env bash
# Makes TypeScript of the document and compiles it with a small client: what a user's generator would do.
#
#   test/contract/types.sh
#
# The generator needs the compiler of an older TypeScript, so it lives in a folder of its own.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
home=$PWD/.toolchain/openapi-typescript
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! [[ -x $home/node_modules/.bin/openapi-typescript ]]; then
  mkdir -p "$home"
  echo '{"private": true}' >"$home/package.json"
  npm install --prefix "$home" --ignore-scripts --no-audit --no-fund --loglevel=error --save-exact \
    openapi-typescript@7.13.0 typescript@5.9.3
fi

"${BUN:-bun}" test/contract/write-document.ts >"$work/openapi.json"
# Without the option a field that has a default would be one that a request must give.
"$home/node_modules/.bin/openapi-typescript" "$work/openapi.json" --output "$work/api.ts" \
  --default-non-nullable=false
cp test/contract/client.ts.txt "$work/client.ts"
node_modules/.bin/tsc --ignoreConfig --noEmit --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes \
  --skipLibCheck --module preserve --moduleResolution bundler --target esnext --types '' \
  --lib esnext,dom "$work/api.ts" "$work/client.ts"
echo "types: $(wc -l <"$work/api.ts") lines of TypeScript compile, and so does a client of them"
