"""Prints the seconds that the library which studios use takes to write and to read a mesh that moves.

alembic_speed.py FILE SIDE FRAMES ROUNDS
"""

import sys
import time

import imath
import numpy
from alembic3d import Abc, AbcCoreAbstract, AbcGeom

path, side, frames, rounds = sys.argv[1], *map(int, sys.argv[2:])


def array(kind, values):
    made = kind(len(values))
    for k, value in enumerate(values):
        made[k] = value
    return made


def grid():
    corner = [(i, j) for i in range(side - 1) for j in range(side - 1)]
    around = ((0, 0), (1, 0), (1, 1), (0, 1))
    indices = [(i + a) * side + j + b for i, j in corner for a, b in around]
    return array(imath.IntArray, indices), array(imath.IntArray, [4] * len(corner))


def positions():
    made = []
    for frame in range(frames):
        points = imath.V3fArray(side * side)
        for k, component in enumerate((points.x, points.y, points.z)):
            values = numpy.arange(side * side, dtype=numpy.float32) * (k + 1) + frame
            for at, value in enumerate(values.tolist()):
                component[at] = value
        made.append(points)
    return made


def write(samples, indices, counts):
    archive = Abc.OArchive(path)
    index = archive.addTimeSampling(AbcCoreAbstract.TimeSampling(1 / 24, 1 / 24))
    schema = AbcGeom.OPolyMesh(archive.getTop(), "body", index).getSchema()
    for points in samples:
        schema.set(AbcGeom.OPolyMeshSchemaSample(points, indices, counts))


def read():
    archive = Abc.IArchive(path)
    schema = AbcGeom.IPolyMesh(archive.getTop(), "body").getSchema()
    prop = schema.getPositionsProperty()
    sampling = prop.getTimeSampling()
    for k in range(prop.getNumSamples()):
        prop.getValue(Abc.ISampleSelector(sampling.getSampleTime(k)))


def median(run):
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return sorted(seconds)[rounds // 2]


inputs = positions(), *grid()
print(median(lambda: write(*inputs)), median(read))
