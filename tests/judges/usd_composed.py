"""Random compositions of USD files, and what USD's own library finds in them.

`make FOLDER SEED`: writes files that use each other by sublayers, references, payloads, inherited classes and variants
with offsets, other rates, overs, deletions and blocks; root.usda is the whole. Prints the points of all meshes at
times, as lines of JSON: [mesh, time, numbers], no numbers where a mesh has no points. `tell FILE`: the same of a file.
`blender FOLDER`: Blender writes instances, a body and cloth there, and shot.usda uses them by a sublayer, references
and a payload. `between FOLDER`: writes shots in which an asset's samples lie between frames, by gaps, offsets, scales
and another rate. Prints the points in world space of each shot's mesh, at the whole and the half frames from the first
sample to the last, and of the shot. `assets FOLDER`: of all files below a folder that open: [file, 0, []], and after
each its meshes at the first time of the shot: [mesh, time, points in world space, corners of faces, vertices of
corners].
"""

import json
import math
import os
import random
import sys

from pxr import Sdf, Usd, UsdGeom, Vt

TIMES = [-3.0, 0.0, 1.0, 2.5, 4.0, 5.25, 8.0, 13.0, 40.0]


def tell(path):
    stage = Usd.Stage.Open(path)
    cache = UsdGeom.XformCache()
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies()):
        if not prim.IsA(UsdGeom.Mesh):
            continue
        for time in TIMES:
            cache.SetTime(time)
            matrix = cache.GetLocalToWorldTransform(prim)
            points = UsdGeom.Mesh(prim).GetPointsAttr().Get(time) or []
            numbers = [float(n) for p in points for n in matrix.Transform(p)]
            print("FOUND", json.dumps([str(prim.GetPath()), time, numbers]))


def assets(folder):
    for path in sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names):
        if not path.endswith((".usd", ".usda", ".usdc", ".usdz")):
            continue
        try:
            stage = Usd.Stage.Open(path)
        except Exception as error:
            print("UNREAD", path, error)
            continue
        print("FOUND", json.dumps([path, 0, [], [], []]))
        time = stage.GetStartTimeCode()
        cache = UsdGeom.XformCache(time)
        for prim in Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies()):
            if not prim.IsA(UsdGeom.Mesh):
                continue
            mesh, matrix = UsdGeom.Mesh(prim), cache.GetLocalToWorldTransform(prim)
            points = mesh.GetPointsAttr().Get(time)
            points = points if isinstance(points, (Vt.Vec3fArray, Vt.Vec3dArray)) else []
            numbers = [float(n) for p in points for n in matrix.Transform(p)]
            counts, corners = (
                list(a.Get(time) or []) for a in (mesh.GetFaceVertexCountsAttr(), mesh.GetFaceVertexIndicesAttr())
            )
            if mesh.GetOrientationAttr().Get(time) == "leftHanded":
                at = 0
                for count in counts:
                    corners[at + 1 : at + count] = corners[at + 1 : at + count][::-1]
                    at += count
            print("FOUND", json.dumps([str(prim.GetPath()), time, numbers, counts, corners]))


def block_or(dice, value):
    return Sdf.ValueBlock() if dice.random() < 0.08 else value


def mesh(dice, layer, path):
    spec = Sdf.CreatePrimInLayer(layer, path)
    # Without a specifier this is an over.
    if dice.random() < 0.7:
        spec.specifier, spec.typeName = Sdf.SpecifierDef, "Mesh"
    points = Sdf.AttributeSpec(spec, "points", Sdf.ValueTypeNames.Point3fArray)
    value = lambda: [tuple(dice.randrange(-8, 9) for _ in range(3)) for _ in range(3)]
    kind = dice.random()
    if kind < 0.5:
        for time in sorted(dice.sample(range(-4, 12), dice.randrange(1, 5))):
            layer.SetTimeSample(points.path, time, block_or(dice, value()))
    if kind > 0.3:
        points.default = block_or(dice, value())
    if dice.random() < 0.4:
        shift = Sdf.AttributeSpec(spec, "xformOp:translate", Sdf.ValueTypeNames.Double3)
        for time in sorted(dice.sample(range(0, 8), 2)):
            layer.SetTimeSample(shift.path, time, tuple(dice.randrange(-8, 9) for _ in range(3)))
        order = Sdf.AttributeSpec(spec, "xformOpOrder", Sdf.ValueTypeNames.TokenArray, Sdf.VariabilityUniform)
        order.default = Vt.TokenArray(["xformOp:translate"])
    return spec


