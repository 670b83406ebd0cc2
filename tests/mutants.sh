#!/bin/sh
# Mutation testing of modules of src: which small changes of the code does no test notice?
#
#     sh tests/mutants.sh MODULE... [--sample N] [--seed S] [--longest SECONDS] [--budget SECONDS] [--only FILE]
#
# tests/mutants/README.md explains the figures and lists those of the last run; the comment at the top of
# tests/mutants/src/main.rs explains how it works. Needs `cargo install cargo-mutants`, which lists the mutants.
set -eu
cd "$(dirname "$0")/.."
work=$PWD/target/mutants
# A mutant may write or allocate without end; sanitizers reserve too much address space for a memory limit, so this
# process is made the first candidate of the out-of-memory killer.
ulimit -f 8000000
echo 1000 >/proc/self/oom_score_adj
rm -rf "$work/tmp"
mkdir -p "$work/tmp"
export TMPDIR="$work/tmp"
CARGO_TARGET_DIR="$work/program" cargo build --quiet --release --manifest-path tests/mutants/Cargo.toml
exec nice -n 15 "$work/program/release/sinew-mutants" "$@"
