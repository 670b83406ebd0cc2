#!/bin/sh
# Whether what install/older_linux_cxx.sh links runs on older systems, is unloaded, and is told from what does not: a
# plug-in of a few lines, with what the C++ library takes from glibc, stands for the whole. zig must be in
# target/dist-tools (sh cpp/dist.sh fetches it).
set -eu
cd "$(dirname "$0")/../.."
PATH="$PWD/target/dist-tools/bin:$PATH"
install=$PWD/maya_plugin/install
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
cat >"$made/plugin.cpp" <<'END'
#include <condition_variable>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {
struct Ending {
    ~Ending() { ended = true; }
    static bool ended;
};
bool Ending::ended = false;
Ending ending;

int throws(const std::vector<int>& values) {
    try {
        return values.at(values.size());
    } catch (const std::out_of_range&) {
        return 40;
    }
}
}  // namespace

/// 42, by way of exceptions, streams, threads and shared ownership.
extern "C" __attribute__((visibility("default"))) int initializePlugin() {
    auto text = std::make_shared<std::ostringstream>();
    std::mutex mutex;
    std::condition_variable changed;
    bool ready = false;
    std::thread other([&, text] {
        const std::lock_guard<std::mutex> lock(mutex);
        *text << throws({}) + static_cast<int>(std::random_device()() % 1);
        ready = true;
        changed.notify_all();
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return ready; });
    }
    other.join();
    std::cout << std::flush;
    return std::stoi(text->str()) + static_cast<int>(text.use_count()) + (std::ifstream("/").is_open() ? 1 : 0);
}
END
build() {
    "$1" -std=c++17 -O1 -fPIC -c "$made/plugin.cpp" -o "$made/plugin.o"
    "$1" -shared "$made/plugin.o" -Wl,--version-script="$install/exports.map" -o "$made/$2"
}
build "$install/older_linux_cxx.sh" older.so
python3 -B "$install/check_linux.py" "$made/older.so"
python3 - "$made/older.so" <<'END'
import _ctypes, ctypes, sys

plugin = ctypes.CDLL(sys.argv[1])
assert plugin.initializePlugin() == 42, plugin.initializePlugin()
_ctypes.dlclose(plugin._handle)
assert sys.argv[1] not in open("/proc/self/maps").read(), "the plug-in stays in memory"
END
# What this machine's g++ links needs this machine's libraries, if those are newer.
build g++ newer.so
if [ "$(getconf GNU_LIBC_VERSION | sed 's/.* 2\.//')" -gt 28 ]; then
    if python3 -B "$install/check_linux.py" "$made/newer.so" 2>"$made/said.txt"; then
        echo "check_linux.py takes what needs a newer Linux" >&2
        exit 1
    fi
    grep -q "Maya's systems have" "$made/said.txt"
fi
echo "plug-ins of older_linux_cxx.sh load on glibc 2.28, and are unloaded"