def offset(dice):
    return Sdf.LayerOffset(dice.choice([0, 0, 2, -3, 0.5]), dice.choice([1, 1, 2, 0.5]))


def insert(dice, edits, item):
    where = dice.random()
    if where < 0.4:
        edits.prependedItems.append(item)
    elif where < 0.8:
        edits.appendedItems.append(item)
    elif where < 0.9:
        edits.explicitItems.append(item)
    else:
        edits.deletedItems.append(item)


def arcs_within(dice, spec, refer):
    """Arcs of a prim that is no root, or of a class."""
    if dice.random() < 0.05:
        refer(spec.referenceList if dice.random() < 0.6 else spec.payloadList)
    if dice.random() < 0.04:
        insert(dice, spec.inheritPathList, Sdf.Path(dice.choice(["/_class/m", "/_class/n", "/_local"])))
    if dice.random() < 0.01:
        insert(dice, spec.specializesList, Sdf.Path(dice.choice(["/_base/m", "/_base/n"])))


def make(folder, seed):
    dice = random.Random(seed)
    names = ["root.usda"] + [f"{k}.usd{dice.choice('ac')}" for k in range(1, 7)]
    prims = ["A", "B", "C"]
    os.makedirs(os.path.join(folder, "sub"), exist_ok=True)
    places = [name if k == 0 or dice.random() < 0.6 else "sub/" + name for k, name in enumerate(names)]
    asset = lambda k, frm: os.path.relpath(
        os.path.join(folder, places[k]), os.path.dirname(os.path.join(folder, places[frm]))
    )
    for k in reversed(range(len(names))):
        layer = Sdf.Layer.CreateNew(os.path.join(folder, places[k]))
        layer.defaultPrim = dice.choice(prims)
        if dice.random() < 0.4:
            layer.timeCodesPerSecond = dice.choice([12, 24, 48])
        elif dice.random() < 0.3:
            layer.framesPerSecond = dice.choice([12, 48])
        # Arcs lead to later files and to later prims only, so that there are no cycles.
        later = list(range(k + 1, len(names)))

        def refer(edits, later=later, k=k):
            if later:
                kind = Sdf.Payload if "Payload" in type(edits).__name__ else Sdf.Reference
                target = dice.choice(["/A", "/B/m", "/B/n", "/C/m", "/C/n", "/_class/m"])
                insert(dice, edits, kind(asset(dice.choice(later), k), target, offset(dice)))

        for n, name in enumerate(prims):
            spec = Sdf.CreatePrimInLayer(layer, "/" + name)
            if dice.random() < 0.8:
                spec.specifier, spec.typeName = Sdf.SpecifierDef, "Xform"
            for child in dice.sample(["m", "n"], dice.randrange(0, 3)):
                arcs_within(dice, mesh(dice, layer, f"/{name}/{child}"), refer)
            for edits, make_item in [(spec.referenceList, Sdf.Reference), (spec.payloadList, Sdf.Payload)]:
                for other in dice.sample(later, min(len(later), dice.choice([0, 0, 1, 2]))):
                    target = dice.choice(["", "/A", "/B", "/C"] * 10 + ["/A/m", "/C/n"])
                    insert(dice, edits, make_item(asset(other, k), target, offset(dice)))
            if n < 2 and dice.random() < 0.2:
                insert(dice, spec.referenceList, Sdf.Reference("", "/C", offset(dice)))
            if dice.random() < 0.15:
                insert(dice, spec.inheritPathList, Sdf.Path("/_class"))
            if dice.random() < 0.05:
                insert(dice, spec.specializesList, Sdf.Path("/_base"))
            if dice.random() < 0.3:
                spec.variantSetNameList.prependedItems.append("v")
                for choice in "xy":
                    variant = Sdf.CreateVariantInLayer(layer, spec.path, "v", choice)
                    mesh(dice, layer, variant.primSpec.path.AppendChild(dice.choice(["m", "w"])))
            if dice.random() < 0.4:
                spec.variantSelections["v"] = dice.choice("xy")
            if dice.random() < 0.05:
                spec.SetInfo("instanceable", True)
            if dice.random() < 0.05:
                spec.SetInfo("active", dice.random() < 0.5)
        for name in ["_class", "_base", "_local"]:
            if dice.random() < 0.5:
                spec = Sdf.CreatePrimInLayer(layer, "/" + name)
                spec.specifier = Sdf.SpecifierClass
                inner = mesh(dice, layer, f"/{name}/{dice.choice('mn')}")
                if name == "_class":
                    arcs_within(dice, dice.choice([spec, inner]), refer)
                    if dice.random() < 0.1:
                        insert(dice, spec.inheritPathList, Sdf.Path("/_base"))
        for other in dice.sample(later, min(len(later), dice.choice([0, 1, 2]))):
            layer.subLayerPaths.append(asset(other, k))
            layer.subLayerOffsets[len(layer.subLayerPaths) - 1] = offset(dice)
        layer.Save()
    tell(os.path.join(folder, "root.usda"))


