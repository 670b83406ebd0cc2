#!/bin/sh
# A C++ compiler whose plug-ins run on any Linux that Maya 2024 to 2027 runs on: g++ compiles, and zig, which knows the
# symbols of every glibc, links for glibc 2.28.
#
# Those versions of Maya are made with gcc 11.2 on Red Hat 8 or Rocky 8, where the C++ library is that of gcc 8; what a
# newer g++ makes needs a newer one. So g++'s own C++ library is linked in, and exports nothing. It must be g++'s: Maya
# asks objects of the plug-in for their types by what its libstdc++ lays out, and clang's library lays it out otherwise.
# That no type of the C++ library is passed between Maya and the plug-in is for check_linux.py to see.
set -eu
here=$(dirname "$0")
# Programs, such as those with which CMake tries a compiler, stay here.
case " $* " in
*" -shared "*) ;;
*) exec g++ "$@" ;;
esac
of_gcc() { realpath "$(g++ -print-file-name="$1")"; }
# gcc's crtbeginS.o runs destructors of statics when the plug-in is unloaded; without it they run when Maya ends, in
# memory that is no longer there.
exec python-zig cc -target x86_64-linux-gnu.2.28 "$(of_gcc crtbeginS.o)" "$@" "$here/older_glibc.c" \
    "$(of_gcc libstdc++.a)" "$(of_gcc libgcc_s.so.1)" "$(of_gcc crtendS.o)"
