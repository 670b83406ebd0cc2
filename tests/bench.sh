#!/bin/sh
# Runs every benchmark and prints their tables. Times are printed, never asserted: the machine may be shared, so read
# ratios inside one run.
#
#   sh tests/bench.sh            all of them
#   sh tests/bench.sh linalg     one of them
#   sh tests/bench.sh mujoco     arms and speed of strands beside MuJoCo; stores its arms in tests/data/mujoco_arms.csv
#
# The comparisons with Blender and MuJoCo need their Python modules; they are installed into folders of target by pip
# when missing (about 400 and 200 MB), and left out with a message when that cannot be done.
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

# The Python that has a module, in a folder of its own: python_with FOLDER PACKAGE...
python_with() {
    folder=target/$1
    shift
    if [ ! -x "$folder/bin/python" ]; then
        python3 -m venv "$folder"
        "$folder/bin/pip" install --quiet "$@" ||
            { rm -rf "$folder"; echo "left out: $* could not be installed"; return 1; }
    fi
    python=$folder/bin/python
}

if run mujoco; then
    printf '\n== mujoco\n'
    if python_with bench-mujoco mujoco==4.0.0; then
        cargo bench --quiet --bench mujoco -- "$python"
    fi
fi

if run blender; then
    printf '\n== blender\n'
    if python_with bench-python bpy==5.0.1 numpy; then
        cargo build --release --quiet
        "$python" tests/bench/blender_armature.py target/release/libsinew.so
    fi
fi
