#!/bin/sh
# Installs the programs that check our files and pages (Alembic, USD, Blender 5.0, OpenCV, a browser driver) into
# target/judges, the oldest Blender that the add-on supports into target/blender_4.2, what checks scripts for Maya into
# target/maya, and where there is a Python 3.13, which their modules require, the long-term and the newest Blender into
# target/blender_5.2 and target/blender_5.3: separate Python environments (the first three 3.11) of about 1 GB each, 1.6
# for the judges, little for Maya. Where no Python 3.13 is found, target/blender_5.txt says so, and the tests that need it
# say that they are skipped. Returns at once if all are installed.
set -eu
cd "$(dirname "$0")/.."
python=python3
command -v python3.11 >/dev/null 2>&1 && python=python3.11
# Folder, list of what goes there, Python.
install() {
    folder=$1
    wanted=$2
    python=$3
    if [ -x "$folder/bin/python" ] && cmp -s "$wanted" "$folder/installed.txt"; then
        return
    fi
    rm -rf "$folder"
    mkdir -p target
    "$python" -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$folder/installed.txt"
}
# A Python 3.13: in the path, where pyenv's may not be the one that is selected, or among pyenv's versions.
newer=
for found in "$(command -v python3.13 || true)" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.13*/bin/python3.13; do
    if [ -x "$found" ] && "$found" -c 'import ensurepip' 2>/dev/null; then
        newer=$found
        break
    fi
done
install target/judges tests/judges/requirements.txt "$python"
install target/blender_4.2 tests/judges/blender_4.2.txt "$python"
# The types of Maya's commands, and what checks scripts against them.
install target/maya maya_plugin/tests/scripts/requirements.txt "$python"
if [ -n "$newer" ]; then
    rm -f target/blender_5.txt
    install target/blender_5.2 tests/judges/blender_5.2.txt "$newer"
    install target/blender_5.3 tests/judges/blender_5.3.txt "$newer"
else
    echo "no Blender 5.2 and 5.3: their modules need a Python 3.13, which is neither in the path nor among pyenv's versions" |
        tee target/blender_5.txt
fi
