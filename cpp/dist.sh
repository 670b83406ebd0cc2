#!/bin/sh
# Makes the archive for people without Rust: the program with its completions, the library with its headers and its packages
# for CMake and pkg-config, the examples, the licence and the notices of third parties. Debug symbols are in an archive apart.
#
#     sh cpp/dist.sh                    writes target/dist/sinew-VERSION-linux-x86_64.tar.gz
#     sh cpp/dist.sh FOLDER             writes it there
#     sh cpp/dist.sh FOLDER windows     the same for Windows: sinew.exe, sinew.dll, its import libraries
#
# With DEVKIT_LOCATION=DEVKIT[:DEVKIT...], devkits of Maya for Linux, it also makes the archive of the plug-in for those
# versions, sinew-maya-VERSION-linux-x86_64.zip (maya_plugin/install/archive.sh).
#
# The Linux library needs glibc 2.28 or newer (VFX Reference Platform 2024 to 2026). Its linker comes with zig, which knows the
# symbols of every glibc; both it and cargo-zigbuild are taken from PyPI into target/dist-tools and need no installation. For
# Windows, Debian's MinGW is needed (gcc-mingw-w64-x86-64).
set -eu
cd "$(dirname "$0")/.."
glibc=2.28
archives=${1:-target/dist}
system=${2:-linux}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
major=$(sed -n 's/^pub const SINEW_ABI_MAJOR: u32 = \([0-9]*\);/\1/p' src/ffi/status.rs)

tools=target/dist-tools
if ! [ -x $tools/bin/cargo-zigbuild ]; then
    python3 -m venv $tools
    $tools/bin/pip install --quiet --disable-pip-version-check ziglang==0.15.1 cargo-zigbuild==0.20.1
fi
PATH="$PWD/$tools/bin:$PATH"

name=sinew-$version-$system-x86_64
folder=$archives/$name
rm -rf "$folder" "$folder-debug"
mkdir -p "$folder/bin" "$folder/lib" "$folder/examples" "$folder-debug"

# Splits a file into what runs and its debug symbols, which debuggers find by the link in the first.
split() {
    symbols=$folder-debug/$(basename "$2").debug
    "$objcopy" --only-keep-debug "$1" "$symbols"
    "$objcopy" --strip-all --add-gnu-debuglink="$symbols" "$1" "$2"
}

# No path of this machine is in what is shipped.
crates=${CARGO_HOME:-$HOME/.cargo}/registry/src
RUSTFLAGS="--remap-path-prefix=$PWD=sinew"
for index in "$crates"/*; do
    RUSTFLAGS="$RUSTFLAGS --remap-path-prefix=$index=crates"
done
export RUSTFLAGS

case $system in
linux)
    target=x86_64-unknown-linux-gnu objcopy=objcopy
    [ -d "$(rustc --print target-libdir --target $target)" ] || rustup target add $target
    SINEW_SONAME="libsinew.so.$major" \
        cargo zigbuild --quiet --profile dist -p sinew --lib --bins --target $target.$glibc
    built=target/$target/dist
    # Checks the glibc version, and the SONAME that programs record.
    newest=$(objdump -T "$built/libsinew.so" "$built/sinew" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -V | tail -n 1)
    if [ "$(printf '%s\n%s\n' "$newest" $glibc | sort -V | tail -n 1)" != $glibc ]; then
        echo "glibc $newest is required, but at most $glibc is allowed:" >&2
        objdump -T "$built/libsinew.so" "$built/sinew" | grep "GLIBC_$newest" >&2
        exit 1
    fi
    readelf -d "$built/libsinew.so" | grep -q "SONAME.*\[libsinew.so.$major\]"
    cmake -S cpp -B "$folder-cmake" -DSINEW_LIBRARY="$PWD/$built/libsinew.so" -DSINEW_SONAME="libsinew.so.$major" \
        -DCMAKE_INSTALL_LIBDIR=lib >/dev/null
    cmake --install "$folder-cmake" --prefix "$folder" >/dev/null
    split "$built/libsinew.so" "$folder/lib/libsinew.so.$major"
    ln -sf "libsinew.so.$major" "$folder/lib/libsinew.so"
    split "$built/sinew" "$folder/bin/sinew"
    programs="$folder/bin/sinew $folder/lib/libsinew.so.$major"
    ;;
windows)
    target=x86_64-pc-windows-gnu objcopy=x86_64-w64-mingw32-objcopy
    [ -d "$(rustc --print target-libdir --target $target)" ] || rustup target add $target
    cargo build --quiet --profile dist -p sinew --lib --bins --target $target
    built=target/$target/dist
    cmake -S cpp -B "$folder-cmake" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc \
        -DSINEW_LIBRARY="$PWD/$built/sinew.dll" -DCMAKE_INSTALL_LIBDIR=lib >/dev/null
    cmake --install "$folder-cmake" --prefix "$folder" >/dev/null
    # What Microsoft's linker reads, made from the names that the library exports.
    {
        echo "EXPORTS"
        sed -n 's/^.*\b\(sinew_[a-z0-9_]*\)(.*/\1/p' cpp/include/sinew/sinew.h | sort -u
    } >"$folder/lib/sinew.def"
    python-zig dlltool -m i386:x86-64 -D sinew.dll -d "$folder/lib/sinew.def" -l "$folder/lib/sinew.dll.lib"
    for file in sinew.exe sinew.dll; do
        split "$built/$file" "$folder/bin/$file"
    done
    programs="$folder/bin/sinew.exe $folder/bin/sinew.dll"
    ;;
*)
    echo "no archive is made for $system: linux or windows" >&2
    exit 2
    ;;
esac
rm -r "$folder-cmake"
for file in $programs; do
    if strings "$file" | grep -e "$PWD" -e "$crates" >&2; then
        echo "$file contains a path of this machine" >&2
        exit 1
    fi
done

# The completions and the complete files of the reference are printed by the program itself, where it runs.
if [ $system = linux ]; then
    completions=$folder/share
    mkdir -p "$completions/bash-completion/completions" "$completions/zsh/site-functions" \
        "$completions/fish/vendor_completions.d"
    "$folder/bin/sinew" completions bash >"$completions/bash-completion/completions/sinew"
    "$folder/bin/sinew" completions zsh >"$completions/zsh/site-functions/_sinew"
    "$folder/bin/sinew" completions fish >"$completions/fish/vendor_completions.d/sinew.fish"
fi
for examples in arm c cpp muscles python strand; do
    cp -R "examples/$examples" "$folder/examples/$examples"
done
cp README.md LICENSE "$folder"
python3 cpp/notices.py $target >"$folder/NOTICES.txt"
for made in "$name" "$name-debug"; do
    tar -C "$archives" --owner=0 --group=0 --sort=name -czf "$archives/$made.tar.gz" "$made"
    echo "$archives/$made.tar.gz: $(stat -c %s "$archives/$made.tar.gz") bytes"
done

if [ -z "${DEVKIT_LOCATION:-}" ]; then
    echo "no archive of the plug-in for Maya: DEVKIT_LOCATION names no devkit of Maya, which Autodesk alone may hand out"
elif [ $system = linux ]; then
    sh maya_plugin/install/archive.sh "$folder"
else
    echo "no archive of the plug-in for Maya: Maya's libraries for Windows need Visual Studio (maya_plugin/README.md)"
fi
