"""USD and Blender on our files, and files of theirs for us.

`make FOLDER`: writes a.usda, a.usdc, a.usdz and prints what is in them; `blender FOLDER`: Blender writes and prints.
`samples FOLDER`: USD writes small files for tests/fuzz/corpus. `tell FILE`: prints what USD finds in a file; `look
FILE...`: prints what Blender finds in each. `posed FOLDER`: writes p.usda and p.usdc, whose meshes a skeleton and blend
shapes pose, and prints where USD has the points; `posed_blender FOLDER`: the same by Blender in q.usdc. `same A B`:
prints whether two layers say the same, and how many samples the points of the first mesh have. They are lines of
JSON: [what, time, numbers].
"""

import json
import os
import sys


def say(what, time, numbers):
    print("TOLD", json.dumps([what, time, [float(n) for n in numbers]]))


def flat(value):
    import numpy

    return numpy.asarray(value, dtype=float).ravel()


def tell(path):
    from pxr import Usd, UsdGeom, UsdSkel

    stage = Usd.Stage.Open(path)
    say("rate", 0, [stage.GetTimeCodesPerSecond(), UsdGeom.GetStageMetersPerUnit(stage)])
    say("range", 0, [stage.GetStartTimeCode(), stage.GetEndTimeCode()])
    say("up", 0, [UsdGeom.GetStageUpAxis(stage) == "Z"])
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Curves):
            tell_curves(UsdGeom, UsdGeom.BasisCurves(prim))
        if prim.IsA(UsdGeom.Mesh):
            mesh = UsdGeom.Mesh(prim)
            for time in [0.0, 1.0, 1.5, 2.0, 3.0, 7.0]:
                tell_mesh(UsdGeom, mesh, time)
        if prim.IsA(UsdSkel.Skeleton):
            cache = UsdSkel.Cache()
            root = UsdSkel.Root.Find(prim)
            cache.Populate(root, Usd.PrimDefaultPredicate)
            query = cache.GetSkelQuery(UsdSkel.Skeleton(prim))
            say("bind", 0, flat([list(m) for m in query.GetJointWorldBindTransforms()]))
            samples = query.GetAnimQuery().GetJointTransformTimeSamples()
            whole = range(int(stage.GetStartTimeCode()), int(stage.GetEndTimeCode()) + 1)
            for time in sorted({*samples, *(map(float, whole) if samples else [])}):
                world = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(time)
                joints = [m * world for m in query.ComputeJointSkelTransforms(time)]
                say("joints", time, flat([list(m) for m in joints]))


def tell_curves(UsdGeom, curves):
    name = str(curves.GetPath())
    assert curves.GetTypeAttr().Get() == UsdGeom.Tokens.linear
    for time in curves.GetPointsAttr().GetTimeSamples():
        say(f"{name} counts", time, flat(curves.GetCurveVertexCountsAttr().Get(time)))
        say(f"{name} points", time, flat(curves.GetPointsAttr().Get(time)))
        say(f"{name} extent", time, flat(curves.GetExtentAttr().Get(time)))
        say(f"{name} widths {curves.GetWidthsInterpolation()}", time, flat(curves.GetWidthsAttr().Get(time)))
        for primvar in UsdGeom.PrimvarsAPI(curves).GetPrimvars():
            if primvar.HasValue():
                values = flat(primvar.ComputeFlattened(time))
                say(f"{name} {primvar.GetPrimvarName()} {primvar.GetInterpolation()}", time, values)


