#!/bin/sh
# Runs the tests that find more the longer they run: skin on bodies that no animator would make, hands in every
# direction, readers on damaged files, random calls of the C ABI, random property-test cases; other processors and
# systems; then the library as shipped. `sh tests/run.sh` runs the same tests in a bounded form (a factor of 1, a library
# that is not optimised).
#
#   sh tests/soak.sh        ten times as long
#   sh tests/soak.sh 500    overnight
set -eu
cd "$(dirname "$0")/.."
factor=${1:-10}
case $factor in
'' | *[!0-9]* | 0)
    echo "usage: sh tests/soak.sh [FACTOR], a whole number" >&2
    exit 2
    ;;
esac
export SINEW_SOAK="$factor"
export SINEW_FUZZ_CALLS="$((5000 * factor))"
export PROPTEST_CASES="$((256 * factor))"
python3 tests/side_by_side.py --features opensubdiv --lib --test skin_soak --test fuzz_bounded --test strand --test hand
cargo test --features opensubdiv --test abi_hosts fuzzed_calls
# The same bits elsewhere: on an emulated processor without AVX and fused multiply-add, and from the Windows program.
same_as() {
    SINEW_SAME_AS="$*" cargo test --features opensubdiv --test processors -- --nocapture
}
if command -v qemu-x86_64 >/dev/null; then
    same_as qemu-x86_64 -cpu Nehalem target/debug/sinew
else
    echo "skipped: an emulated processor (Debian: qemu-user)"
fi
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
if [ -x "$wine" ] && command -v x86_64-w64-mingw32-gcc >/dev/null &&
    rustup target list --installed | grep -q x86_64-pc-windows-gnu; then
    cargo build -p sinew --lib --bins --target x86_64-pc-windows-gnu
    windows=target/x86_64-pc-windows-gnu/debug
    # A function of newer Windows that Debian's Wine lacks.
    cat >"$windows/random.c" <<'END'
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return RtlGenRandom(data, (ULONG)size); }
END
    x86_64-w64-mingw32-gcc -shared "$windows/random.c" -o "$windows/bcryptprimitives.dll" -ladvapi32
    WINEPREFIX=$(mktemp -d)
    export WINEPREFIX WINEDEBUG=-all
    # What sets the prefix up must have ended: it may take the first program with it.
    "$wine" wineboot --init
    wineserver --wait
    same_as "$wine" "$windows/sinew.exe"
    # The demo and a chain of nodes write there what they write here, and the C example prints the same.
    tried=$(mktemp -d)
    for there in here windows; do
        program=target/debug/sinew
        [ $there = here ] || program="$wine $windows/sinew.exe"
        # Word splitting turns the lines into arguments.
        # shellcheck disable=SC2086
        {
            $program demo "$tried/$there/demo" >/dev/null
            $program demo --arm "$tried/$there/arm" >/dev/null
            $program run "$tried/$there/arm/chain.xml" >/dev/null
        }
    done
    # Reports and pages hold seconds, and manifests their hashes.
    diff -r -x report.json -x page.html -x manifest.json -x '.sinew*' "$tried/here" "$tried/windows"
    cc -std=c11 examples/c/skinning.c -I cpp/include -L target/debug/deps -lsinew -Wl,-rpath,target/debug/deps -lm -o "$tried/skinning"
    x86_64-w64-mingw32-gcc -std=c11 examples/c/skinning.c -I cpp/include -L "$windows" -lsinew -o "$windows/skinning.exe"
    "$tried/skinning" >"$tried/here.txt"
    "$wine" "$windows/skinning.exe" | tr -d '\r' >"$tried/windows.txt"
    diff "$tried/here.txt" "$tried/windows.txt"
    rm -r "$tried"
    rm -r "$WINEPREFIX"
else
    echo "skipped: the Windows program (Debian: wine64 gcc-mingw-w64-x86-64; rustup target add x86_64-pc-windows-gnu)"
fi
# The plug-in for Maya by other compilers: all of it by clang++, and its host-neutral part by that for Windows.
plugin=$(mktemp -d)
compile_plugin() {
    cmake -G Ninja -S maya_plugin -B "$plugin" -DCMAKE_BUILD_TYPE=None "$@" && cmake --build "$plugin"
}
if command -v clang++ >/dev/null; then
    compile_plugin -DCMAKE_CXX_COMPILER=clang++ -DSINEW_LIBRARY="$PWD/target/debug/deps/libsinew.so"
    ctest --test-dir "$plugin" --output-on-failure
    rm -r "$plugin"
else
    echo "skipped: the plug-in by clang++ (Debian: clang)"
fi
if command -v x86_64-w64-mingw32-g++-posix >/dev/null; then
    compile_plugin -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_CXX_COMPILER=x86_64-w64-mingw32-g++-posix
else
    echo "skipped: the plug-in's host-neutral part for Windows (Debian: g++-mingw-w64-x86-64-posix)"
fi
rm -rf "$plugin"
# The shipped library must load here, slide, and serve a host's calls, which print the timings that
# matter to hosts; nothing asserts them.
sh cpp/dist.sh
# The library of macOS is linked by zig, which dist.sh has fetched; nothing runs it here.
if rustup target list --installed | grep -q aarch64-apple-darwin; then
    PATH="$PWD/target/dist-tools/bin:$PATH" cargo zigbuild --quiet -p sinew --lib --target aarch64-apple-darwin
    head -c 4 target/aarch64-apple-darwin/debug/libsinew.dylib | od -An -tx1 | grep -q "cf fa ed fe"
else
    echo "skipped: macOS (rustup target add aarch64-apple-darwin)"
fi
shipped=$(ls -d target/dist/sinew-*-linux-x86_64/lib/libsinew.so | tail -n 1)
slid=$(python3 examples/python/slide.py "$shipped")
echo "$slid" | tail -n 1
for case in steps_disturb_no_other_node progress_is_seen_and_cancel_is_soon lean_states_go_on_alike; do
    python3 tests/abi/hosts.py "$shipped" $case
done
