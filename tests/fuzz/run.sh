#!/bin/sh
# Fuzzes one reader, or all, for some seconds each: run.sh NAME|all [SECONDS]. Needs cargo-fuzz and a nightly toolchain.
#
# The stored corpus is only read; new inputs go to target/, failing ones to artifacts/.
set -eu
cd "$(dirname "$0")/../.."
names=$1
[ "$names" != all ] || names=$(ls tests/fuzz/corpus)
for name in $names; do
    mkdir -p "tests/fuzz/target/found/$name"
    SINEW_READER="$name" cargo +nightly fuzz run --fuzz-dir tests/fuzz reader \
        "tests/fuzz/target/found/$name" "tests/fuzz/corpus/$name" -- \
        -max_total_time="${2:-60}" -max_len=8192 -malloc_limit_mb=512 -timeout=10
done
