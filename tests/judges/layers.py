"""Shots that other libraries write, and what they find in a layer that goes over one.

`make_usd FILE [left]`: writes a shot with all that a production mesh has: creases, subsets with materials, maps,
samples between frames; `left` turns its faces the other way round. `make_abc FILE`: the same sheet by Alembic's
library. `tell_usd LAYER SHOT OBJ FRAMES`, `tell_abc LAYER SHOT OBJ FRAMES`: checks that the layer leaves the shot as it
is, but for the UVs, which are those of the OBJ file of each frame, and prints the largest difference of the UVs and how
far they moved.
"""

import json
import os
import sys

N = 6


def sheet(time):
    pull = 0.1 * time
    place = [(x / N - 0.5, y / N - 0.5) for y in range(N + 1) for x in range(N + 1)]
    return [(x + pull * min(0.0, 0.3 - x), y, 0.02 * pull * x) for x, y in place]


def faces():
    corners = []
    for y in range(N):
        for x in range(N):
            first = y * (N + 1) + x
            corners.append([first, first + 1, first + N + 2, first + N + 1])
    return corners


def uv(vertex):
    return (vertex % (N + 1) / N, vertex // (N + 1) / N)


def make_usd(path, left):
    from pxr import Sdf, Usd, UsdGeom, UsdShade, Vt

    stage = Usd.Stage.CreateNew(path)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, 0.5)
    stage.SetStartTimeCode(1)
    stage.SetEndTimeCode(8)
    stage.SetTimeCodesPerSecond(24)
    stage.SetFramesPerSecond(24)
    root = UsdGeom.Xform.Define(stage, "/shot")
    stage.SetDefaultPrim(root.GetPrim())
    UsdGeom.Xform.Define(stage, "/shot/char").AddTranslateOp().Set((0, 0, 2))
    mesh = UsdGeom.Mesh.Define(stage, "/shot/char/body")
    corners = faces()
    stored = [[face[0], *face[:0:-1]] for face in corners] if left else corners
    if left:
        mesh.CreateOrientationAttr(UsdGeom.Tokens.leftHanded)
    flat = [vertex for face in stored for vertex in face]
    mesh.CreateFaceVertexCountsAttr([4] * len(corners))
    mesh.CreateFaceVertexIndicesAttr(flat)
    for time in [1, 1.5, 2, 2.5, 3, 3.5, 4]:
        mesh.CreatePointsAttr().Set(sheet(time - 1), time)
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.catmullClark)
    mesh.CreateCreaseIndicesAttr([0, 1, 2])
    mesh.CreateCreaseLengthsAttr([3])
    mesh.CreateCreaseSharpnessesAttr([2.5])
    api = UsdGeom.PrimvarsAPI(mesh)
    st = api.CreatePrimvar("map1", Sdf.ValueTypeNames.TexCoord2dArray, "faceVarying")
    st.Set([uv(vertex) for vertex in range((N + 1) ** 2)])
    st.SetIndices(Vt.IntArray(flat))
    api.CreatePrimvar("wetness", Sdf.ValueTypeNames.FloatArray, "vertex").Set([0.01 * k for k in range((N + 1) ** 2)])
    material = UsdShade.Material.Define(stage, "/shot/skin")
    UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(material)
    subset = UsdGeom.Subset.CreateGeomSubset(mesh, "nails", "face", Vt.IntArray([3, 4]), "materialBind")
    UsdGeom.Subset.SetFamilyType(mesh, "materialBind", UsdGeom.Tokens.nonOverlapping)
    UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(UsdShade.Material.Define(stage, "/shot/nail"))
    UsdGeom.Sphere.Define(stage, "/shot/prop")
    stage.GetRootLayer().Save()


def read_obj(path):
    """For each corner its UV, face after face."""
    uvs, corners = [], []
    for line in open(path):
        words = line.split()
        if words[:1] == ["vt"]:
            uvs.append([float(x) for x in words[1:3]])
        elif words[:1] == ["f"]:
            corners.append([uvs[int(corner.split("/")[1]) - 1] for corner in words[1:]])
    return corners


def off(a, b):
    import numpy

    a, b = numpy.asarray(a, float), numpy.asarray(b, float)
    assert a.shape == b.shape, (a.shape, b.shape)
    return float(numpy.abs(a - b).max())


