"""The least time in ms of OpenCV's bilinear remap of image.u8 through map.f32: peer.py FOLDER SIDE THREADS."""

import sys
import time

import cv2
import numpy

folder, side, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
cv2.setNumThreads(threads)
image = numpy.fromfile(f"{folder}/image.u8", numpy.uint8).reshape(side, side, 3)
st = numpy.fromfile(f"{folder}/map.f32", numpy.float32).reshape(side, side, 4)
x = numpy.ascontiguousarray(st[..., 0] * side - 0.5)
y = numpy.ascontiguousarray((1 - st[..., 1]) * side - 0.5)
least = float("inf")
for _ in range(5):
    start = time.perf_counter()
    cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    least = min(least, time.perf_counter() - start)
print(least * 1e3)
