#!/bin/sh
# Installs what judges our files and pages (Alembic, USD, Blender, OpenCV, a browser's driver) into target/judges, a
# Python of its own (3.11, which Blender's module asks for), about 1.6 GB; in no time when it is there already.
set -eu
cd "$(dirname "$0")/.."
folder=target/judges
wanted=tests/judges/requirements.txt
if [ -x "$folder/bin/python" ] && cmp -s "$wanted" "$folder/installed.txt"; then
    exit 0
fi
rm -rf "$folder"
mkdir -p target
python=python3
command -v python3.11 >/dev/null 2>&1 && python=python3.11
"$python" -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"
cp "$wanted" "$folder/installed.txt"
