"""The UVs that examples/python/arm.py wrote are those of the job's tables: wheel_arm.py RESULT FOLDER"""

import pathlib
import sys

import numpy as np

slid, same = np.load(sys.argv[1]), 0
for path in sorted(pathlib.Path(sys.argv[2]).glob("uv.*.obj")):
    lines = [line.split() for line in path.open()]
    uvs = np.array([line[1:3] for line in lines if line[0] == "vt"], np.float32)
    corners = [int(corner.split("/")[1]) - 1 for line in lines if line[0] == "f" for corner in line[1:]]
    assert np.array_equal(slid[f"uvs_{path.name[3:7]}"], uvs[corners]), path
    same += 1
print(f"{same} frames are the same")
