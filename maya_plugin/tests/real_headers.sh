#!/bin/sh
# Compiles every file of the adapter, and those that name all of our stand-in for Maya's API, against Maya's own headers,
# without code: what does not exist there, or is called differently, stops here.
# Usage: tests/real_headers.sh DEVKIT, a folder with include/maya in it. If SINEW_LIBRARY names the library, the plug-in
# is then linked, too; on Linux that needs no library of Maya's, which brings them.
# Nothing of the devkit belongs into this repository.
set -eu
devkit=${1:?"usage: $0 DEVKIT, the folder that has include/maya in it"}
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ ! -f "$devkit/include/maya/MPxNode.h" ]; then
    echo "$devkit/include/maya/MPxNode.h is missing: give the folder of a devkit." >&2
    exit 2
fi
version=$(sed -n 's/^#define MAYA_API_VERSION *\([0-9]*\).*/\1/p' "$devkit/include/maya/MTypes.h" | head -n 1)
failed=0
count=0
for file in $(find "$root/maya_plugin/adapter" "$root/maya_plugin/tests/maya_api_tests/uses_all" -name '*.cpp' | sort); do
    for compiler in ${CXX:-g++ clang++}; do
        "$compiler" -std=c++17 -fsyntax-only -Wall -Wextra -Wshadow -Wconversion -Werror -D_BOOL -DREQUIRE_IOSTREAM \
            -DLINUX -D_LINUX -isystem "$devkit/include" -I"$root/cpp/include" -I"$root/maya_plugin" "$file" || failed=1
        count=$((count + 1))
    done
done
[ "$failed" = 0 ] || { echo "The adapter does not compile against Maya's headers (API $version)." >&2; exit 1; }
echo "real headers: API $version, $count compilations, no warning"
if [ -n "${SINEW_LIBRARY:-}" ]; then
    build=$(mktemp -d)
    trap 'rm -rf "$build"' EXIT
    cmake -S "$root/maya_plugin" -B "$build" -DSINEW_LIBRARY="$SINEW_LIBRARY" -DDEVKIT_LOCATION="$devkit" >"$build/log.txt" &&
        cmake --build "$build" --target sinew_maya_plugin >>"$build/log.txt" 2>&1 || {
        tail -n 20 "$build/log.txt" >&2
        exit 1
    }
    echo "real headers: the plug-in links"
fi
