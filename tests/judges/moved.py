"""Assets that other programs make, and what they find in a layer that moves the points of one.

`make_usd FOLDER`: USD writes asset.usdc (centimetres, y up: several meshes below an animated transform, faces the other
way round, normals with indices, subsets, velocities) and set.usda, which places it as instances, one within another.
`make_blender FILE`: Blender writes a rigged body with two materials and hard edges, and a prop.
`tell LAYER ASSET MESH POINTS FRAMES`: checks that the layer leaves everything but the points of the mesh as it is, and
prints how far its points are from those of the tables, how far they moved, and how far its normals are from those of
the asset, turned as the points were. `look LAYER MESH POINTS FRAMES`: the points that Blender finds, and its materials.
`parts FILE FRAMES` and `parts_blender FILE FRAMES`: the meshes that USD, Alembic and Blender find, with the path of
each and its points in each frame, in world space with y up.
"""

import json
import os
import sys

import numpy

N = 6


def sheet():
    return [(10 * x / N - 5, 10 * y / N - 5, 0.3 * (x - y)) for y in range(N + 1) for x in range(N + 1)]


def faces():
    first = [y * (N + 1) + x for y in range(N) for x in range(N)]
    # The others as a left-handed file has them.
    return [[v, v + N + 1, v + N + 2, v + 1] for v in first]


def shot(UsdGeom, stage):
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    stage.SetTimeCodesPerSecond(24)
    stage.SetStartTimeCode(1)
    stage.SetEndTimeCode(3)
    return stage


def make_usd(folder):
    from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade, Vt

    stage = shot(UsdGeom, Usd.Stage.CreateNew(os.path.join(folder, "asset.usdc")))
    root = UsdGeom.Xform.Define(stage, "/char")
    stage.SetDefaultPrim(root.GetPrim())
    geometry = UsdGeom.Xform.Define(stage, "/char/geo")
    turn, scale = geometry.AddRotateXYZOp(), geometry.AddScaleOp()
    scale.Set((2, 1, 0.5))
    for time in (1, 3):
        turn.Set((10 * time, 20, 5 * time), time)
    for name in ("body", "shirt"):
        mesh = UsdGeom.Mesh.Define(stage, f"/char/geo/{name}")
        mesh.AddTranslateOp().Set((1, 2, 3))
        mesh.CreateOrientationAttr(UsdGeom.Tokens.leftHanded)
        flat = [vertex for face in faces() for vertex in face]
        mesh.CreateFaceVertexCountsAttr([4] * N * N)
        mesh.CreateFaceVertexIndicesAttr(flat)
        mesh.CreatePointsAttr(sheet())
        mesh.CreateVelocitiesAttr([(1, 0, 0)] * len(sheet()))
        mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        api = UsdGeom.PrimvarsAPI(mesh)
        st = api.CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, "faceVarying")
        st.Set([(0.1 * k, 0.2) for k in range(9)])
        st.SetIndices(Vt.IntArray([vertex % 9 for vertex in flat]))
        normals = api.CreatePrimvar("normals", Sdf.ValueTypeNames.Normal3fArray, "faceVarying")
        normals.Set([Gf.Vec3f(0, 0, 1), Gf.Vec3f(0, 0.6, 0.8)])
        normals.SetIndices(Vt.IntArray([vertex % 2 for vertex in flat]))
        material = UsdShade.Material.Define(stage, "/char/mtl/skin")
        UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(material)
        subset = UsdGeom.Subset.CreateGeomSubset(mesh, "nails", "face", Vt.IntArray([3, 4]), "materialBind")
        UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(UsdShade.Material.Define(stage, "/char/mtl/nail"))
    stage.GetRootLayer().Save()
    pair = Usd.Stage.CreateNew(os.path.join(folder, "pair.usda"))
    UsdGeom.SetStageUpAxis(pair, UsdGeom.Tokens.y)
    pair.SetDefaultPrim(UsdGeom.Xform.Define(pair, "/pair").GetPrim())
    place(UsdGeom, pair, "/pair/left", "./asset.usdc", 1)
    pair.GetRootLayer().Save()
    stage = shot(UsdGeom, Usd.Stage.CreateNew(os.path.join(folder, "set.usda")))
    stage.SetDefaultPrim(UsdGeom.Xform.Define(stage, "/set").GetPrim())
    place(UsdGeom, stage, "/set/a", "./pair.usda", 5)
    place(UsdGeom, stage, "/set/b", "./pair.usda", 7)
    stage.GetRootLayer().Save()


