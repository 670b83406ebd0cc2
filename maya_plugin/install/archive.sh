#!/bin/sh
# Makes the archive of the plug-in for Maya on Linux, with the library of a release, for each Maya whose devkit is here:
#
#     DEVKIT_LOCATION=DEVKIT[:DEVKIT...] sh maya_plugin/install/archive.sh RELEASE
#
# RELEASE is the folder of a release that `sh cpp/dist.sh` has made, which calls this; a devkit is a folder with
# include/maya in it. Beside RELEASE it writes sinew-maya-VERSION-linux-x86_64.zip, and the plug-ins' debug symbols.
set -eu
release=${1:?"usage: $0 RELEASE, the folder of a release"}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
release=$(cd "$release" && pwd)
# zig is one of the tools that dist.sh fetches.
PATH="$root/target/dist-tools/bin:$PATH"
name=sinew-maya-${release##*/sinew-}
module=$(dirname "$release")/$name
library=$(find "$release/lib" -name 'libsinew.so.*' | head -n 1)
rm -rf "$module" "$module-build" "$module-debug"
mkdir -p "$module-debug"

# No path of this machine is in what is shipped.
flags="-g1 -ffile-prefix-map=$root=sinew"
set -- # The plug-ins, as arguments of build_module.py.
IFS=:
for devkit in ${DEVKIT_LOCATION:?}; do
    types=$devkit/include/maya/MTypes.h
    [ -f "$types" ] || { echo "DEVKIT_LOCATION: there is no file $types: give folders with include/maya." >&2; exit 1; }
    maya=$(sed -n 's/^#define MAYA_APP_VERSION *\([0-9]*\).*/\1/p' "$types" | head -n 1)
    build=$module-build/$maya
    [ ! -d "$build" ] || { echo "DEVKIT_LOCATION: two devkits are of Maya $maya." >&2; exit 1; }
    cmake -S "$here/.." -B "$build" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS=$flags" -DDEVKIT_LOCATION="$devkit" \
        -DCMAKE_CXX_COMPILER="$here/older_linux_cxx.sh" -DSINEW_LIBRARY="$library" >/dev/null
    cmake --build "$build" --target sinew_maya_plugin >/dev/null
    python3 -B "$here/check_linux.py" "$build/sinew.so"
    if ! objdump -p "$build/sinew.so" | grep -q "NEEDED *${library##*/}$"; then
        echo "$library calls itself by another name (SONAME), by which the plug-in would not find it: give a release." >&2
        exit 1
    fi
    symbols=$module-debug/$maya-sinew.so.debug
    objcopy --only-keep-debug "$build/sinew.so" "$symbols"
    objcopy --strip-all --add-gnu-debuglink="$symbols" "$build/sinew.so"
    if strings "$build/sinew.so" | grep -F "$root" >&2; then
        echo "$build/sinew.so contains a path of this machine" >&2
        exit 1
    fi
    set -- "$@" --plugin "$maya-linux=$build/sinew.so"
done
unset IFS

{
    cat "$release/NOTICES.txt"
    echo
    echo "The plug-in for Linux has parts of GCC's C++ library in it: GPL version 3 with the GCC Runtime Library Exception"
    echo "version 3.1, which allows that under any terms."
} >"$module-build/NOTICES.txt"
python3 -B "$here/build_module.py" "$module" "$@" --library "linux=$library" --notices "$module-build/NOTICES.txt" \
    --archive >/dev/null
tar -C "$(dirname "$module")" --owner=0 --group=0 --sort=name -czf "$module-debug.tar.gz" "$name-debug"
rm -r "$module-build"
for made in "$module.zip" "$module-debug.tar.gz"; do
    echo "$made: $(stat -c %s "$made") bytes"
done
