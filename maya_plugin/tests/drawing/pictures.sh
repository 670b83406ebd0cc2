#!/bin/sh
# Makes the pictures of maya_plugin/README.md anew: tests/drawing/pictures.sh PROGRAM, which is sinew_maya_pictures as
# CMake has built it. The human must be there: sh tests/human.sh.
set -eu
program=${1:?"usage: $0 PROGRAM, the path of sinew_maya_pictures"}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
human=${HUMAN:-$root/target/human}
if [ ! -f "$human/base.obj" ]; then
    echo "There is no human in $human: run sh tests/human.sh, or name her folder with HUMAN." >&2
    exit 2
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 "$here/human.py" "$human" raised 24 "$scratch/raised.txt"
python3 "$here/human.py" "$human" bent 12 "$scratch/bent.txt"
"$program" "$scratch/raised.txt" "$scratch/bent.txt" "$root/src/drawing/font.rs" "$scratch"
mkdir -p "$root/maya_plugin/pictures"
for picture in stretch tendons muscles; do
    python3 "$here/png.py" "$scratch/$picture.ppm" "$root/maya_plugin/pictures/$picture.png"
done