def place(UsdGeom, stage, path, file, at):
    made = UsdGeom.Xform.Define(stage, path)
    made.AddTranslateOp().Set((at, 0, -at))
    made.AddRotateYOp().Set(30 * at)
    made.GetPrim().GetReferences().AddReference(file)
    made.GetPrim().SetInstanceable(True)


def make_blender(path):
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, 3
    bpy.ops.object.armature_add(location=(0, 0, 0))
    rig = bpy.context.object
    rig.rotation_euler, rig.location = (0.2, 0.1, 0.7), (0.5, 0, 1)
    bpy.ops.mesh.primitive_uv_sphere_add(segments=8, ring_count=6, radius=0.4)
    body = bpy.context.object
    body.name = body.data.name = "body"
    body.scale, body.parent = (1, 2, 0.7), rig
    for name in ("skin", "nail"):
        body.data.materials.append(bpy.data.materials.new(name))
    for k, face in enumerate(body.data.polygons):
        face.material_index, face.use_smooth = int(k < 9), k % 3 > 0
    group = body.vertex_groups.new(name=rig.data.bones[0].name)
    group.add(range(len(body.data.vertices)), 1.0, "REPLACE")
    body.modifiers.new("rig", "ARMATURE").object = rig
    bone = rig.pose.bones[0]
    bone.rotation_mode = "XYZ"
    for frame in (1, 3):
        bone.rotation_euler = (0.3 * frame, 0, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.ops.mesh.primitive_cube_add(size=0.3, location=(2, 0, 0))
    bpy.context.object.name = "prop"
    bpy.ops.wm.usd_export(filepath=path, export_animation=True, export_armatures=True)


def table(path):
    return numpy.loadtxt(path, delimiter=",", skiprows=1)[:, -3:]


def placed(UsdGeom, stage, path, time):
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(path))
    world = numpy.array(UsdGeom.Xformable(mesh).ComputeLocalToWorldTransform(time))
    points = numpy.array(mesh.GetPointsAttr().Get(time), float)
    return mesh, world, points


def normals(UsdGeom, mesh, world, time):
    """In world space, one per corner."""
    primvar = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("normals")
    indexed = primvar and primvar.HasValue()
    values = primvar.ComputeFlattened(time) if indexed else mesh.GetNormalsAttr().Get(time)
    kind = primvar.GetInterpolation() if indexed else mesh.GetNormalsInterpolation()
    values = numpy.array(values, float)
    if kind != "faceVarying":
        values = values[numpy.array(mesh.GetFaceVertexIndicesAttr().Get(time))]
    values = values @ numpy.linalg.inv(world[:3, :3]).T
    return values / numpy.linalg.norm(values, axis=1)[:, None]


def turned(frame):
    """As the joint of the job turns in a frame, for row vectors."""
    c, s = numpy.cos(0.5 * frame), numpy.sin(0.5 * frame)
    return numpy.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


