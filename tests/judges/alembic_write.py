"""Writes an Alembic file of everything that Sinew reads, with the library that studios use.

alembic_write.py FILE
"""

import sys

import imath
from alembic3d import Abc, AbcCoreAbstract, AbcGeom

VERTEX = AbcGeom.GeometryScope.kVertexScope
CORNER = AbcGeom.GeometryScope.kFacevaryingScope
FACE = AbcGeom.GeometryScope.kUniformScope
WHOLE = AbcGeom.GeometryScope.kConstantScope
FRAMES = 4


def filled(kind, values):
    array = kind(len(values))
    for k, value in enumerate(values):
        array[k] = value
    return array


def vectors(values):
    return filled(imath.V3fArray, [imath.V3f(*v) for v in values])


def floats(values):
    return filled(imath.FloatArray, values)


def ints(values):
    return filled(imath.IntArray, values)


def indices(values):
    return filled(imath.UnsignedIntArray, values)


POINTS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 0, 0.5), (2, 1, 0.5)]
FACES = [[3, 2, 1, 0], [5, 4, 1], [2, 5, 1]]


def points(frame):
    return vectors([(x + 0.125 * frame, y * (1 + frame), z - 0.3 * frame) for x, y, z in POINTS])


def uvs(frame):
    return filled(imath.V2fArray, [imath.V2f(x + 0.1 * frame, y) for x, y, _ in POINTS])


def mesh(parent, sampling):
    body = AbcGeom.OPolyMesh(parent, "body", sampling).getSchema()
    params = body.getArbGeomParams()
    weight = AbcGeom.OFloatGeomParam(params, "weight", False, VERTEX, 1, sampling)
    corner = AbcGeom.OV3fGeomParam(params, "corner", True, CORNER, 1, sampling)
    face = AbcGeom.OInt32GeomParam(params, "face", False, FACE, 1, sampling)
    whole = AbcGeom.ODoubleGeomParam(params, "whole", False, WHOLE, 1)
    colour = AbcGeom.OC4fGeomParam(params, "Cd", False, VERTEX, 1)
    pair = AbcGeom.OFloatGeomParam(params, "pair", False, VERTEX, 2)
    corners = [v for f in FACES for v in f]
    for frame in range(FRAMES):
        sample = AbcGeom.OPolyMeshSchemaSample(
            points(frame),
            ints(corners),
            ints([len(f) for f in FACES]),
            AbcGeom.OV2fGeomParamSample(uvs(frame), indices(corners), CORNER),
            AbcGeom.ON3fGeomParamSample(vectors([(0, 0, 1 + frame)] * len(corners)), CORNER),
        )
        sample.setVelocities(vectors([(3, frame, -7.2)] * len(POINTS)))
        body.set(sample)
        weight.set(AbcGeom.OFloatGeomParamSample(floats([0.25 * k + frame for k in range(6)]), VERTEX))
        three = vectors([(1, 2, 3), (4, 5, 6), (7, 8, 9 + frame)])
        corner.set(AbcGeom.OV3fGeomParamSample(three, indices([k % 3 for k in range(10)]), CORNER))
        face.set(AbcGeom.OInt32GeomParamSample(ints([7, -8, 9]), FACE))
    whole.set(AbcGeom.ODoubleGeomParamSample(filled(imath.DoubleArray, [0.1]), WHOLE))
    colours = filled(imath.C4fArray, [imath.Color4f(0.1 * k, 0.2, 0.3, 1) for k in range(6)])
    colour.set(AbcGeom.OC4fGeomParamSample(colours, VERTEX))
    pair.set(AbcGeom.OFloatGeomParamSample(floats([0.5 * k for k in range(12)]), VERTEX))


