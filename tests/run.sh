#!/bin/sh
# Runs every test, on a fresh machine too: the README's test command, and what the CI calls.
#
# Rust comes from rustup (https://rustup.rs). Everything else that is missing is installed by apt when this runs as
# root on a Debian-like system; otherwise it says what to install and stops.
set -eu
cd "$(dirname "$0")/.."
started=$(date +%s)

say() { printf '\n== %s (%s s)\n' "$1" "$(($(date +%s) - started))"; }

# One line each: the program (or file) that must be there, and the Debian package that brings it.
needed='cc gcc
c++ g++
cmake cmake
ninja ninja-build
pkg-config pkg-config
python3 python3
valgrind valgrind
/usr/include/opensubdiv/version.h libosd-dev'

say "tools"
if ! command -v cargo >/dev/null 2>&1; then
    echo "cargo is missing: install Rust 1.95 or newer from https://rustup.rs" >&2
    exit 1
fi
missing=$(echo "$needed" | while read -r program package; do
    case $program in
    /*) [ -e "$program" ] || echo "$package" ;;
    *) command -v "$program" >/dev/null 2>&1 || echo "$package" ;;
    esac
done)
if [ -n "$missing" ]; then
    # Word splitting turns the lines into arguments.
    # shellcheck disable=SC2086
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
    else
        echo "missing, please install (names of Debian packages):" $missing >&2
        exit 1
    fi
fi

say "format"
cargo fmt --check
say "lints, warnings are errors"
cargo clippy --quiet --all-targets --features opensubdiv -- -D warnings
say "documentation, warnings are errors"
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps
say "tests"
# Test binaries first, then doc tests; one feature set, so that the crate is built once.
log=target/test-output.txt
code_file=target/test-code.txt
{ cargo test --no-fail-fast --features opensubdiv 2>&1 && echo 0 >"$code_file" || echo 1 >"$code_file"; } | tee "$log"
say "summary"
awk '/^test result:/ { passed += $4; failed += $6; skipped += $8 }
     END { printf "tests: %d passed, %d failed, %d skipped\n", passed, failed, skipped }' "$log"
exit "$(cat "$code_file")"
