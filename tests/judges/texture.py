"""OpenCV reads our EXR files value for value and remaps a picture through our ST-map: texture.py FOLDER WIDTH HEIGHT.

Prints the largest and the mean difference of the remapped from the baked picture, and over how many texels.
"""

import os
import sys

os.environ["OPENCV_IO_ENABLE_OPENEXR"] = "1"
import cv2
import numpy

folder, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def read(name):
    image = cv2.imread(f"{folder}/{name}", cv2.IMREAD_UNCHANGED)
    assert image is not None, name
    return image


def raw(name, channels):
    return numpy.fromfile(f"{folder}/{name}", numpy.float32).reshape(height, width, channels)


# OpenCV has blue first.
order = [2, 1, 0, 3]
for name in ["map", "half", "piz", "tiled"]:
    image = read(f"{name}.exr")
    assert image.dtype == numpy.float32 and image.shape == (height, width, 4), (image.dtype, image.shape)
    assert (image[..., order] == raw(f"{name}.f32", 4)).all(), name
deep = read("deep.png")
assert deep.dtype == numpy.uint16 and (deep[..., order[:3]] == raw("deep.f32", 3)).all()

st = raw("map.f32", 4)
source, baked = read("source.png").astype(numpy.float32), read("baked.png").astype(numpy.float32)
x, y = st[..., 0] * width - 0.5, (1 - st[..., 1]) * height - 0.5
remapped = cv2.remap(source, x, y, cv2.INTER_LINEAR)
# OpenCV mixes the background in at the borders of the island: only what is inside on both sides is compared.
island = raw("island.f32", 1)[..., 0]
inside = cv2.erode(island, numpy.ones((3, 3)))
fetched = cv2.remap(inside, x, y, cv2.INTER_LINEAR)
same = (st[..., 3] == 1) & (fetched == 1)
difference = numpy.abs(remapped - baked).max(axis=2)[same]
print(difference.max(), difference.mean(), same.sum())