def plain(parent, sampling):
    """No indices, no animation, UVs per vertex; other time."""
    still = AbcGeom.OPolyMesh(parent, "plain", sampling).getSchema()
    sample = AbcGeom.OPolyMeshSchemaSample(
        vectors(POINTS[:3]),
        ints([0, 1, 2]),
        ints([3]),
        AbcGeom.OV2fGeomParamSample(filled(imath.V2fArray, [imath.V2f(k, 0.5) for k in range(3)]), VERTEX),
        AbcGeom.ON3fGeomParamSample(vectors([(0, 0, 1)] * 3), VERTEX),
    )
    still.set(sample)


def transforms(top, sampling):
    kinds = AbcGeom.XformOperationType
    first = AbcGeom.OXform(top, "first", sampling)
    for frame in range(FRAMES):
        sample = AbcGeom.XformSample()
        sample.addOp(AbcGeom.XformOp(kinds.kTranslateOperation, 0), imath.V3d(1, 2 + frame, 3))
        sample.addOp(AbcGeom.XformOp(kinds.kRotateOperation, 0), imath.V3d(0.6, 0, 0.8), 30.0 + frame)
        sample.addOp(AbcGeom.XformOp(kinds.kRotateXOperation, 0), 40.0)
        sample.addOp(AbcGeom.XformOp(kinds.kRotateYOperation, 0), 50.0 * frame)
        sample.addOp(AbcGeom.XformOp(kinds.kRotateZOperation, 0), -60.0)
        sample.addOp(AbcGeom.XformOp(kinds.kScaleOperation, 0), imath.V3d(1, 2, 0.5))
        first.getSchema().set(sample)
    second = AbcGeom.OXform(first, "second")
    sample = AbcGeom.XformSample()
    turn = imath.M44d()
    turn.rotate(imath.V3d(0.1, 0.2, 0.3))
    turn[3][0] = 9
    sample.addOp(AbcGeom.XformOp(kinds.kMatrixOperation, 0), turn)
    second.getSchema().set(sample)
    alone = AbcGeom.OXform(second, "alone")
    sample = AbcGeom.XformSample()
    sample.addOp(AbcGeom.XformOp(kinds.kTranslateOperation, 0), imath.V3d(0, 0, 5))
    sample.setInheritsXforms(False)
    alone.getSchema().set(sample)
    AbcGeom.OXform(alone, "identity").getSchema().set(AbcGeom.XformSample())
    return second, alone


def curves(parent, sampling):
    tendons = AbcGeom.OCurves(parent, "tendons", sampling).getSchema()
    for frame in range(FRAMES):
        # The library keeps only pointers, so the arrays must outlive the sample.
        widths = floats([0.1 * k + frame for k in range(5)])
        tendons.set(
            AbcGeom.OCurvesSchemaSample(
                vectors([(k, 0.5 * k * frame, 0) for k in range(5)]),
                ints([3, 2]),
                AbcGeom.CurveType.kLinear,
                AbcGeom.CurvePeriodicity.kNonPeriodic,
                AbcGeom.OFloatGeomParamSample(widths, VERTEX),
            )
        )


def cyclic():
    times = AbcCoreAbstract.TimeVector()
    for time in (0.0, 0.3):
        times.append(time)
    return AbcCoreAbstract.TimeSampling(AbcCoreAbstract.TimeSamplingType(2, 1.0), times)


def acyclic():
    times = AbcCoreAbstract.TimeVector()
    for time in (0.1, 0.15, 0.4, 2.0):
        times.append(time)
    flag = AbcCoreAbstract.AcyclicFlag.kAcyclic
    return AbcCoreAbstract.TimeSampling(AbcCoreAbstract.TimeSamplingType(flag), times)


archive = Abc.OArchive(sys.argv[1])
every, uneven, cycle = [
    archive.addTimeSampling(s) for s in (AbcCoreAbstract.TimeSampling(1 / 24, 1 / 24), acyclic(), cyclic())
]
holder, lonely = transforms(archive.getTop(), every)
mesh(holder, every)
plain(lonely, uneven)
curves(holder, cycle)
