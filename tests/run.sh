#!/bin/sh
# Runs every test, even on a fresh machine: the test command of the README and of CI.
#
# Rust comes from rustup (https://rustup.rs). Everything else that is missing is installed by apt when this runs as
# root on a Debian-like system; otherwise it says what to install and stops.
set -eu
cd "$(dirname "$0")/.."
started=$(date +%s)

say() { printf '\n== %s (after %s s)\n' "$1" "$(($(date +%s) - started))"; }

# The place of a shared library that programs find; /missing/NAME when there is none.
library_file() {
    found=$(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p | sed -n "s|^[[:space:]]*$1 .*=> ||p" | head -n 1)
    echo "${found:-/missing/$1}"
}

# One per line: the program (or file) that is needed, and the Debian package that provides it.
needed='cc gcc
c++ g++
cmake cmake
ninja ninja-build
pkg-config pkg-config
python3 python3
npm npm
valgrind valgrind
/usr/include/opensubdiv/version.h libosd-dev
/usr/bin/chromium chromium'

say "tools"
if ! command -v cargo >/dev/null 2>&1; then
    echo "cargo is missing: install Rust 1.95 or newer from https://rustup.rs" >&2
    exit 1
fi
# Blender's Python module, which judges our files, loads these libraries.
for library in libX11.so.6:libx11-6 libXrender.so.1:libxrender1 libXfixes.so.3:libxfixes3 libXi.so.6:libxi6 \
    libxkbcommon.so.0:libxkbcommon0 libSM.so.6:libsm6 libICE.so.6:libice6 libGL.so.1:libgl1; do
    needed="$needed
$(library_file "${library%%:*}") ${library#*:}"
done
# On Debian, creating virtual environments needs a separate package.
if ! python3 -c 'import ensurepip' 2>/dev/null; then
    needed="$needed
/missing/ensurepip python3-venv"
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

# What judges our files comes from package registries while the checks compute.
fetched=target/fetched.txt
mkdir -p target
{ sh tests/judges.sh && sh tests/human.sh && sh tests/characters.sh && sh tests/window.sh; } >"$fetched" 2>&1 &
fetching=$!
# The archive for plug-ins is made in a folder of its own, by whatever processor the rest leaves idle, and with a library
# that is not optimised, to save time; `sh tests/soak.sh` tries the shipped one.
built=target/archive.txt
CARGO_PROFILE_DIST_OPT_LEVEL=0 CARGO_PROFILE_DIST_LTO=off nice -n 19 sh cpp/dist.sh target/tried >"$built" 2>&1 &
packing=$!

# Everything is built once: without incremental data this is quicker, and the code is faster.
export CARGO_INCREMENTAL=0

say "format"
cargo fmt --all --check
say "lints, warnings are errors"
cargo clippy --quiet --all-targets --features opensubdiv -- -D warnings
if ! [ -x target/lint/bin/ruff ]; then
    python3 -m venv target/lint
    target/lint/bin/pip install --quiet --disable-pip-version-check ruff==0.17.6
fi
target/lint/bin/ruff check --quiet
target/lint/bin/ruff format --quiet --check
say "documentation, warnings are errors"
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps --features opensubdiv
say "judges and human"
wait "$fetching" || { cat "$fetched"; exit 1; }
cat "$fetched"
say "tests"
# One feature set, so that the crate is built once.
code=0
python3 tests/side_by_side.py --features opensubdiv || code=1
say "tests in the documentation"
cargo test --quiet --doc --features opensubdiv || code=1
say "the archive for plug-ins"
wait "$packing" || { cat "$built"; exit 1; }
cat "$built"
slid=$(python3 examples/python/slide.py "$(ls -d target/tried/sinew-*-linux-x86_64/lib/libsinew.so | tail -n 1)")
echo "$slid" | tail -n 1
sh maya_plugin/tests/older_linux.sh
wheel=$(python3 -B blender_addon/wheel.py target/tried/sinew-*-linux-x86_64.tar.gz target/tried)
echo "$wheel"
case $wheel in
*-py3-none-manylinux_2_28_x86_64.whl) ;;
*) echo "the wheel does not run on every Linux with glibc 2.28" >&2 && code=1 ;;
esac
say "done"
exit "$code"
