#!/bin/sh
# Makes the archive for plug-ins: the library for Linux with glibc 2.28 or newer (VFX Reference Platform 2024 to 2026),
# stripped, with its headers, the licence and the notices of third parties.
#
#     sh cpp/dist.sh            writes target/dist/sinew-VERSION-linux-x86_64.tar.gz
#     sh cpp/dist.sh FOLDER     writes it there
#
# The linker comes with zig, which knows the symbols of every glibc; both it and cargo-zigbuild are taken from PyPI into
# target/dist-tools and need no installation.
set -eu
cd "$(dirname "$0")/.."
glibc=2.28
target=x86_64-unknown-linux-gnu
archives=${1:-target/dist}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
major=$(sed -n 's/^pub const SINEW_ABI_MAJOR: u32 = \([0-9]*\);/\1/p' src/ffi/status.rs)

tools=target/dist-tools
if ! [ -x $tools/bin/cargo-zigbuild ]; then
    python3 -m venv $tools
    $tools/bin/pip install --quiet --disable-pip-version-check ziglang==0.15.1 cargo-zigbuild==0.20.1
fi
[ -d "$(rustc --print target-libdir --target $target)" ] || rustup target add $target
PATH="$PWD/$tools/bin:$PATH" SINEW_SONAME="libsinew.so.$major" \
    cargo zigbuild --quiet --profile dist --lib --target $target.$glibc
built=target/$target/dist/libsinew.so

# Checks the glibc version, the SONAME that programs record, and that no local path is left.
newest=$(objdump -T "$built" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -V | tail -n 1)
if [ "$(printf '%s\n%s\n' "$newest" $glibc | sort -V | tail -n 1)" != $glibc ]; then
    echo "the library requires glibc $newest, but at most $glibc is allowed:" >&2
    objdump -T "$built" | grep "GLIBC_$newest" >&2
    exit 1
fi
readelf -d "$built" | grep -q "SONAME.*\[libsinew.so.$major\]"
if strings "$built" | grep -q "$PWD"; then
    echo "the library contains the path of this folder" >&2
    exit 1
fi

name=sinew-$version-linux-x86_64
folder=$archives/$name
rm -rf "$folder"
mkdir -p "$folder/lib" "$folder/include"
cp "$built" "$folder/lib/libsinew.so.$major"
ln -s "libsinew.so.$major" "$folder/lib/libsinew.so"
cp -R cpp/include/sinew "$folder/include/sinew"
cp LICENSE "$folder/LICENSE"
python3 cpp/notices.py $target >"$folder/NOTICES.txt"
tar -C "$archives" --owner=0 --group=0 --sort=name -czf "$archives/$name.tar.gz" "$name"
echo "$archives/$name.tar.gz: library $(stat -c %s "$built") bytes, glibc $newest, libsinew.so.$major"