def blender(folder):
    import bpy

    def empty():
        bpy.ops.wm.read_factory_settings(use_empty=True)

    place = lambda name: os.path.join(folder, name)
    empty()
    prop = bpy.data.collections.new("Prop")
    bpy.context.scene.collection.children.link(prop)
    bpy.ops.mesh.primitive_monkey_add()
    prop.objects.link(bpy.context.object)
    bpy.context.scene.collection.objects.unlink(bpy.context.object)
    for k in range(3):
        one = bpy.data.objects.new(f"Inst {k}", None)
        one.instance_type, one.instance_collection = "COLLECTION", prop
        one.location, one.rotation_euler, one.scale = (3 * k, 1, 0.5 * k), (0.1 * k, 0.4, 0.3 * k), (1, 1 + 0.2 * k, 1)
        bpy.context.scene.collection.objects.link(one)
        one.keyframe_insert("location", frame=1)
        one.location.z += 2
        one.keyframe_insert("location", frame=10)
    bpy.context.scene.frame_end = 10
    bpy.ops.wm.usd_export(filepath=place("instances.usdc"), use_instancing=True, export_animation=True)
    bpy.ops.wm.usd_export(filepath=place("plain.usda"), export_animation=True)
    empty()
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=5, y_subdivisions=4)
    cloth = bpy.context.object
    cloth.shape_key_add(name="Basis")
    raised = cloth.shape_key_add(name="Raised")
    raised.data[3].co.z = 1
    for frame, value in ((1, 0.0), (8, 1.0)):
        raised.value = value
        raised.keyframe_insert("value", frame=frame)
    bpy.context.scene.frame_end = 8
    bpy.ops.wm.usd_export(filepath=place("cloth.usdc"), export_animation=True, export_shapekeys=False)
    stage = Usd.Stage.CreateNew(place("shot.usda"))
    layer = stage.GetRootLayer()
    layer.subLayerPaths.append("./instances.usdc")
    layer.subLayerOffsets[0] = Sdf.LayerOffset(3, 2)
    for name, file, path, moved in (
        ("cloth", "cloth", "", (0, 1)),
        ("again", "cloth", "/root", (5, 0.5)),
        ("many", "instances", "/root", (0, 1)),
    ):
        prim = stage.DefinePrim(f"/set/{name}", "Xform")
        prim.GetReferences().AddReference(Sdf.Reference(f"./{file}.usdc", path, Sdf.LayerOffset(*moved)))
    stage.DefinePrim("/set/plain", "Xform").GetPayloads().AddPayload("./plain.usda", "/root")
    stage.SetStartTimeCode(4)
    layer.Save()
    sys.stdout.flush()
    # Blender can hang when it ends.
    os._exit(0)


