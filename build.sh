#!/usr/bin/env bash
# Builds, tests and shows Outrider. Needs bash, coreutils, git and npm; fetches the rest by itself.
#
#   ./build.sh              check, compile dist/outrider, smoke-test it
#   ./build.sh demo [ARGS]  build if need be, then play the demo (see: dist/outrider help demo)
#   ./build.sh dev [ARGS]   the server from source, restarted on every change, with a sandbox that has played a month
#   ./build.sh test [FILES]  check, compile, run every test that this machine can run, or those in FILES
#   ./build.sh release      executables for every platform with checksums and their parts, in dist/release,
#                           of a commit that has passed the tests
#   ./build.sh promises     what we promise, the tests that try to break it, cases tried and failures
#   ./build.sh bench [ARGS] figures of the product, each beside its limit (see: bench/README.md)
#   ./build.sh screens      pictures of every page of the console in both themes, in dist/screens
#   ./build.sh soak         the tests that are too long for every commit; report in docs/reports/
#
# Talk goes to stderr, so that stdout is what the called program prints.
set -euo pipefail
shopt -s globstar nullglob
cd "$(dirname "${BASH_SOURCE[0]}")"

BUN_VERSION=1.4.5
# A slow machine is not a failed test: nothing that is tested depends on how long it takes.
TEST_MS_MAX=300000
UNAVAILABLE=69
USAGE=64
# These change what Bun runs; a build depends on what is in this directory alone.
unset BUN_OPTIONS BUN_BE_BUN NODE_OPTIONS

say() { printf '%s\n' "== $*" >&2; }
die() {
  local code=$1
  shift
  printf 'build.sh: %s\n' "$*" >&2
  exit "$code"
}

# Caches go to HOME, or stay here where there is no usable one.
if [[ -z ${HOME:-} || ! -d ${HOME:-} || ! -w ${HOME:-} ]]; then
  mkdir -p .toolchain/home
  export HOME=$PWD/.toolchain/home
fi

is_bun() { [[ $("$1" --version 2>/dev/null) == "$BUN_VERSION" ]]; }

# The npm packages that may hold a Bun for this machine, the likeliest first.
bun_packages() {
  # shellcheck disable=SC2016 # the dollar signs are JavaScript's
  node -e '
    const os = { linux: "linux", darwin: "darwin", win32: "windows" }[process.platform];
    const cpu = { x64: "x64", arm64: "aarch64" }[process.arch];
    if (!os || !cpu) process.exit(1);
    const header = process.report.getReport().header;
    const libc = os === "linux" && !header.glibcVersionRuntime ? ["-musl", ""] : [""];
    for (const c of libc) for (const b of cpu === "x64" ? ["", "-baseline"] : [""])
      console.log(`@oven/bun-${os}-${cpu}${c}${b}`);
  '
}

# Sets BUN to a Bun of the wanted version, fetching it into .toolchain where there is none.
# Install scripts stay off: the platform packages hold the executable itself.
find_bun() {
  local candidate package
  if candidate=$(command -v bun) && is_bun "$candidate"; then
    BUN=$candidate
    return
  fi
  for candidate in .toolchain/node_modules/@oven/bun-*/bin/bun; do
    if [[ -x $candidate ]] && is_bun "$candidate"; then
      BUN=$PWD/$candidate
      return
    fi
  done
  if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
    die $UNAVAILABLE "needs Bun $BUN_VERSION, or node and npm to fetch it with; neither is on the PATH."
  fi
  for package in $(bun_packages); do
    say "fetching $package $BUN_VERSION"
    mkdir -p .toolchain
    npm install --prefix .toolchain --no-save --no-package-lock --ignore-scripts \
      --no-audit --no-fund --loglevel=error "$package@$BUN_VERSION" >&2 || continue
    candidate=.toolchain/node_modules/$package/bin/bun
    if [[ -x $candidate ]] && is_bun "$candidate"; then
      BUN=$PWD/$candidate
      return
    fi
  done
  die $UNAVAILABLE "could not fetch a Bun $BUN_VERSION that runs here."
}

