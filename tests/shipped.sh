#!/bin/sh
# Tries the library that `sh cpp/dist.sh FOLDER` packed: it must load here, slide, and serve a host's calls, which print
# how long they took.
set -eu
cd "$(dirname "$0")/.."
shipped=$(echo "$1"/sinew-*-linux-x86_64/lib/libsinew.so)
python3 examples/python/slide.py "$shipped" | tail -n 1
for case in steps_disturb_no_other_node progress_is_seen_and_cancel_is_soon lean_states_go_on_alike; do
    python3 tests/abi/hosts.py "$shipped" $case
done
