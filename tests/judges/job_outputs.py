"""What other people's libraries find in the outputs of one run: job_outputs.py FOLDER FRAMES.

Compares, with the OBJ file of each frame: points and UVs per corner of body.abc (alembic3d) and body.usda (USD), the
maps of both with maps.NNNN.csv, the ST-map by OpenEXR with its defaults and by OpenCV, and the baked texture with the
source that OpenCV fetches through the ST-map. Prints the largest differences as JSON.
"""

import json
import os
import sys

os.environ["OPENCV_IO_ENABLE_OPENEXR"] = "1"
import cv2
import numpy
import OpenEXR
from alembic3d import Abc, AbcGeom
from pxr import Usd, UsdGeom

folder, frames = sys.argv[1], [int(f) for f in sys.argv[2].split(",")]


def read_obj(path):
    points, uvs, corners = [], [], []
    for line in open(path):
        words = line.split()
        if words[0] == "v":
            points.append([float(x) for x in words[1:4]])
        elif words[0] == "vt":
            uvs.append([float(x) for x in words[1:3]])
        elif words[0] == "f":
            corners += [uvs[int(corner.split("/")[1]) - 1] for corner in words[1:]]
    return numpy.array(points), numpy.array(corners)


def off(a, b):
    a, b = numpy.asarray(a, float), numpy.asarray(b, float)
    assert a.shape == b.shape, (a.shape, b.shape)
    return float(numpy.abs(a - b).max())


archive = Abc.IArchive(f"{folder}/body.abc")
mesh = AbcGeom.IPolyMesh(archive.getTop(), archive.getTop().children[0].getName()).getSchema()
stage = Usd.Stage.Open(f"{folder}/body.usda")
prim = next(p for p in stage.Traverse() if p.IsA(UsdGeom.Mesh))
worst = {}


def note(what, value):
    worst[what] = max(worst.get(what, 0.0), value)


for frame in frames:
    points, corners = read_obj(f"{folder}/uv.{frame:04d}.obj")
    table = numpy.loadtxt(f"{folder}/maps.{frame:04d}.csv", delimiter=",", skiprows=1)
    sample = mesh.getValue(Abc.ISampleSelector(frame / 24.0))
    note("abc points", off([[p[0], p[1], p[2]] for p in sample.getPositions()], points))
    counts = list(sample.getFaceCounts())
    expanded = mesh.getUVsParam().getExpandedValue(Abc.ISampleSelector(frame / 24.0)).getVals()
    # Alembic's faces run the other way round.
    theirs, first = [], 0
    for count in counts:
        theirs += [[expanded[c][0], expanded[c][1]] for c in range(first + count - 1, first - 1, -1)]
        first += count
    first = 0
    turned = numpy.array(theirs)
    # Which corner a face begins with is the file's business: compare the faces as sets in their order round.
    worst_uv = 0.0
    for count in counts:
        a, b = turned[first : first + count], corners[first : first + count]
        worst_uv = max(worst_uv, min(numpy.abs(numpy.roll(a, s, axis=0) - b).max() for s in range(count)))
        first += count
    note("abc uvs", float(worst_uv))
    param = AbcGeom.IFloatGeomParam(mesh.getArbGeomParams(), "slide")
    note("abc slide", off(list(param.getExpandedValue(Abc.ISampleSelector(frame / 24.0)).getVals()), table[:, 1]))

    time = Usd.TimeCode(frame)
    usd = UsdGeom.Mesh(prim)
    note("usd points", off(usd.GetPointsAttr().Get(time), points))
    primvars = UsdGeom.PrimvarsAPI(prim)
    note("usd uvs", off(primvars.GetPrimvar("st").ComputeFlattened(time), corners))
    note("usd slide", off(primvars.GetPrimvar("slide").ComputeFlattened(time), table[:, 1]))
    note("usd stretch", off(primvars.GetPrimvar("stretchMax").ComputeFlattened(time), table[:, 2]))

    st = cv2.imread(f"{folder}/st.{frame:04d}.exr", cv2.IMREAD_UNCHANGED)[..., [2, 1, 0, 3]]
    # All channels in one array, which needs them to have one depth.
    note("st map", off(OpenEXR.File(f"{folder}/st.{frame:04d}.exr").channels()["RGBA"].pixels, st))
    baked = cv2.imread(f"{folder}/baked.{frame:04d}.png").astype(numpy.float32)
    source = cv2.imread(f"{folder}/../texture.png").astype(numpy.float32)
    height, width = source.shape[:2]
    x, y = st[..., 0] * width - 0.5, (1 - st[..., 1]) * height - 0.5
    fetched = cv2.remap(source, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = (st[..., 3] == 1) & (x > 1) & (y > 1) & (x < width - 2) & (y < height - 2)
    assert inside.mean() > 0.5
    difference = numpy.abs(fetched - baked).max(axis=2)[inside]
    note("baked", float(difference.max()))
    note("moved", float(numpy.abs(baked - source).mean()))

print(json.dumps(worst))
sys.stdout.flush()
os._exit(0)
