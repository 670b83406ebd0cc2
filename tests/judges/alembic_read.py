"""Prints as JSON what the library that studios use finds in an Alembic file.

alembic_read.py FILE
"""

import json
import sys

from alembic3d import Abc, AbcGeom

PARAMS = {
    ("float32_t", 1): AbcGeom.IFloatGeomParam,
    ("float64_t", 1): AbcGeom.IDoubleGeomParam,
    ("int32_t", 1): AbcGeom.IInt32GeomParam,
    ("float32_t", 2): AbcGeom.IV2fGeomParam,
    ("float32_t", 3): AbcGeom.IV3fGeomParam,
    ("float32_t", 4): AbcGeom.IC4fGeomParam,
}
SCOPES = {
    AbcGeom.GeometryScope.kConstantScope: "con",
    AbcGeom.GeometryScope.kUniformScope: "uni",
    AbcGeom.GeometryScope.kVertexScope: "vtx",
    AbcGeom.GeometryScope.kVaryingScope: "vtx",
    AbcGeom.GeometryScope.kFacevaryingScope: "fvr",
}


def numbers(value):
    try:
        return [value[k] for k in range(len(value))]
    except TypeError:
        return [value]


def flat(array):
    return [number for value in array for number in numbers(value)] if array else []


def times(prop):
    sampling = prop.getTimeSampling()
    return [sampling.getSampleTime(k) for k in range(prop.getNumSamples())]


def param(prop, at):
    """The values at each of the times, an element for each element of the scope."""
    expanded = [prop.getExpandedValue(Abc.ISampleSelector(t)) for t in at]
    return {
        "scope": SCOPES[prop.getScope()],
        "indexed": prop.isIndexed(),
        "values": [flat(sample.getVals()) for sample in expanded],
    }


def maps(compound, at):
    found = {}
    if not compound.valid():
        return found
    for k in range(compound.getNumProperties()):
        header = compound.getPropertyHeader(k)
        meta = header.getMetaData()
        kind = PARAMS.get((meta.get("podName"), int(meta.get("podExtent"))))
        if kind:
            found[header.getName()] = param(kind(compound, header.getName()), at)
    return found


def mesh(found):
    schema = AbcGeom.IPolyMesh(found.getParent(), found.getName()).getSchema()
    at = times(schema.getPositionsProperty())
    samples = [schema.getValue(Abc.ISampleSelector(t)) for t in at]
    uvs, normals = schema.getUVsParam(), schema.getNormalsParam()
    speeds = [sample.getVelocities() for sample in samples]
    return {
        "kind": "mesh",
        "times": at,
        "points": [flat(sample.getPositions()) for sample in samples],
        "indices": list(samples[0].getFaceIndices()),
        "counts": list(samples[0].getFaceCounts()),
        "constant_faces": schema.getFaceIndicesProperty().isConstant(),
        "velocities": [flat(speed) for speed in speeds if speed],
        "uv": param(uvs, at) if uvs.valid() else None,
        "N": param(normals, at) if normals.valid() else None,
        "maps": maps(schema.getArbGeomParams(), at),
        "bounds": [[*s.getSelfBounds().min(), *s.getSelfBounds().max()] for s in samples],
    }


def curves(found):
    schema = AbcGeom.ICurves(found.getParent(), found.getName()).getSchema()
    at = times(schema.getPositionsProperty())
    samples = [schema.getValue(Abc.ISampleSelector(t)) for t in at]
    widths = schema.getWidthsParam()
    return {
        "kind": "curves",
        "times": at,
        "points": [flat(sample.getPositions()) for sample in samples],
        "counts": [list(sample.getCurvesNumVertices()) for sample in samples],
        "linear": samples[0].getType() == AbcGeom.CurveType.kLinear,
        "width": param(widths, at) if widths.valid() else None,
        "maps": maps(schema.getArbGeomParams(), at),
    }


def transform(found):
    schema = AbcGeom.IXform(found.getParent(), found.getName()).getSchema()
    count = max(1, schema.getNumSamples())
    at = [schema.getTimeSampling().getSampleTime(k) for k in range(count)]
    samples = [schema.getValue(Abc.ISampleSelector(t)) for t in at]
    matrices = [sample.getMatrix() for sample in samples]
    return {
        "kind": "transform",
        "times": at,
        "inherits": [sample.getInheritsXforms() for sample in samples],
        "matrices": [[m[row][column] for row in range(4) for column in range(4)] for m in matrices],
        "identity": schema.isConstantIdentity(),
        "constant": schema.isConstant(),
    }


def walk(found, out):
    for k in range(found.getNumChildren()):
        child = found.getChild(k)
        header = child.getHeader()
        if AbcGeom.IPolyMesh.matches(header):
            out[child.getFullName()] = mesh(child)
        elif AbcGeom.ICurves.matches(header):
            out[child.getFullName()] = curves(child)
        elif AbcGeom.IXform.matches(header):
            out[child.getFullName()] = transform(child)
        walk(child, out)


archive = Abc.IArchive(sys.argv[1])
objects = {}
walk(archive.getTop(), objects)
top = archive.getTop().getMetaData()
samplings = range(archive.getNumTimeSamplings())
print(
    json.dumps(
        {
            "application": top.get("_ai_Application"),
            "most_samples": [archive.getMaxNumSamplesForTimeSamplingIndex(k) for k in samplings],
            "objects": objects,
        }
    )
)
