#!/bin/sh
# Runs every benchmark and prints their tables. Times are printed, never asserted: the machine may be shared, so read
# ratios inside one run.
#
#   sh tests/bench.sh            all of them
#   sh tests/bench.sh linalg     one of them
#
# The comparison with Blender needs its Python module; it is installed into target/bench-python by pip when missing
# (about 400 MB), and left out with a message when that cannot be done.
set -eu
cd "$(dirname "$0")/.."

wanted=${1:-all}
run() { [ "$wanted" = all ] || [ "$wanted" = "$1" ]; }

for bench in tests/bench/*.rs; do
    name=$(basename "$bench" .rs)
    if run "$name"; then
        printf '\n== %s\n' "$name"
        cargo bench --quiet --bench "$name"
    fi
done

if run blender; then
    printf '\n== blender\n'
    python=target/bench-python/bin/python
    if [ ! -x "$python" ]; then
        python3 -m venv target/bench-python
        target/bench-python/bin/pip install --quiet bpy==5.0.1 numpy ||
            { rm -rf target/bench-python; echo "left out: Blender's Python module could not be installed"; exit 0; }
    fi
    cargo build --release --quiet
    "$python" tests/bench/blender_armature.py target/release/libsinew.so
fi
