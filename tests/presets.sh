#!/bin/sh
# Writes the presets of the add-on as the library makes them now: sh tests/presets.sh
set -eu
cd "$(dirname "$0")/.."
cargo build --features opensubdiv
for preset in "finger --hand finger" "hand --hand four"; do
    name=${preset%% *}
    # shellcheck disable=SC2086 # its options
    target/debug/sinew strand ${preset#* } --force --write "blender_addon/presets/$name/$name.xml"
done