install() {
  find_bun
  export PATH=${BUN%/*}:$PATH
  if [[ ! -d node_modules && -z ${NPM_CONFIG_REGISTRY:-} ]] && command -v npm >/dev/null; then
    # Bun does not read npm's global settings, where a company's mirror may stand.
    NPM_CONFIG_REGISTRY=$(npm config get registry 2>/dev/null) || NPM_CONFIG_REGISTRY=
    if [[ $NPM_CONFIG_REGISTRY == http* ]]; then export NPM_CONFIG_REGISTRY; else unset NPM_CONFIG_REGISTRY; fi
  fi
  "$BUN" install --frozen-lockfile --no-summary --no-progress >&2
}

# A tool of node_modules, run by Bun, so that no node is needed.
tool() { "$BUN" --bun "node_modules/.bin/$1" "${@:2}" >&2; }

# What has been checked as it stands is not checked again.
check() {
  unchanged_since dist/checked src/** test/** bench/** clients/** migrations/** .ci/** package.json \
    tsconfig.json bunfig.toml .biome.jsonc bun.lock build.sh && return
  say "check"
  mkdir -p dist
  touch dist/checking
  tool biome check --error-on-warnings
  "$BUN" .ci/types.ts
  tool knip
  mv dist/checking dist/checked
}

# unchanged_since STAMP PATH...: none of them is newer. A folder is, where a file of it has gone.
unchanged_since() {
  local path
  [[ -f $1 ]] || return 1
  for path in "${@:2}"; do
    [[ ! $path -nt $1 ]] || return 1
  done
}

# Where there is no repository, as in the image that is being made, COMMIT says it. commit [DIGITS]
commit() {
  local name
  name=$(git rev-parse --short="${1:-12}" HEAD 2>/dev/null) || { echo "${COMMIT:-unknown}" && return; }
  git diff --quiet HEAD -- 2>/dev/null || name+=-dirty
  echo "$name"
}

# No --minify-identifiers: it renames the error class by which Elysia's validation works, and so turns
# validation off. No autoload: an executable must not run what lies in the directory it is started in.
# Bytecode, parts that are loaded when they are first used, and compilers that are slow to begin: each
# shortens the time to the first answer (docs/adr/build.md). Where packages ask for their folder, this
# machine's would stand in the executable, and no two directories would build the same.
compile() {
  say "compile"
  compile_to dist/next --bytecode --bytecode-depth=1
  mv -f dist/next/outrider.map.gz dist/outrider.map.gz
  mv -f dist/next/outrider dist/outrider
  rm -rf dist/next
}

# compile_to FOLDER [OPTION...]: the executable in an empty folder, with its files inside and its source map
# beside it. Bun writes maps only where it embeds them too, so the first of two builds is for them alone.
compile_to() {
  mkdir -p "$1"
  "$BUN" .ci/embedded.ts "$1/embedded" >&2
  bundle "$@" --sourcemap
  "$BUN" .ci/source-map.ts "$1" "$(commit)" "$1/outrider.map.gz" >&2
  bundle "$@" --sourcemap=none
}

bundle() {
  "$BUN" build --compile --no-compile-autoload-dotenv --no-compile-autoload-bunfig \
    --minify-syntax --minify-whitespace --format=esm --splitting --compile-jit-policy=64 \
    --define "OUTRIDER_COMMIT=\"$(commit)\"" \
    --define '__dirname="/"' --define '__filename="/outrider"' "${@:2}" \
    --asset "$1/embedded" src/main.ts src/app/reader.ts --outfile "$1/outrider" >&2
}

# What a release is built for: Bun's name of the target, the npm package that has its runtime, and the
# SHA-256 of that runtime, so that a release is made of known parts.
RELEASE_TARGETS="
bun-linux-x64 bun-linux-x64 f05d28a3862f4b84395c7fa32480b835dd47482e80b7e7a49a115227f0c06083
bun-linux-arm64 bun-linux-aarch64 04778f1f42399a69d086853e9c7af4acf574b2f21a43d0dc673853d8b84a2923
bun-linux-x64-musl bun-linux-x64-musl cf5d285ddbe256785a5121a3c113191a6b577504976374c7cfd5aedca609b720
bun-linux-arm64-musl bun-linux-aarch64-musl 9c48986093073afec8b76a3e285303598dd2462f52748aecb65e4d94866e1ea3
bun-darwin-x64 bun-darwin-x64 88f97645b270aef20f9f9442f1658461cab3e7128e658af4615144e3396f084a
bun-darwin-arm64 bun-darwin-aarch64 e2984124f1514e1e6bbda20adedbf07a02c443c6a5828853a15c7c7abf78e19f
bun-windows-x64 bun-windows-x64 e06ad0864463c68892ae71a2a64af7eae1585cac5dd9b80bc042f45605587cb1
"

# Prints the path of a platform's runtime, fetched where it is not here yet.
runtime_of() {
  local package=$1 hash=$2 folder=.toolchain/runtimes/$1 file=bin/bun
  [[ $package == *windows* ]] && file=bin/bun.exe
  if [[ ! -f $folder/package/$file ]]; then
    say "fetching @oven/$package $BUN_VERSION"
    mkdir -p "$folder"
    npm pack --silent --pack-destination "$folder" "@oven/$package@$BUN_VERSION" >&2
    tar -xzf "$folder"/*.tgz -C "$folder"
    rm -f "$folder"/*.tgz
  fi
  echo "$hash  $folder/package/$file" | sha256sum --check --status ||
    die $UNAVAILABLE "$folder/package/$file is not the runtime that this release is made of."
  echo "$folder/package/$file"
}

# The same commit gives the same bytes: nothing of this machine or this hour is in them. RELEASE names
# the targets, where not all are wanted; OSV_RECORDS a folder with npm/all.zip of OSV, in which an advisory that
# touches a part ends the release; RELEASE_KEY the secret key that signs it (minisign -G -W), of which the
# public part is update_key's default (src/config/update.ts). Bytecode of another platform has crashed for others: only the
# platform that releases are built on has it.
release() {
  local out=dist/release made='' names options target package hash runtime file
  read -ra names <<<"${RELEASE:-}"
  rm -rf "$out"
  mkdir -p "$out"
  while read -r target package hash; do
    [[ -n $target ]] || continue
    [[ ${#names[@]} == 0 || " ${names[*]} " == *" $target "* ]] || continue
    runtime=$(runtime_of "$package" "$hash")
    made+=${made:+$'\n'}"$target $package $hash"
    say "compile for ${target#bun-}"
    options=(--target="$target" --compile-executable-path="$runtime")
    [[ $target != bun-linux-x64 ]] || options+=(--bytecode --bytecode-depth=1)
    compile_to dist/next "${options[@]}"
    for file in dist/next/outrider dist/next/outrider.exe; do
      [[ -f $file ]] || continue
      mv dist/next/outrider.map.gz "$out/outrider-${target#bun-}${file#dist/next/outrider}.map.gz"
      mv "$file" "$out/outrider-${target#bun-}${file#dist/next/outrider}"
    done
    rm -rf dist/next
  done <<<"$RELEASE_TARGETS"
  "$BUN" .ci/third-party.ts sbom "$(version)" >"$out/outrider.cdx.json"
  if [[ -n ${OSV_RECORDS:-} ]]; then
    "$BUN" .ci/advisories.ts "$out/outrider.cdx.json" "$OSV_RECORDS"
  else
    say "advisories not checked: OSV_RECORDS names no copy of OSV's records"
  fi
  cp src/cli/third-party.txt "$out/THIRD-PARTY.txt"
  cp .ci/packages/install.sh "$out/install.sh"
  if command -v dpkg-deb >/dev/null; then
    deb "$out" amd64 x64
    deb "$out" arm64 arm64
  else
    say "no Debian packages: dpkg-deb is missing"
  fi
  if command -v npm >/dev/null; then
    say "packages for npm"
    "$BUN" .ci/packages/npm.ts "$out" "$(version)"
  else
    say "no npm packages: npm is missing"
  fi
  "$BUN" .ci/provenance.ts "$out" "$(version)" "$(commit 40)" "$BUN_VERSION" <<<"$made"
  (cd "$out" && sha256sum -- * >SHA256SUMS)
  if [[ -n ${RELEASE_KEY:-} ]]; then
    "$BUN" .ci/sign.ts "$out/SHA256SUMS" "version:$(version) commit:$(commit)"
  else
    say "not signed: RELEASE_KEY names no key"
  fi
  say "made $out"
}

# deb FOLDER ARCHITECTURE CPU: the Debian package of a release's executable, where it has that one.
deb() {
  local executable=$1/outrider-linux-$3 unit=dist/outrider.service
  [[ -f $executable ]] || return 0
  say "package for $2"
  "$BUN" src/main.ts install --print --executable /usr/bin/outrider >"$unit"
  .ci/packages/deb.sh "$executable" "$2" "$(version)" "$unit" "$1/outrider-$2.deb"
  rm -f "$unit"
}

version() { sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json; }

smoke() {
  say "smoke test"
  run_tests test/smoke
}

run_tests() {
  OUTRIDER_EXECUTABLE=$PWD/dist/outrider "$BUN" test --timeout="$TEST_MS_MAX" "$@" >&2
}

is_fresh() {
  unchanged_since dist/outrider src/** clients/** migrations/** package.json bun.lock build.sh
}

# full: every test runs, and one that cannot is a failure. quick: what needs Debian packages or root is
# skipped by name.
tier() {
  local name missing=()
  if [[ -n ${OUTRIDER_TEST_TIER:-} ]]; then
    echo "$OUTRIDER_TEST_TIER"
    return
  fi
  ((EUID == 0)) || missing+=(root)
  for name in dovecot postfix openssl chromium spamd rspamd unbound cc zsh fish groff python3 go javac minisign; do
    command -v "$name" >/dev/null || missing+=("$name")
  done
  for name in bin/stripe-mock bin/litestream bin/pebble bin/promtool bin/oapi-codegen bin/osv-scanner \
    venv/bin/hadolint venv/bin/mypy venv/bin/openapi-python-client spectral/node_modules/.bin/spectral; do
    [[ -x .toolchain/$name ]] || missing+=("${name##*/}")
  done
  [[ -f .toolchain/java/openapi-generator-cli.jar ]] || missing+=(openapi-generator-cli)
  command -v schemathesis >/dev/null || [[ -x .toolchain/venv/bin/schemathesis ]] ||
    missing+=(schemathesis)
  .toolchain/venv/bin/python -c 'import dkim, scipy' 2>/dev/null || missing+=(dkimpy scipy)
  if ((${#missing[@]} > 0)); then
    say "quick tier: tests that need any of ${missing[*]} are skipped"
    echo quick
  else
    echo full
  fi
}

case ${1:-build} in
  build)
    install
    check
    compile
    OUTRIDER_TEST_TIER=$(tier) smoke
    say "built dist/outrider"
    ;;
  demo)
    install
    is_fresh || compile
    exec dist/outrider demo "${@:2}"
    ;;
  dev)
    install
    data=dist/dev-data
    if [[ ! -d $data ]]; then
      say "playing a month into $data, once"
      "$BUN" src/main.ts demo --data "$data" --until-done --speed 0 --leads 300 --json >/dev/null ||
        { rm -rf "$data" && die 1 "the month could not be played."; }
    fi
    exec "$BUN" run dev --data "$data" "${@:2}"
    ;;
  test)
    install
    check
    is_fresh || compile
    OUTRIDER_TEST_TIER=$(tier)
    export OUTRIDER_TEST_TIER
    case $OUTRIDER_TEST_TIER in
      quick | full) ;;
      *) die $USAGE "OUTRIDER_TEST_TIER must be quick or full, not \"$OUTRIDER_TEST_TIER\"." ;;
    esac
    say "test: $OUTRIDER_TEST_TIER tier"
    # Files run beside each other, since many of them wait for a browser or a server most of the time, and
    # the longest first. Their times are renewed by --update-timings.
    if (($# == 1)); then set -- test test; fi
    run_tests --parallel=3 --no-isolate --timings=test/timings.json "${@:2}"
    ;;
  screens)
    install
    exec "$BUN" test/support/screens.ts "${@:2}"
    ;;
  release)
    install
    release
    ;;
  promises)
    install
    is_fresh || compile
    OUTRIDER_TEST_TIER=$(tier)
    export OUTRIDER_TEST_TIER OUTRIDER_EXECUTABLE=$PWD/dist/outrider
    exec "$BUN" .ci/promises.ts "${@:2}"
    ;;
  bench)
    install
    exec "$BUN" bench/main.ts "${@:2}"
    ;;
  soak)
    install
    is_fresh || compile
    mkdir -p docs/reports
    report=docs/reports/soak.txt
    {
      echo "Soak of $(commit), $(date -u +%Y-%m-%d), $(nproc) cores, $(uname -sr)"
      run_tests ./test/soak/*.soak.ts 2>&1
    } | tee "$report" >&2
    ;;
  *)
    die $USAGE "unknown command \"$1\"; there are build, demo, dev, test, promises, release, bench, screens and soak."
    ;;
esac
