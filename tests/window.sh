#!/bin/sh
# Installs Debian's Blender (4.3), a virtual display (Xvfb) and a simulated mouse (xdotool) into target/window, a
# separate Debian system of about 1.2 GB; returns at once if it is already installed. Installing takes root, and mmdebstrap or apt-get:
# where either is missing, or the download fails, target/window.txt says why, and the tests that need it say that they
# are skipped.
set -eu
cd "$(dirname "$0")/.."
folder=target/window
packages=blender,python3-numpy,xvfb,xauth,imagemagick,xdotool
if [ -e "$folder/installed.txt" ] && [ "$(cat "$folder/installed.txt")" = "$packages" ]; then
    exit 0
fi
mkdir -p target
skip() {
    echo "$1" | tee target/window.txt
    exit 0
}
[ "$(id -u)" = 0 ] || skip "no Blender with a window: only root can install a Debian of its own"
if ! command -v mmdebstrap >/dev/null 2>&1; then
    command -v apt-get >/dev/null 2>&1 || skip "no Blender with a window: mmdebstrap is missing"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends mmdebstrap >target/window.log 2>&1 ||
        skip "no Blender with a window: mmdebstrap cannot be installed (target/window.log)"
fi
rm -rf --one-file-system "$folder"
# Leaving out translations and documentation saves most of the unneeded space.
timeout 900 mmdebstrap --quiet --variant=minbase --include="$packages" --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' trixie "$folder" \
    >target/window.log 2>&1 || {
    rm -rf --one-file-system "$folder"
    skip "no Blender with a window: mmdebstrap failed (target/window.log)"
}
rm -f target/window.txt
echo "$packages" >"$folder/installed.txt"
