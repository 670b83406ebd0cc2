"""Points and velocities of a moment, as the libraries of Alembic and USD read them, as JSON.

motion.py abc FILE PATH SECONDS    motion.py usd FILE PATH TIMECODE
"""

import json
import sys


def of_alembic(file, path, seconds):
    from alembic3d import Abc, AbcGeom

    here = Abc.IArchive(file).getTop()
    names = [name for name in path.split("/") if name]
    for name in names[:-1]:
        here = here.getChild(name)
    schema = AbcGeom.IPolyMesh(here, names[-1]).getSchema()
    sample = schema.getValue(Abc.ISampleSelector(seconds))
    points = schema.getPositionsProperty()
    times = [points.getTimeSampling().getSampleTime(k) for k in range(points.getNumSamples())]
    vectors = lambda array: [[v[0], v[1], v[2]] for v in array]
    return {"points": vectors(sample.getPositions()), "velocities": vectors(sample.getVelocities()), "times": times}


def of_usd(file, path, code):
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(file)
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(path))
    vectors = lambda array: [list(v) for v in array]
    points, velocities = mesh.GetPointsAttr(), mesh.GetVelocitiesAttr()
    return {
        "points": vectors(points.Get(code)),
        "velocities": vectors(velocities.Get(code)),
        "times": points.GetTimeSamples(),
        "rate": stage.GetTimeCodesPerSecond(),
        "ends": [stage.GetStartTimeCode(), stage.GetEndTimeCode()],
    }


read = {"abc": of_alembic, "usd": of_usd}[sys.argv[1]]
print(json.dumps(read(sys.argv[2], sys.argv[3], float(sys.argv[4]))))
