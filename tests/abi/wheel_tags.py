"""What wheels are called, and what is in them: wheel_tags.py LIBRARY

The tag follows from what the library needs; binutils judge that."""

import pathlib
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "blender_addon"))
import wheel  # noqa: E402
from package import Refused  # noqa: E402

RELEASE = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]


def needs_by_objdump(path):
    text = subprocess.run(["objdump", "-p", path], check=True, capture_output=True, text=True).stdout
    glibc = [
        tuple(map(int, v)) for v in re.findall(r"^ +0x\S+ 0x\S+ \d+ GLIBC_(\d+)\.(\d+)(?:\.\d+)?$", text, flags=re.M)
    ]
    return set(re.findall(r"NEEDED +(\S+)", text)), max([(2, 0), *glibc])


def compiled(folder, code, *flags):
    made = folder / "made.so"
    subprocess.run(["cc", "-x", "c", "-", "-shared", "-fPIC", "-o", made, *flags], input=code, text=True, check=True)
    return made


def refused(part, call, *arguments):
    try:
        call(*arguments)
    except Refused as error:
        assert part in str(error), error
    else:
        raise AssertionError(f"accepted; expected {part!r}")


def tags_are_what_libraries_need(folder):
    plain, newer = (
        "int f(void) { return 1; }",
        "void *dlopen(const char *, int); void *f(void) { return dlopen(0, 1); }",
    )
    other = compiled(folder, plain, "-Wl,--no-as-needed", "-lstdc++")
    assert wheel.tag_of("linux-x86_64", other.read_bytes()) == "linux_x86_64", "it needs what not every Linux has"
    assert needs_by_objdump(other)[0] <= wheel.needs_of_elf(other.read_bytes())[0]
    for code in (plain, newer):
        made = compiled(folder, code, "-nostartfiles", "-Wl,--no-as-needed")
        needed, newest = wheel.needs_of_elf(made.read_bytes())
        assert needs_by_objdump(made) == (needed, newest) and (newest > (2, 28)) == (code == newer), (needed, newest)
        tag = "manylinux_{}_{}_aarch64".format(*max(newest, (2, 28)))
        assert wheel.tag_of("linux-aarch64", made.read_bytes()) == tag, tag
    built = pathlib.Path(sys.argv[1])
    assert wheel.needs_of_elf(built.read_bytes()) == needs_by_objdump(built)
    assert wheel.tag_of("windows-x86_64", b"MZ") == "win_amd64"
    # A Mach-O file with two commands, of which the second says macOS 11.3 or 10.13.
    for command, version, tag in ((0x32, (1, 11 << 16 | 3 << 8), "11_0"), (0x24, (10 << 16 | 13 << 8, 0), "10_13")):
        head = struct.pack("<4s7I", b"\xcf\xfa\xed\xfe", 0, 0, 6, 2, 0, 0, 0)
        made = head + struct.pack("<4I", 0x1B, 16, 0, 0) + struct.pack("<4I", command, 16, *version)
        assert wheel.tag_of("macos-arm64", made) == f"macosx_{tag}_arm64"
    refused("no 64-bit ELF", wheel.tag_of, "linux-x86_64", b"MZ")
    refused("no 64-bit Mach-O", wheel.tag_of, "macos-arm64", b"MZ")


def archives_of_other_platforms_make_wheels(folder):
    """The library of another platform is not loaded here; that of another release is refused by its name."""
    name = f"sinew-{RELEASE}-windows-x86_64"
    inside = folder / name
    (inside / "bin").mkdir(parents=True)
    for file in ("bin/sinew.dll", "LICENSE", "NOTICES.txt"):
        (inside / file).write_bytes(b"MZ of " + file.encode())
    archive = folder / f"{name}.tar.gz"
    with tarfile.open(archive, "w:gz") as made:
        made.add(inside, name)
    found = wheel.wheel(archive, folder / "out")
    assert found.name == f"pysinew-{RELEASE}-py3-none-win_amd64.whl"
    with zipfile.ZipFile(found) as read:
        assert read.read("sinew/lib/sinew.dll") == b"MZ of bin/sinew.dll"
        assert not [n for n in read.namelist() if "__pycache__" in n or n.endswith(".pyc") or "wheel.py" in n]
    refused("with one of the platforms", wheel.wheel, folder / "sinew-9.9.9-windows-x86_64.tar.gz", folder)
    refused("with one of the platforms", wheel.wheel, folder / f"sinew-{RELEASE}-plan9-x86_64.tar.gz", folder)


for case in (tags_are_what_libraries_need, archives_of_other_platforms_make_wheels):
    with tempfile.TemporaryDirectory() as empty:
        case(pathlib.Path(empty))
    print(f"{case.__name__}: ok")
