#!/bin/sh
# Installs the programs that check our files and pages (Alembic, USD, Blender 5.0, OpenCV, a browser driver) into
# target/judges, and the oldest Blender that the add-on supports into target/blender_4.2: separate Python environments
# (3.11, as Blender's modules require) of about 1.6 and 1.0 GB. Returns at once if both are already installed.
set -eu
cd "$(dirname "$0")/.."
python=python3
command -v python3.11 >/dev/null 2>&1 && python=python3.11
install() {
    folder=$1
    wanted=$2
    if [ -x "$folder/bin/python" ] && cmp -s "$wanted" "$folder/installed.txt"; then
        return
    fi
    rm -rf "$folder"
    mkdir -p target
    "$python" -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$folder/installed.txt"
}
install target/judges tests/judges/requirements.txt
install target/blender_4.2 tests/judges/blender_4.2.txt