def tell_mesh(UsdGeom, mesh, time):
    name = str(mesh.GetPath())
    say(f"{name} counts", time, flat(mesh.GetFaceVertexCountsAttr().Get(time)))
    say(f"{name} corners", time, flat(mesh.GetFaceVertexIndicesAttr().Get(time)))
    points = mesh.GetPointsAttr().Get(time)
    say(f"{name} points", time, flat(points))
    world = UsdGeom.Xformable(mesh).ComputeLocalToWorldTransform(time)
    say(f"{name} world points", time, flat([list(world.Transform(p)) for p in points]))
    if mesh.GetExtentAttr().HasValue():
        say(f"{name} extent", time, flat(mesh.GetExtentAttr().Get(time)))
    if mesh.GetVelocitiesAttr().HasValue():
        say(f"{name} velocities", time, flat(mesh.GetVelocitiesAttr().Get(time)))
    for primvar in UsdGeom.PrimvarsAPI(mesh).GetPrimvars():
        if primvar.HasValue():
            say(
                f"{name} {primvar.GetPrimvarName()} {primvar.GetInterpolation()}",
                time,
                flat(primvar.ComputeFlattened(time)),
            )
    if mesh.GetNormalsAttr().HasValue():
        say(f"{name} normals {mesh.GetNormalsInterpolation()}", time, flat(mesh.GetNormalsAttr().Get(time)))


def build(stage):
    from pxr import Gf, Sdf, UsdGeom, UsdSkel, Vt

    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    stage.SetTimeCodesPerSecond(25)
    stage.SetStartTimeCode(1)
    stage.SetEndTimeCode(3)
    root = UsdGeom.Xform.Define(stage, "/root")
    move = root.AddTranslateOp(opSuffix="pivot")
    move.Set((1, 2, 3))
    turn = root.AddRotateXYZOp()
    for time in (1, 2, 3):
        turn.Set((10 * time, -20, 30), time)
    root.AddScaleOp().Set((2, 1, 0.5))
    root.AddTranslateOp(opSuffix="pivot", isInverseOp=True)
    inner = UsdGeom.Xform.Define(stage, "/root/inner")
    inner.AddOrientOp().Set(Gf.Quatf(0.5, 0.5, -0.5, 0.5))
    inner.AddRotateZYXOp(opSuffix="b").Set((5, 6, 7))
    inner.AddRotateYOp(opSuffix="c").Set(33.0)
    inner.AddTransformOp().Set(Gf.Matrix4d(1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0.25, 1, 0, 7, 8, 9, 1))
    columns, rows = 8, 5
    grid = UsdGeom.Mesh.Define(stage, "/root/inner/grid")
    counts, corners = [], []
    for row in range(rows - 1):
        for column in range(columns - 1):
            first = row * columns + column
            counts.append(4)
            corners += [first, first + 1, first + columns + 1, first + columns]
    grid.CreateFaceVertexCountsAttr(counts)
    grid.CreateFaceVertexIndicesAttr(corners)
    points = grid.CreatePointsAttr()
    velocities = grid.CreateVelocitiesAttr()
    api = UsdGeom.PrimvarsAPI(grid)
    types = Sdf.ValueTypeNames
    uvs = api.CreatePrimvar("st", types.TexCoord2fArray, "faceVarying")
    uvs.SetIndices(Vt.IntArray(corners))
    face = api.CreatePrimvar("face_map", types.FloatArray, "uniform")
    weights = api.CreatePrimvar("weights", types.FloatArray, "vertex", 2)
    constant = api.CreatePrimvar("constant", types.DoubleArray, "constant")
    constant.Set([0.125])
    whole = api.CreatePrimvar("whole", types.IntArray, "vertex")
    halves = api.CreatePrimvar("halves", types.Half3Array, "vertex")
    place = [(x * 1.0, y * 0.5, 0.0) for y in range(rows) for x in range(columns)]
    halves.Set([Gf.Vec3h(x, y, -1.5) for x, y, _ in place])
    weights.Set([0.1 * (k % 7) for k in range(2 * len(place))])
    grid.CreateNormalsAttr([(0, 0.6, 0.8)] * len(corners))
    grid.SetNormalsInterpolation("faceVarying")
    for time in (1, 2, 3):
        points.Set([(x, y + 0.1 * time * x, 0.37 * time) for x, y, _ in place], time)
        velocities.Set([(0, 0.1 * x, 0.37) for x, _, _ in place], time)
        uvs.Set([(0.1 * x + 0.01 * time, y) for x, y, _ in place], time)
        face.Set([k % 3 for k in range(len(counts))], time)
        whole.Set([k * time for k in range(len(place))], time)
    left = UsdGeom.Mesh.Define(stage, "/root/left")
    left.AddTranslateOp().Set((0, 0, 5))
    left.SetResetXformStack(True)
    left.CreateFaceVertexCountsAttr([3])
    left.CreateFaceVertexIndicesAttr([0, 1, 2])
    left.CreatePointsAttr([(0, 0, 0), (-1, 0, 0), (100, 1, 0)])
    skeleton(stage, Gf, UsdSkel, Vt)


