#!/usr/bin/env bash
# Holds the executable against the document that it serves, with requests made from that document: all
# checks, a fixed seed, a bounded number of requests, in the test world with the rate limits off.
#
#   test/contract/schemathesis.sh [EXECUTABLE]     default: dist/outrider
#
# SCHEMATHESIS_EXAMPLES is the number of made-up requests for each operation (default 4; 60 in the soak).
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
executable=$(realpath "${1:-dist/outrider}")
examples=${SCHEMATHESIS_EXAMPLES:-4}
version=4.32.5
venv=$PWD/.toolchain/venv
seconds_max=60

# What ends the caller's own key or the records of the other operations runs by itself, at the end.
alone=(
  --include-operation-id=resetSandbox
  --include-operation-id=moveSandboxClock
  --include-operation-id=deleteKey
  --include-operation-id=rotateKey
)

if ! "$venv/bin/schemathesis" --version 2>/dev/null | grep -qF "$version"; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"
fi

work=$(mktemp -d)
server=
stop() {
  if [[ -n $server ]]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
  fi
}
# shellcheck disable=SC2317 # called by the trap
clean() {
  stop
  rm -rf "$work"
}
trap clean EXIT

# A server on a data directory of its own, and its key.
start() {
  key=$("$executable" keys create --data "$work/$1" --name contract --env test --json |
    "$venv/bin/python" -c 'import json, sys; print(json.load(sys.stdin)["key"])')
  : >"$work/out"
  OUTRIDER_RATE_LIMIT=0 OUTRIDER_AUTH_FAILURES=0 "$executable" serve --data "$work/$1" --port 0 --json \
    >"$work/out" 2>>"$work/log" &
  server=$!
  url=
  local deadline=$((SECONDS + seconds_max))
  while [[ -z $url ]]; do
    url=$(sed -n 's/^{"url":"\([^"]*\)".*/\1/p' "$work/out")
    if ! kill -0 "$server" 2>/dev/null || ((SECONDS > deadline)); then
      cat "$work/log" >&2
      exit 1
    fi
    sleep 0.1
  done
}

status=0
run() {
  local name=$1
  shift
  start "$name"
  OUTRIDER_API=$url/api/v1 OUTRIDER_KEY=$key SCHEMATHESIS_HOOKS=$PWD/test/contract/hooks.py \
    "$venv/bin/schemathesis" --config-file test/contract/schemathesis.toml run \
    "$url/api/v1/openapi.json" --url "$url/api/v1" --header "Authorization: Bearer $key" \
    --max-examples "$examples" --workers 1 --request-timeout 60 --continue-on-failure "$@" ||
    status=1
  if ! kill -0 "$server" 2>/dev/null; then
    echo "the server ended by itself" >&2
    status=1
  fi
  stop
}

# An event stream that is answered does not end, and the document can say no more of it than that it is
# text: no check of this tool can be made of either.
run together "${alone[@]/--include/--exclude}" --exclude-operation-id=streamEvents \
  --exclude-operation-id=streamImport
run alone "${alone[@]}"

if grep -a 'request failed' "$work/log" >&2; then
  status=1
fi
exit "$status"