def tell_usd(layer, shot, obj, frames):
    from pxr import Usd, UsdGeom, UsdShade, UsdValidation

    context = UsdValidation.ValidationContext(UsdValidation.ValidationRegistry().GetOrLoadAllValidators())
    wrong = [error.GetMessage() for error in context.Validate(Usd.Stage.Open(layer))]
    assert not wrong, wrong
    stage, plain = Usd.Stage.Open(layer), Usd.Stage.Open(shot)
    root = stage.GetRootLayer()
    assert len(root.subLayerPaths) == 1 and not os.path.isabs(root.subLayerPaths[0]), root.subLayerPaths
    assert root.comment.startswith("Written by Sinew "), root.comment
    assert root.customLayerData["sinew_command"].startswith("sinew run "), root.customLayerData
    assert stage.GetDefaultPrim().GetPath() == "/shot"
    assert UsdGeom.GetStageUpAxis(stage) == "Z" and UsdGeom.GetStageMetersPerUnit(stage) == 0.5
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (1, 8)
    assert stage.GetTimeCodesPerSecond() == plain.GetTimeCodesPerSecond()
    paths = [str(prim.GetPath()) for prim in stage.Traverse()]
    assert paths == [str(prim.GetPath()) for prim in plain.Traverse()], paths
    body, was = (UsdGeom.Mesh(s.GetPrimAtPath("/shot/char/body")) for s in (stage, plain))
    own = root.GetPrimAtPath("/shot/char/body")
    assert own.specifier.displayName == "Over" and not own.typeName, own
    assert "points" not in own.properties.keys() and "faceVertexIndices" not in own.properties.keys()
    for name in was.GetPrim().GetPropertyNames():
        if name.startswith("primvars:map1"):
            continue
        theirs, ours = was.GetPrim().GetProperty(name), body.GetPrim().GetProperty(name)
        if hasattr(theirs, "GetTargets"):
            assert theirs.GetTargets() == ours.GetTargets(), name
            continue
        assert theirs.GetTimeSamples() == ours.GetTimeSamples(), name
        for time in [1, 1.5, 2.25, 8]:
            assert theirs.Get(time) == ours.Get(time), (name, time)
    material = UsdShade.MaterialBindingAPI(stage.GetPrimAtPath("/shot/char/body/nails")).ComputeBoundMaterial()[0]
    assert material.GetPath() == "/shot/nail"
    left = body.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded
    worst, moved = 0.0, 0.0
    for frame in frames:
        corners = read_obj(obj % frame)
        if left:
            corners = [[face[0], *face[:0:-1]] for face in corners]
        corners = [corner for face in corners for corner in face]
        flat = UsdGeom.PrimvarsAPI(body).GetPrimvar("map1").ComputeFlattened(frame)
        before = UsdGeom.PrimvarsAPI(was).GetPrimvar("map1").ComputeFlattened(frame)
        assert UsdGeom.PrimvarsAPI(body).GetPrimvar("map1").GetInterpolation() == "faceVarying"
        worst, moved = max(worst, off(flat, corners)), max(moved, off(flat, before))
        slide = UsdGeom.PrimvarsAPI(body).GetPrimvar("slide")
        assert len(slide.ComputeFlattened(frame)) == (N + 1) ** 2
    print(json.dumps([worst, moved]))


def arrays():
    import imath

    def of(kind, make, values):
        array = kind(len(values))
        for k, value in enumerate(values):
            array[k] = make(value)
        return array

    points = lambda values: of(imath.V3fArray, lambda v: imath.V3f(*v), values)
    uvs = lambda values: of(imath.V2fArray, lambda v: imath.V2f(*v), values)
    whole = lambda values: of(imath.IntArray, int, values)
    return points, uvs, whole


def make_abc(path):
    from alembic3d import Abc, AbcCoreAbstract, AbcGeom

    points, uvs, whole = arrays()
    archive = Abc.OArchive(path)
    sampling = archive.addTimeSampling(AbcCoreAbstract.TimeSampling(1 / 24, 1 / 24))
    root = AbcGeom.OXform(archive.getTop(), "shot")
    root.getSchema().set(AbcGeom.XformSample())
    mesh = AbcGeom.OPolyMesh(root, "body", sampling).getSchema()
    # Alembic's faces run the other way round.
    flat = [vertex for face in faces() for vertex in reversed(face)]
    layout = AbcGeom.OV2fGeomParamSample(uvs([uv(v) for v in flat]), AbcGeom.GeometryScope.kFacevaryingScope)
    for frame in (1, 2, 3):
        mesh.set(AbcGeom.OPolyMeshSchemaSample(points(sheet(frame - 1)), whole(flat), whole([4] * N * N), layout))


def tell_abc(layer, shot, obj, frames):
    from alembic3d import Abc, AbcGeom

    alone = Abc.IArchive(layer).getTop()
    assert alone.children[0].children[0].getHeader().getFullName() == "/shot/body"
    geometry = Abc.ICompoundProperty(alone.children[0].children[0].getProperties(), ".geom")
    names = [geometry.getPropertyHeader(k).getName() for k in range(geometry.getNumProperties())]
    assert sorted(names) == [".arbGeomParams", "uv"], names
    both, plain = (Abc.IArchive(files).getTop().children[0] for files in ([layer, shot], [shot]))
    assert AbcGeom.IXform.matches(both.getHeader()) and AbcGeom.IPolyMesh.matches(both.children[0].getHeader())
    body, was = (AbcGeom.IPolyMesh(top, "body").getSchema() for top in (both, plain))
    worst, moved = 0.0, 0.0
    for frame in frames:
        at = Abc.ISampleSelector(frame / 24)
        ours, theirs = body.getValue(at), was.getValue(at)
        assert list(ours.getFaceIndices()) == list(theirs.getFaceIndices())
        assert list(ours.getPositions()) == list(theirs.getPositions())
        corners = [corner for face in read_obj(obj % frame) for corner in reversed(face)]
        flat = [[v[0], v[1]] for v in body.getUVsParam().getExpandedValue(at).getVals()]
        before = [[v[0], v[1]] for v in was.getUVsParam().getExpandedValue(at).getVals()]
        worst, moved = max(worst, off(flat, corners)), max(moved, off(flat, before))
        slide = AbcGeom.IFloatGeomParam(body.getArbGeomParams(), "slide").getExpandedValue(at).getVals()
        assert len(slide) == (N + 1) ** 2
    print(json.dumps([worst, moved]))


command, arguments = sys.argv[1], sys.argv[2:]
if command == "make_usd":
    make_usd(arguments[0], arguments[1:] == ["left"])
elif command == "make_abc":
    make_abc(arguments[0])
else:
    tell = tell_usd if command == "tell_usd" else tell_abc
    tell(*arguments[:3], [int(frame) for frame in arguments[3].split(",")])
sys.stdout.flush()
os._exit(0)
