#!/bin/sh
# Installs the programs that check our files and pages (Alembic, USD, Blender, OpenCV, a browser driver) into
# target/judges, a separate Python environment (3.11, as Blender's module requires) of about 1.6 GB; returns at once if
# it is already installed.
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