def tell(layer, asset, path, points, frames):
    from pxr import Usd, UsdGeom, UsdShade, UsdSkel, UsdValidation

    context = UsdValidation.ValidationContext(UsdValidation.ValidationRegistry().GetOrLoadAllValidators())
    stage, plain = Usd.Stage.Open(layer), Usd.Stage.Open(asset)
    faults = [{error.GetMessage() for error in context.Validate(s)} for s in (stage, plain)]
    assert faults[0] <= faults[1], faults
    assert not stage.GetPrimAtPath(path).IsInstanceProxy()
    through = Usd.TraverseInstanceProxies()
    paths = [[str(prim.GetPath()) for prim in s.Traverse(through)] for s in (stage, plain)]
    assert paths[0] == paths[1], paths
    own = {"points", "extent", "normals", "primvars:normals", "primvars:normals:indices", "velocities", "skel:skeleton"}
    moving = set(stage.GetRootLayer().GetPrimAtPath(path).properties.keys())
    assert {"points", "extent"} <= moving <= own, moving
    bound = 0
    for prim in plain.Traverse(through):
        ours = stage.GetPrimAtPath(prim.GetPath())
        assert ours.GetTypeName() == prim.GetTypeName()
        for binding in ("", "full"):
            materials = [
                UsdShade.MaterialBindingAPI(p).ComputeBoundMaterial(binding or "allPurpose")[0] for p in (ours, prim)
            ]
            assert materials[0].GetPath() == materials[1].GetPath(), prim
            bound += bool(materials[0]) and prim.GetTypeName() == "GeomSubset"
        for theirs in prim.GetProperties():
            name = theirs.GetName()
            if str(prim.GetPath()) == path and name in own or not isinstance(theirs, Usd.Attribute):
                continue
            for time in [1, 1.5, 2, 7]:
                assert theirs.Get(time) == ours.GetAttribute(name).Get(time), (prim, name)
    assert bound, "the asset has no subsets with materials"
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(path))
    if root := UsdSkel.Root.Find(stage.GetPrimAtPath(path)):
        cache = UsdSkel.Cache()
        cache.Populate(root, Usd.PrimDefaultPredicate)
        found = cache.ComputeSkelBindings(root, Usd.PrimDefaultPredicate)
        assert not any(target.GetPrim() == mesh.GetPrim() for b in found for target in b.GetSkinningTargets()), found
    assert mesh.GetVelocitiesAttr().Get(1) is None and len(mesh.GetPointsAttr().GetTimeSamples()) == len(frames)
    worst, moved, bent = 0.0, 0.0, 0.0
    for frame in frames:
        mesh, world, local = placed(UsdGeom, stage, path, frame)
        wanted = table(points % frame)
        worst = max(worst, numpy.abs(local @ world[:3, :3] + world[3, :3] - wanted).max())
        ends = numpy.array(mesh.GetExtentAttr().Get(frame))
        assert numpy.abs(ends - [local.min(axis=0), local.max(axis=0)]).max() < 1e-5
        was, place, before = placed(UsdGeom, plain, path, frame)
        moved = max(moved, numpy.abs(before - local).max())
        at_rest = placed(UsdGeom, plain, path, 1)[1]
        ours, theirs = normals(UsdGeom, mesh, world, frame), normals(UsdGeom, was, at_rest, frame)
        bent = max(bent, numpy.abs(ours - theirs @ turned(frame)).max())
    print(json.dumps([worst, moved, bent]))


def look(layer, path, points, frames):
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.usd_import(filepath=layer)
    body = next(ob for ob in bpy.data.objects if ob.type == "MESH" and path.split("/")[-1] == ob.data.name)
    worst = 0.0
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
        place = numpy.array(found.matrix_world)
        local = numpy.array([vertex.co for vertex in found.data.vertices])
        worst = max(worst, numpy.abs(local @ place[:3, :3].T + place[:3, 3] - table(points % frame)).max())
    used = sorted({body.data.materials[face.material_index].name for face in body.data.polygons})
    print(json.dumps([worst, used]))


def parts_usd(file, frames):
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(file)
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Mesh):
            path = str(prim.GetPath())
            each = (placed(UsdGeom, stage, path, frame) for frame in frames)
            yield path, [(points @ world[:3, :3] + world[3, :3]).tolist() for _, world, points in each]


def parts_abc(file, frames):
    from alembic3d import Abc, AbcGeom

    def below(thing):
        for child in thing.children:
            if AbcGeom.IPolyMesh.matches(child.getHeader()):
                schema = AbcGeom.IPolyMesh(thing, child.getName()).getSchema()
                samples = [schema.getValue(Abc.ISampleSelector(frame / 24)).getPositions() for frame in frames]
                yield child.getFullName(), [[[p[0], p[1], p[2]] for p in sample] for sample in samples]
            yield from below(child)

    yield from below(Abc.IArchive(file).getTop())


def parts(file, frames):
    print(json.dumps(dict((parts_abc if file.endswith(".abc") else parts_usd)(file, frames))))


def parts_blender(file, frames):
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 24
    if file.endswith(".abc"):
        bpy.ops.wm.alembic_import(filepath=file, as_background_job=False)
    else:
        bpy.ops.wm.usd_import(filepath=file)
    found = {}
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        for ob in bpy.data.objects:
            if ob.type == "MESH":
                now = ob.evaluated_get(bpy.context.evaluated_depsgraph_get())
                points = [now.matrix_world @ vertex.co for vertex in now.data.vertices]
                path = f"{ob.parent.name}/{ob.name}" if ob.parent else ob.name
                found.setdefault(path, []).append([(p.x, p.z, -p.y) for p in points])
    print(json.dumps(found))


command, arguments = sys.argv[1], sys.argv[2:]
if not command.startswith("make"):
    arguments[-1] = [int(frame) for frame in arguments[-1].split(",")]
globals()[command](*arguments)
sys.stdout.flush()
os._exit(0)
