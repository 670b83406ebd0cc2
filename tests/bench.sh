#!/bin/sh
# Runs every benchmark and prints their tables. Times are printed, never asserted: the machine may be shared, so read
# ratios inside one run.
#
#   sh tests/bench.sh            all of them
#   sh tests/bench.sh linalg     one of them
#   sh tests/bench.sh muscles    muscles and the skin on them, beside published frame rates and, as `blender` alone, the Armature modifier
#   sh tests/bench.sh bake       textures of 4096 x 4096, beside OpenCV's remap of the same picture
#   sh tests/bench.sh bodies     the skin slider on animated characters, beside Blender's modifiers; takes long
#   sh tests/bench.sh mujoco     moment arms and speed of strands compared with MuJoCo, also on MyoHand; stores the
#                                moment arms in tests/data/mujoco_arms.csv
#
# The comparisons with Blender, MuJoCo and OpenCV need their Python modules; they are installed into folders of target by
# pip when missing (about 400, 200 and 150 MB), and left out with a message when that cannot be done.
set -eu
cd "$(dirname "$0")/.."

wanted=${1:-all}
run() { [ "$wanted" = all ] || [ "$wanted" = "$1" ]; }

# The human that the bodies benchmark poses, among other characters.
if run bodies; then
    sh tests/human.sh || echo "left out: the human could not be fetched"
fi

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

if run bake; then
    printf '\n== bake\n'
    if python_with bench-opencv opencv-python-headless==4.11.0.86 numpy==1.26.4; then
        cargo bench --quiet --bench bake -- "$python"
    else
        cargo bench --quiet --bench bake
    fi
fi

if run bodies; then
    printf '\n== bodies\n'
    if python_with bench-python bpy==5.0.1 numpy; then
        cargo bench --quiet --bench bodies -- --python "$python"
    else
        cargo bench --quiet --bench bodies
    fi
fi

if run mujoco; then
    printf '\n== mujoco\n'
    if python_with bench-hands mujoco==4.0.0 myo-sim==0.2.3; then
        cargo bench --quiet --bench mujoco -- "$python"
    fi
fi

if run blender || run muscles; then
    printf '\n== blender\n'
    if python_with bench-python bpy==5.0.1 numpy; then
        cargo build --release --quiet
        "$python" tests/bench/blender_armature.py target/release/libsinew.so
    fi
fi
