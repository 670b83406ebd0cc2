"""Turns PPM files into PNG files, as small as filters and zlib make them: python3 png.py FROM.ppm TO.png"""

import struct
import sys
import zlib


def filtered(row, before, kind):
    """A row of RGB bytes as one of PNG's filters leaves it."""
    left = bytes(3) + row[:-3]
    if kind == 0:
        return row
    if kind == 1:
        return bytes((a - b) & 255 for a, b in zip(row, left, strict=True))
    if kind == 2:
        return bytes((a - b) & 255 for a, b in zip(row, before, strict=True))
    corner = bytes(3) + before[:-3]
    return bytes((a - paeth(b, c, d)) & 255 for a, b, c, d in zip(row, left, before, corner, strict=True))


def paeth(left, up, corner):
    guess = left + up - corner
    return min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_of(ppm):
    magic, size, deep, pixels = ppm.split(b"\n", 3)
    if magic != b"P6" or deep != b"255":
        raise SystemExit("not a PPM file of bytes")
    width, height = map(int, size.split())
    rows, before = [], bytes(3 * width)
    for y in range(height):
        row = pixels[3 * width * y : 3 * width * (y + 1)]
        # The filter that leaves the smallest numbers, counted both ways from 0.
        cost, kind, best = min(
            (sum(min(b, 256 - b) for b in data), kind, data)
            for kind, data in ((k, filtered(row, before, k)) for k in (0, 1, 2, 4))
        )
        rows.append(bytes([kind]) + best)
        before = row
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as ppm, open(sys.argv[2], "wb") as png:
        png.write(png_of(ppm.read()))
