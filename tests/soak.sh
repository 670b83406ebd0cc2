#!/bin/sh
# Runs the tests that find more the longer they run: skin on bodies that no animator would make, readers on damaged
# files, random calls of the C ABI, random property-test cases; then the library as shipped. `sh tests/run.sh` runs the
# same tests in a bounded form (a factor of 1, a library that is not optimised).
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
cargo test --no-fail-fast --features opensubdiv --lib --test skin_soak --test fuzz_bounded --test strand
cargo test --features opensubdiv --test abi_hosts fuzzed_calls
# The shipped library must load here, slide, and serve a host's calls, which print the timings that
# matter to hosts; nothing asserts them.
sh cpp/dist.sh
shipped=$(ls -d target/dist/sinew-*-linux-x86_64/lib/libsinew.so | tail -n 1)
slid=$(python3 examples/python/slide.py "$shipped")
echo "$slid" | tail -n 1
for case in steps_disturb_no_other_node progress_is_seen_and_cancel_is_soon lean_states_go_on_alike; do
    python3 tests/abi/hosts.py "$shipped" $case
done