def between(folder):
    place = lambda name: os.path.join(folder, name)

    def animal(stage, path, times):
        at = UsdGeom.Xform.Define(stage, path)
        shift = at.AddTranslateOp()
        for time in times[::2]:
            shift.Set((0.1 * time, 0, 1), time)
        skin = UsdGeom.Mesh.Define(stage, path + "/skin")
        skin.CreateFaceVertexCountsAttr([3])
        skin.CreateFaceVertexIndicesAttr([0, 1, 2])
        for time in times:
            skin.CreatePointsAttr().Set([(time, 0, 0), (1, time * time / 8, 0), (0, 1, 3 - time)], time)

    def layer(name, rate):
        stage = Usd.Stage.CreateNew(place(name))
        stage.SetFramesPerSecond(rate)
        stage.SetTimeCodesPerSecond(rate)
        return stage

    stage = layer("sparse.usda", 25)
    animal(stage, "/cat", [3.25, 4, 7.5, 7.75, 12, 17.5])
    stage.SetStartTimeCode(2)
    stage.SetEndTimeCode(19)
    stage.Save()
    stage = layer("asset.usdc", 30)
    animal(stage, "/cat", list(range(1, 23)))
    stage.SetDefaultPrim(stage.GetPrimAtPath("/cat"))
    stage.Save()
    stage = layer("class.usda", 24)
    stage.CreateClassPrim("/_pet").GetReferences().AddReference("asset.usdc")
    stage.DefinePrim("/pet", "Xform").GetInherits().AddInherit("/_pet")
    stage.Save()
    stage = layer("late.usda", 24)
    stage.DefinePrim("/set/pet", "Xform").GetReferences().AddReference("./asset.usdc", Sdf.LayerOffset(7.3, 1.7))
    stage.Save()
    stage = layer("shot.usda", 60)
    stage.GetRootLayer().subLayerPaths.append("late.usda")
    stage.GetRootLayer().subLayerOffsets[0] = Sdf.LayerOffset(-5.2, 0.8)
    stage.Save()
    for name in ["sparse.usda", "class.usda", "late.usda", "shot.usda"]:
        stage = Usd.Stage.Open(place(name))
        mesh = next(prim for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh))
        moving = [UsdGeom.Mesh(mesh).GetPointsAttr()] + [
            op.GetAttr() for op in UsdGeom.Xformable(mesh.GetParent()).GetOrderedXformOps()
        ]
        times = [time for attribute in moving for time in attribute.GetTimeSamples()]
        first, last = math.ceil(min(times)), math.floor(max(times))
        if stage.HasAuthoredTimeCodeRange():
            first, last = min(first, int(stage.GetStartTimeCode())), max(last, int(stage.GetEndTimeCode()))
        for half in range(2 * first, 2 * last + 1):
            matrix = UsdGeom.XformCache(half / 2).GetLocalToWorldTransform(mesh)
            points = UsdGeom.Mesh(mesh).GetPointsAttr().Get(half / 2)
            print("FOUND", json.dumps([name, half / 2, [float(n) for p in points for n in matrix.Transform(p)]]))


if sys.argv[1] == "make":
    for seed in range(int(sys.argv[3]), int(sys.argv[4])):
        folder = os.path.join(sys.argv[2], str(seed))
        os.makedirs(folder, exist_ok=True)
        print("FOUND", json.dumps([folder, 0, []]))
        make(folder, seed)
elif sys.argv[1] == "blender":
    blender(sys.argv[2])
elif sys.argv[1] == "between":
    between(sys.argv[2])
elif sys.argv[1] == "assets":
    assets(sys.argv[2])
else:
    tell(sys.argv[2])
