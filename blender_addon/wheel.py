"""Makes the Python wheel of the package `sinew`, with the library of a distribution archive inside:

    python3 blender_addon/wheel.py target/dist/sinew-0.1.0-linux-x86_64.tar.gz target/dist

It prints the wheel's path. The platform in the wheel's name is what the library really needs: `manylinux_2_28` and
later only if it needs no other libraries than those of every Linux, and no newer glibc; otherwise `linux`, for machines
like this one.
"""

import base64
import hashlib
import re
import struct
import tomllib

from package import ADDON, LEGAL, Refused, file_name, files_below, files_of_archive, platform_of, run, zipped

# PyPI's `sinew` is another project.
NAME = "pysinew"
CARGO = ADDON.parent / "Cargo.toml"
# The glibc for which archives are made; a library that asks for less is tried with nothing older.
GLIBC = (2, 28)
# Libraries that are on every Linux with such a glibc.
EVERYWHERE = re.compile(r"(lib(c|m|dl|rt|pthread|gcc_s)|ld-linux[\w-]*)\.so\.\d")
METADATA = """Metadata-Version: 2.4
Name: {name}
Version: {version}
Summary: Sliding skin, tendons and muscles on finished animation
License-Expression: {license}
{files}Keywords: {keywords}
Classifier: Topic :: Multimedia :: Graphics :: 3D Modeling
Classifier: Typing :: Typed
Requires-Python: >=3.11
Requires-Dist: numpy>=1.24
Description-Content-Type: text/plain

{description}
"""


def text_at(data, at):
    return data[at : data.index(b"\0", at)].decode()


def needs_of_elf(data):
    """The libraries that a shared library needs, and the newest glibc."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise Refused("the library is no 64-bit ELF file")
    at, (size, count) = struct.unpack_from("<Q", data, 40)[0], struct.unpack_from("<HH", data, 58)
    # Of each section: its type, where it lies, its length, the number of the section with its texts, how many entries
    # it has.
    sections = [struct.unpack_from("<4xI16xQQII", data, at + k * size) for k in range(count)]
    needed, newest = set(), (2, 0)
    for kind, start, length, link, entries in sections:
        texts = sections[link][1] if link < count else 0
        if kind == 6:
            pairs = (struct.unpack_from("<QQ", data, k) for k in range(start, start + length, 16))
            needed.update(text_at(data, texts + value) for tag, value in pairs if tag == 1)
        elif kind == 0x6FFFFFFE:
            for _ in range(entries):
                versions, of_file, first, following = struct.unpack_from("<2xHIII", data, start)
                needed.add(text_at(data, texts + of_file))
                version = start + first
                for _ in range(versions):
                    name, step = struct.unpack_from("<8xII", data, version)
                    if found := re.fullmatch(r"GLIBC_(\d+)\.(\d+)(\.\d+)?", text_at(data, texts + name)):
                        newest = max(newest, (int(found[1]), int(found[2])))
                    version += step
                start += following
    return needed, newest


def oldest_macos(data):
    """The oldest macOS for which a library was linked, as (major, minor)."""
    if data[:4] != b"\xcf\xfa\xed\xfe":
        raise Refused("the library is no 64-bit Mach-O file of one architecture")
    at = 32
    for _ in range(struct.unpack_from("<I", data, 16)[0]):
        command, size, first, second = struct.unpack_from("<IIII", data, at)
        # LC_BUILD_VERSION has the platform first; LC_VERSION_MIN_MACOSX has not.
        if command in (0x32, 0x24):
            version = second if command == 0x32 else first
            return version >> 16, version >> 8 & 0xFF
        at += size
    raise Refused("the library does not say for which macOS it was linked")


def tag_of(target, library):
    """The wheel's platform: the one of the archive, and what its library needs there."""
    system, _, machine = target.partition("-")
    if system == "windows":
        return f"win_{machine.replace('x86_64', 'amd64')}"
    if system == "macos":
        major, minor = oldest_macos(library)
        return f"macosx_{major}_{0 if major > 10 else minor}_{machine}"
    needed, newest = needs_of_elf(library)
    if not all(map(EVERYWHERE.fullmatch, needed)):
        return f"linux_{machine}"
    major, minor = max(newest, GLIBC)
    return f"manylinux_{major}_{minor}_{machine}"


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def wheel(archive, folder):
    """Writes the wheel into the folder and gives its path."""
    cargo = tomllib.loads(CARGO.read_text())
    about = {**cargo["package"], **cargo["workspace"]["package"]}
    target = platform_of(archive, about["version"])
    library, legal = files_of_archive(archive, about["version"], target)
    tag, info = f"py3-none-{tag_of(target, library)}", f"{NAME}-{about['version']}.dist-info"
    files = {f"sinew/{name}": data for name, data in files_below(ADDON / "sinew").items()}
    description = files["sinew/__init__.py"].decode().split('"""')[1]
    files[f"sinew/lib/{file_name(target.partition('-')[0])}"] = library
    files.update({f"{info}/licenses/{name}": data for name, data in legal.items()})
    listed = "".join(f"License-File: {name}\n" for name in LEGAL)
    files[f"{info}/METADATA"] = METADATA.format(
        name=NAME,
        version=about["version"],
        license=about["license"],
        files=listed,
        keywords=",".join(about["keywords"]),
        description=description,
    ).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: sinew\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = f"{info}/RECORD"
    rows = [f"{name},sha256={digest(data)},{len(data)}" for name, data in sorted(files.items())]
    files[record] = "\n".join([*rows, f"{record},,", ""]).encode()
    return zipped(folder / f"{NAME}-{about['version']}-{tag}.whl", files)


if __name__ == "__main__":
    run(wheel, "wheel", __doc__)
