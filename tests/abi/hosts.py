"""What hosts do to the library, in Python with ctypes alone.

    python3 hosts.py LIBRARY           lists the cases
    python3 hosts.py LIBRARY CASE

Each case prints its figures and fails with an assertion. tests/abi_hosts.rs runs them all. With SINEW_STRICT=1 figures
that depend on the machine are asserted as well: for the shipped library on an otherwise idle machine.
"""

import sys

import ctypes_client as sinew
import hosts_data
import hosts_threads
import hosts_time

CASES = {case.__name__: case for module in (hosts_threads, hosts_time, hosts_data) for case in module.CASES}

if __name__ == "__main__":
    library = sinew.load(sys.argv[1])
    if len(sys.argv) < 3:
        print("\n".join(CASES))
    else:
        CASES[sys.argv[2]](library)
        print(f"{sys.argv[2]}: ok")