def skeleton(stage, Gf, UsdSkel, Vt):
    UsdSkel.Root.Define(stage, "/root/skel")
    skel = UsdSkel.Skeleton.Define(stage, "/root/skel/bones")
    joints = ["hip", "hip/knee", "hip/knee/foot", "hip/tail"]
    skel.CreateJointsAttr(joints)
    local = [Gf.Matrix4d(1).SetTranslate((k, 2 - k, 1)) for k in range(4)]
    skel.CreateRestTransformsAttr(local)
    bind = [local[0], local[1] * local[0], local[2] * local[1] * local[0], local[3] * local[0]]
    skel.CreateBindTransformsAttr(bind)
    animation = UsdSkel.Animation.Define(stage, "/root/skel/walk")
    animation.CreateJointsAttr(["hip/knee", "hip"])
    for time in (1, 2, 4):
        turn = Gf.Quatf(Gf.Rotation((1, 2, 3), 20.0 * time).GetQuat())
        animation.CreateTranslationsAttr().Set([(0, time, 0), (time, 1, 1)], time)
        animation.CreateRotationsAttr().Set([turn, turn * turn], time)
        animation.CreateScalesAttr().Set([Gf.Vec3h(1, 1, 1), Gf.Vec3h(1, 2, 1)], time)
    UsdSkel.BindingAPI.Apply(skel.GetPrim()).CreateAnimationSourceRel().SetTargets(["/root/skel/walk"])


def grid(stage, path, columns, rows):
    from pxr import UsdGeom

    mesh = UsdGeom.Mesh.Define(stage, path)
    corners = []
    for row in range(rows - 1):
        for column in range(columns - 1):
            first = row * columns + column
            corners += [first, first + 1, first + columns + 1, first + columns]
    mesh.CreateFaceVertexCountsAttr([4] * (len(corners) // 4))
    mesh.CreateFaceVertexIndicesAttr(corners)
    mesh.CreatePointsAttr([(x * 0.7, y * 0.4, 0.1 * x * y) for y in range(rows) for x in range(columns)])
    return mesh


def blend_shapes(stage, mesh, count):
    from pxr import UsdSkel

    dense = UsdSkel.BlendShape.Define(stage, mesh.GetPath().AppendChild("dense"))
    dense.CreateOffsetsAttr([(0.1, 0.02 * k, -0.3) for k in range(count)])
    sparse = UsdSkel.BlendShape.Define(stage, mesh.GetPath().AppendChild("sparse"))
    sparse.CreateOffsetsAttr([(0, 1, 0), (0.5, 0, 2)])
    sparse.CreatePointIndicesAttr([count - 1, 1])
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    # Many that no animation names, before those that one does.
    unknown = [f"unknown{k}" for k in range(70)]
    for name in unknown:
        other = UsdSkel.BlendShape.Define(stage, mesh.GetPath().AppendChild(name))
        other.CreateOffsetsAttr([(9, 9, 9)] * count)
    targets = unknown + ["sparse", "dense"]
    binding.CreateBlendShapesAttr(unknown + ["bump", "grow"])
    binding.CreateBlendShapeTargetsRel().SetTargets([mesh.GetPath().AppendChild(name) for name in targets])
    return binding


def pose(stage):
    from pxr import Gf, UsdGeom, UsdSkel, Vt

    stage.SetTimeCodesPerSecond(24)
    root = UsdSkel.Root.Define(stage, "/root")
    move = root.AddTranslateOp()
    for time in (1, 4):
        move.Set((time, 0, 0.5), time)
    skeleton(stage, Gf, UsdSkel, Vt)
    animation = UsdSkel.Animation.Get(stage, "/root/skel/walk")
    animation.CreateBlendShapesAttr(["grow", "bump"])
    for time in (1, 3, 5):
        animation.CreateBlendShapeWeightsAttr().Set([0.25 * time, 2 - time], time)
    # Frame 5 is nearer to 4 than to 7, so it shows how rotations go from one sample to the next.
    turns = [Gf.Quatf(Gf.Rotation(axis, 150).GetQuat()) for axis in ((1, 0, 0), (0, 3, 1))]
    animation.CreateTranslationsAttr().Set([(0, 1, 2), (1, 0, 1)], 7)
    animation.CreateRotationsAttr().Set([turns[0], -turns[1]], 7)
    # The same values as before, because USD rounds values interpolated between halves to halves.
    animation.CreateScalesAttr().Set([Gf.Vec3h(1, 1, 1), Gf.Vec3h(1, 2, 1)], 7)
    UsdSkel.BindingAPI.Apply(root.GetPrim()).CreateSkeletonRel().SetTargets(["/root/skel/bones"])
    stage.GetPrimAtPath("/root/skel").SetTypeName("Xform")
    UsdGeom.Xformable(stage.GetPrimAtPath("/root/skel")).AddRotateXYZOp().Set((10, 20, 30))
    skin = grid(stage, "/root/skin", 4, 3)
    # A posed mesh's own place has no effect.
    skin.AddTranslateOp().Set((100, 0, 0))
    binding = blend_shapes(stage, skin, 12)
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d().SetTranslate((0.5, 1, 0)))
    binding.CreateJointsAttr(["hip/knee/foot", "hip/tail", "hip"])
    binding.CreateJointIndicesPrimvar(False, 2).Set([j for k in range(12) for j in (k % 3, (k + 1) % 3)])
    binding.CreateJointWeightsPrimvar(False, 2).Set([w for k in range(12) for w in (k / 12, 1 - k / 12)])
    stiff = grid(stage, "/root/stiff", 2, 2)
    binding = UsdSkel.BindingAPI.Apply(stiff.GetPrim())
    binding.CreateJointIndicesPrimvar(True, 2).Set([1, 3])
    # Weights are not made to have a sum of one.
    binding.CreateJointWeightsPrimvar(True, 2).Set([0.5, 0.25])
    shaped = grid(stage, "/root/shaped", 3, 2)
    shaped.AddTranslateOp().Set((0, 7, 0))
    blend_shapes(stage, shaped, 6)


def posed(folder):
    from pxr import Gf, Usd, UsdGeom, UsdSkel

    for name in ("p.usda", "p.usdc"):
        stage = Usd.Stage.CreateNew(os.path.join(folder, name))
        pose(stage)
        stage.GetRootLayer().Save()
    stage = Usd.Stage.Open(os.path.join(folder, "p.usdc"))
    assert UsdSkel.BakeSkinning(stage.Traverse(), Gf.Interval(0, 10))
    for name in ("skin", "stiff", "shaped"):
        mesh = UsdGeom.Mesh(stage.GetPrimAtPath(f"/root/{name}"))
        for time in (1, 2, 3, 4, 5, 7):
            world = UsdGeom.Xformable(mesh).ComputeLocalToWorldTransform(time)
            say(name, time, flat([list(world.Transform(p)) for p in mesh.GetPointsAttr().Get(time)]))


def make(folder):
    from pxr import Sdf, Usd, UsdUtils

    for name in ("a.usda", "a.usdc"):
        stage = Usd.Stage.CreateNew(os.path.join(folder, name))
        build(stage)
        stage.GetRootLayer().Save()
    UsdUtils.CreateNewUsdzPackage(Sdf.AssetPath(os.path.join(folder, "a.usdc")), os.path.join(folder, "a.usdz"))
    tell(os.path.join(folder, "a.usdc"))


def samples(folder):
    from pxr import Gf, Sdf, Usd, UsdGeom, UsdSkel, UsdUtils, Vt

    def small(stage):
        root = UsdGeom.Xform.Define(stage, "/r")
        root.AddTranslateOp().Set((1, 2, 3))
        mesh = UsdGeom.Mesh.Define(stage, "/r/m")
        mesh.CreateFaceVertexCountsAttr([3] * 20)
        mesh.CreateFaceVertexIndicesAttr([k % 5 for k in range(60)])
        for time in (1, 2):
            mesh.CreatePointsAttr().Set([(k, time, 0.1 * k) for k in range(5)], time)
        uvs = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, "vertex")
        uvs.Set([(0, 0.5), (1, 0.25), (0, 1)])
        uvs.SetIndices(Vt.IntArray([0, 1, 2, 1, 0]))
        spread = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar("d", Sdf.ValueTypeNames.DoubleArray, "uniform")
        spread.Set([0.1 * (k % 3) for k in range(20)])

    def bones(stage):
        UsdSkel.Root.Define(stage, "/root")
        skeleton(stage, Gf, UsdSkel, Vt)

    def posed_body(stage):
        root = UsdSkel.Root.Define(stage, "/r")
        UsdSkel.Skeleton.Define(stage, "/r/s").CreateJointsAttr(["a", "a/b"])
        skel = UsdSkel.Skeleton.Get(stage, "/r/s")
        skel.CreateRestTransformsAttr([Gf.Matrix4d(1)] * 2)
        skel.CreateBindTransformsAttr([Gf.Matrix4d(1)] * 2)
        walk = UsdSkel.Animation.Define(stage, "/r/w")
        walk.CreateJointsAttr(["a/b"])
        for time in (1, 2):
            walk.CreateTranslationsAttr().Set([(0, time, 0)], time)
        walk.CreateRotationsAttr([Gf.Quatf(1)])
        walk.CreateScalesAttr([Gf.Vec3h(1)])
        walk.CreateBlendShapesAttr(["x"])
        walk.CreateBlendShapeWeightsAttr([0.5])
        binding = UsdSkel.BindingAPI.Apply(root.GetPrim())
        binding.CreateSkeletonRel().SetTargets(["/r/s"])
        binding.CreateAnimationSourceRel().SetTargets(["/r/w"])
        mesh = UsdGeom.Mesh.Define(stage, "/r/m")
        mesh.CreateFaceVertexCountsAttr([3])
        mesh.CreateFaceVertexIndicesAttr([0, 1, 2])
        mesh.CreatePointsAttr([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
        shape = UsdSkel.BlendShape.Define(stage, "/r/m/x")
        shape.CreateOffsetsAttr([(0, 0, 1)])
        shape.CreatePointIndicesAttr([2])
        binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
        binding.CreateBlendShapesAttr(["x"])
        binding.CreateBlendShapeTargetsRel().SetTargets(["/r/m/x"])
        binding.CreateJointIndicesPrimvar(False, 2).Set([0, 1, 1, 0, 1, 1])
        binding.CreateJointWeightsPrimvar(False, 2).Set([0.5] * 6)

    for name, fill in (("mesh", small), ("bones", bones), ("posed", posed_body)):
        for ending in ("usda", "usdc"):
            path = os.path.join(folder, f"{name}.{ending}")
            stage = Usd.Stage.CreateNew(path)
            fill(stage)
            stage.GetRootLayer().Save()
    UsdUtils.CreateNewUsdzPackage(Sdf.AssetPath(os.path.join(folder, "mesh.usdc")), os.path.join(folder, "mesh.usdz"))


def corner_uvs(mesh):
    import numpy

    uvs = numpy.zeros(2 * len(mesh.loops), numpy.float32)
    mesh.uv_layers[0].uv.foreach_get("vector", uvs)
    return uvs


def show(bpy, name, frames):
    import numpy

    for frame in frames:
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        thing = bpy.data.objects[name].evaluated_get(graph)
        points = [list(thing.matrix_world @ v.co) for v in thing.data.vertices]
        say("points", frame, numpy.asarray(points).ravel())
        say("uvs", frame, corner_uvs(thing.data))


def blender(folder):
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.mesh.primitive_uv_sphere_add(segments=12, ring_count=7)
    ball = bpy.context.object
    ball.name = "ball"
    ball.shape_key_add(name="rest")
    key = ball.shape_key_add(name="moved")
    for k, point in enumerate(key.data):
        point.co.x += 0.01 * k
    for frame in (1, 2, 3):
        key.value = 0.3 * frame
        key.keyframe_insert("value", frame=frame)
        ball.location = (frame, 0, 0.5)
        ball.rotation_euler = (0.1 * frame, 0.2, 0.3)
        ball.keyframe_insert("location", frame=frame)
        ball.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 3
    # Exports points for each frame instead of blend shapes.
    bpy.ops.wm.usd_export(
        filepath=os.path.join(folder, "b.usdc"), export_animation=True, export_shapekeys=False, export_armatures=False
    )
    show(bpy, "ball", (1, 2, 3))


def posed_blender(folder):
    import bpy

    from mathutils import Vector

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 3
    bpy.ops.mesh.primitive_cylinder_add(vertices=8, depth=4, location=(0, 0, 2))
    arm = bpy.context.object
    arm.name = "arm"
    arm.data.uv_layers.new() if not arm.data.uv_layers else None
    bpy.ops.object.armature_add(location=(0, 0, 0))
    bones = bpy.context.object
    bones.location = (0.3, 0, 0)
    bpy.ops.object.mode_set(mode="EDIT")
    lower = bones.data.edit_bones[0]
    lower.name, lower.tail = "lower", (0, 0, 2)
    upper = bones.data.edit_bones.new("upper")
    upper.head, upper.tail, upper.parent = (0, 0, 2), (0, 0, 4), lower
    bpy.ops.object.mode_set(mode="OBJECT")
    arm.parent = bones
    arm.modifiers.new("bones", "ARMATURE").object = bones
    groups = [arm.vertex_groups.new(name=name) for name in ("lower", "upper")]
    for vertex in arm.data.vertices:
        share = 0.25 + 0.5 * (vertex.co.z > 0) + 0.1 * (vertex.index % 3)
        groups[0].add([vertex.index], 1 - share, "REPLACE")
        groups[1].add([vertex.index], share, "REPLACE")
    arm.shape_key_add(name="rest")
    bulge = arm.shape_key_add(name="bulge")
    for point in bulge.data:
        point.co += Vector((0.4 * point.co.x, 0, 0.1))
    for frame in (1, 2, 3):
        bulge.value = 0.2 * frame
        bulge.keyframe_insert("value", frame=frame)
        for k, name in enumerate(("lower", "upper")):
            bone = bones.pose.bones[name]
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = (0.2 * frame, 0.3 * k, 0.1)
            bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.ops.wm.usd_export(
        filepath=os.path.join(folder, "q.usdc"), export_animation=True, export_armatures=True, export_shapekeys=True
    )
    show(bpy, "arm", (1, 2, 3))


def look(*paths):
    import bpy

    for path in paths:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.wm.usd_import(filepath=path)
        name = next(thing.name for thing in bpy.data.objects if thing.type == "MESH")
        show(bpy, name, (1, 2, 3))


def same(a, b):
    from pxr import Sdf, Usd, UsdGeom

    layers = [Sdf.Layer.FindOrOpen(path) for path in (a, b)]
    texts = [layer.ExportToString() for layer in layers]
    if texts[0] != texts[1]:
        print(*texts, sep="\n")
    stage = Usd.Stage.Open(layers[1])
    mesh = next(UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh))
    say("same", 0, [texts[0] == texts[1], len(mesh.GetPointsAttr().GetTimeSamples())])


code = 1
try:
    tasks = {"make": make, "blender": blender, "samples": samples, "tell": tell, "look": look, "same": same}
    tasks |= {"posed": posed, "posed_blender": posed_blender}
    tasks[sys.argv[1]](*sys.argv[2:])
    code = 0
finally:
    sys.stdout.flush()
    sys.stderr.flush()
    if code == 0:
        os._exit(0)
