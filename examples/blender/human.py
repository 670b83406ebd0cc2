"""Makes a .blend file with two copies of a woman who turns her head and raises an arm: one plain, one with sliding
skin.

    sh tests/human.sh
    blender --background --python examples/blender/human.py -- target/human human.blend

The first command fetches her (MPFB2's mesh, rig and weights, CC0). The add-on must be installed.
"""

import json
import math
import pathlib
import sys

import bpy
import numpy as np

from mathutils import Quaternion, Vector

ORIGINS = ("african", "asian", "caucasian")
# Masks where the skin must stay in place; on hands and feet it is held softly.
FIXED = ("eyelids", "lips", "inside-mouth", "fingernails")
HELD = ("wrist.L", "wrist.R", "foot.L", "foot.R")
DECIMETRE = 0.1
FRAMES, FPS = 48, 24
APART = 0.5


class Human:
    """Her files: points in metres with z up, faces by group, UVs, joints and weights."""

    def __init__(self, folder):
        self.folder = folder
        self.uvs, self.groups, points = [], {}, []
        for line in (folder / "base.obj").read_text().splitlines():
            kind, *words = line.split() or [""]
            if kind == "v":
                points.append([float(word) for word in words])
            elif kind == "vt":
                self.uvs.append([float(word) for word in words[:2]])
            elif kind == "g":
                faces = self.groups.setdefault(words[0], [])
            elif kind == "f":
                faces.append([tuple(int(n) - 1 for n in word.split("/")[:2]) for word in words])
        points = np.array(points)
        for origin in ORIGINS:
            for line in (folder / f"{origin}-female-young.target").read_text().splitlines():
                if line.strip() and not line.startswith("#"):
                    vertex, *way = line.split()
                    points[int(vertex)] += np.array(way, float) / len(ORIGINS)
        body = self.vertices("body")
        points = (points - [0, points[body, 1].min(), 0]) * DECIMETRE
        self.points = np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1)
        self.bones = json.loads((folder / "rig.default.json").read_text())
        self.bones = self.bones.get("bones", self.bones)
        self.weights = json.loads((folder / "weights.default.json").read_text())["weights"]

    def vertices(self, group):
        return np.unique([vertex for face in self.groups[group] for vertex, _ in face])

    def place(self, end):
        """An end of a bone: the middle of a helper cube or of some vertices, or a vertex."""
        if end["strategy"] == "CUBE":
            return Vector(self.points[self.vertices(end["cube_name"])].mean(axis=0))
        chosen = end["vertex_indices"] if end["strategy"] == "MEAN" else [end["vertex_index"]]
        return Vector(self.points[chosen].mean(axis=0))

    def joint(self, name):
        return self.place(self.bones[name]["head"])


def link(ob):
    bpy.context.scene.collection.objects.link(ob)
    return ob


def activate(ob):
    for other in bpy.context.view_layer.objects:
        other.select_set(other == ob)
    bpy.context.view_layer.objects.active = ob


def make_rig(human):
    """The armature with all bones."""
    rig = link(bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig")))
    activate(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    for name, bone in human.bones.items():
        made = rig.data.edit_bones.new(name)
        made.head, made.tail, made.roll = human.place(bone["head"]), human.place(bone["tail"]), bone["roll"]
    for name, bone in human.bones.items():
        if bone["parent"]:
            rig.data.edit_bones[name].parent = rig.data.edit_bones[bone["parent"]]
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.hide_render, rig.data.display_type = True, "STICK"
    return rig


def make_part(human, group, name, rig, material):
    """A group of the mesh as an object that the rig moves."""
    own = human.vertices(group)
    number = {vertex: k for k, vertex in enumerate(own.tolist())}
    mesh = bpy.data.meshes.new(name)
    faces = human.groups[group]
    mesh.from_pydata(human.points[own].tolist(), [], [[number[vertex] for vertex, _ in face] for face in faces])
    flat = np.array([human.uvs[uv] for face in faces for _, uv in face], np.float32)
    mesh.uv_layers.new(name="UVMap").uv.foreach_set("vector", flat.ravel())
    mesh.polygons.foreach_set("use_smooth", np.ones(len(faces), bool))
    mesh.materials.append(material)
    ob = link(bpy.data.objects.new(name, mesh))
    for bone, pairs in human.weights.items():
        there = [(number[vertex], weight) for vertex, weight in pairs if vertex in number and weight > 0]
        if there:
            made = ob.vertex_groups.new(name=bone)
            for vertex, weight in there:
                made.add([vertex], weight, "REPLACE")
    modifier = ob.modifiers.new("Armature", "ARMATURE")
    modifier.object, modifier.use_deform_preserve_volume = rig, True
    ob.parent = rig
    return ob


def twin(rig, parts):
    """Puts the same rig and parts beside them; gives the second body."""
    other = link(rig.copy())
    rig.location.x, other.location.x = -APART, APART
    found = []
    for part in parts:
        copy = link(part.copy())
        copy.data, copy.parent, copy.modifiers["Armature"].object = part.data.copy(), other, other
        copy.data.materials[0] = part.data.materials[0].copy()
        found.append(copy)
    found[0].name = found[0].data.name = "Sliding"
    return found[0]


def smooth(first, last, seconds):
    """From 0 to 1 between two times."""
    t = min(1.0, max(0.0, (seconds - first) / (last - first)))
    return t * t * t * (10 + t * (6 * t - 15))


def turns_at(human, seconds):
    """The pose at a time: bone -> rotation about its head, in the axes of the rest pose."""
    found = {}

    def turn(bone, axis, angle):
        found[bone] = Quaternion(axis, angle) @ found.get(bone, Quaternion())

    right, up = Vector((1, 0, 0)), Vector((0, 0, 1))
    yaw, lifted = -1.05 * smooth(0.2, 1.5, seconds), 0.4 * smooth(0.7, 1.7, seconds)
    for bone, share in (("neck01", 0.15), ("neck02", 0.2), ("neck03", 0.25), ("head", 0.4)):
        turn(bone, right, -0.35 * lifted * share)
        turn(bone, up, yaw * share)
    lowered, raised = smooth(0, 0.7, seconds), smooth(0.5, 1.8, seconds)
    for side, sign in (("L", 1), ("R", -1)):
        raised = raised if side == "L" else 0
        shoulder, elbow, wrist = (human.joint(f"{bone}.{side}") for bone in ("upperarm01", "lowerarm01", "wrist"))
        upper, lower = (elbow - shoulder).normalized(), wrist - elbow
        hinge = upper.cross(lower).normalized()
        turn(f"lowerarm01.{side}", hinge, -upper.angle(lower) * (0.35 * lowered + 0.45 * raised))
        late = smooth(0.1, 1.0, raised)
        front = Vector((0, -sign, 0))
        turn(f"clavicle.{side}", front, 0.32 * late)
        turn(f"shoulder01.{side}", front, 0.38 * late)
        for bone in ("upperarm01", "upperarm02"):
            turn(f"{bone}.{side}", upper, -0.35 * sign * raised)
        turn(f"upperarm01.{side}", front, -(math.atan2(abs(upper.x), -upper.z) - 0.16) * lowered)
        turn(f"upperarm01.{side}", Vector((-0.45 * sign, -0.9 * sign, 0)).normalized(), 2.4 * raised - 0.7 * late)
    return found


def animate(human, rig):
    """Keys for every fourth frame."""
    bpy.context.scene.render.fps = FPS
    for frame in (*range(1, FRAMES, 4), FRAMES):
        for name, turn in turns_at(human, (frame - 1) / FPS).items():
            axes = rig.data.bones[name].matrix_local.to_quaternion()
            rig.pose.bones[name].rotation_quaternion = axes.inverted() @ turn @ axes
            rig.pose.bones[name].keyframe_insert("rotation_quaternion", frame=frame)


def checker(size=2048, cells=96):
    """Squares of two colours, parted by thin lines."""
    place = (np.indices((size, size)) + 0.5) * cells / size
    odd = place.astype(int).sum(axis=0) % 2
    line = (np.abs(place - np.round(place)) < 0.05).any(axis=0)
    colours = np.array([(0.96, 0.82, 0.70, 1), (0.24, 0.52, 0.56, 1), (0.14, 0.18, 0.20, 1)], np.float32)
    image = bpy.data.images.new("Checker", size, size)
    image.pixels.foreach_set(colours[np.where(line, 2, odd)].ravel())
    image.pack()
    return image


def textured(image):
    """A material with an image that asks for the UV map by name."""
    made = bpy.data.materials.new("Skin")
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    uvs, picture = nodes.new("ShaderNodeUVMap"), nodes.new("ShaderNodeTexImage")
    uvs.uv_map, picture.image = "UVMap", image
    links.new(uvs.outputs[0], picture.inputs[0])
    links.new(picture.outputs[0], nodes["Principled BSDF"].inputs["Base Color"])
    nodes["Principled BSDF"].inputs["Roughness"].default_value = 0.6
    nodes.active = picture
    return made


def plain(name, colour):
    made = bpy.data.materials.new(name)
    made.diffuse_color, made.use_nodes = colour, True
    made.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = colour
    return made


def paint(human, ob):
    """The maps of the skin slider, in vertex groups that its brushes make."""
    mesh = ob.data
    corners, uvs = np.empty(len(mesh.loops), np.int32), np.empty(2 * len(mesh.loops), np.float32)
    mesh.loops.foreach_get("vertex_index", corners)
    mesh.uv_layers["UVMap"].uv.foreach_get("vector", uvs)
    fixed = np.zeros(len(mesh.vertices), bool)
    for name in FIXED:
        image = bpy.data.images.load(str(human.folder / f"mpfb_{name}.jpg"))
        wide, high = image.size
        pixels = np.empty(len(image.pixels), np.float32)
        image.pixels.foreach_get(pixels)
        pixels = pixels.reshape(high, wide, image.channels)[..., 0]
        bpy.data.images.remove(image)
        place = np.clip(uvs.reshape(-1, 2) * (wide, high), 0, (wide - 1, high - 1)).astype(int)
        fixed[corners[pixels[place[:, 1], place[:, 0]] > 0.5]] = True
    roots = [ob.parent.data.bones[name] for name in HELD]
    below = [*HELD, *(bone.name for root in roots for bone in root.children_recursive)]
    held = [ob.vertex_groups[name].index for name in below if name in ob.vertex_groups]
    soft = np.array([min(1.0, sum(g.weight for g in v.groups if g.group in held)) for v in mesh.vertices])
    for port, values in (("fixed", fixed.astype(float)), ("hold", soft)):
        bpy.ops.sinew.paint(port=port)
        for vertex in np.flatnonzero(values):
            ob.vertex_groups.active.add([int(vertex)], values[vertex], "REPLACE")
        bpy.ops.object.mode_set(mode="OBJECT")


def label(text, x):
    """A name above a body."""
    curve = bpy.data.curves.new(text, "FONT")
    curve.body, curve.align_x, curve.size = text, "CENTER", 0.07
    curve.materials.append(plain(text, (0.9, 0.9, 0.9, 1)))
    ob = link(bpy.data.objects.new(text, curve))
    ob.location, ob.rotation_euler = (x - 0.06, 0, 1.8), (math.pi / 2, 0, 0)


def light_and_look():
    """Camera, lights, and what Workbench shows."""
    scene = bpy.context.scene
    camera = link(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))
    camera.location, camera.rotation_euler, camera.data.lens = (0.2, -4.2, 1.46), (math.radians(90), 0, 0), 66
    scene.camera = camera
    for name, kind, energy, place in (
        ("Key", "AREA", 160, (-2.2, -2.4, 3.0)),
        ("Fill", "AREA", 50, (2.6, -2.6, 1.8)),
        ("Rim", "AREA", 120, (0.8, 2.5, 2.6)),
    ):
        light = link(bpy.data.objects.new(name, bpy.data.lights.new(name, kind)))
        light.data.energy, light.data.size, light.location = energy, 1.5, place
        light.rotation_euler = (Vector((0, 0, 1.3)) - Vector(place)).to_track_quat("-Z", "Y").to_euler()
    world = bpy.data.worlds.new("World")
    world.color, scene.world = (0.035, 0.04, 0.05), world
    scene.render.engine, scene.view_settings.view_transform = "BLENDER_WORKBENCH", "Standard"
    scene.render.resolution_x, scene.render.resolution_y = 1280, 720
    shading = scene.display.shading
    shading.light, shading.color_type, shading.show_cavity, shading.cavity_type = "STUDIO", "TEXTURE", True, "WORLD"
    shading.show_shadows, shading.shadow_intensity = True, 0.2
    scene.display.light_direction = (-0.45, -0.7, 0.55)


def make(folder):
    """Fills the scene; gives the body whose skin slides."""
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    bpy.context.view_layer.update()
    human, scene = Human(folder), bpy.context.scene
    scene.frame_start, scene.frame_end = 1, FRAMES
    rig, white = make_rig(human), plain("Eyes", (0.85, 0.85, 0.85, 1))
    animate(human, rig)
    parts = [make_part(human, "body", "Skinned", rig, textured(checker()))]
    parts += [make_part(human, f"helper-{side}-eye", f"Eye {side.upper()}", rig, white) for side in "lr"]
    body = twin(rig, parts)
    label("Skinned", -APART)
    label("Sliding", APART)
    light_and_look()
    scene.frame_set(1)
    activate(body)
    bpy.ops.sinew.skin_add()
    paint(human, body)
    return body


def write(arguments, make, usage):
    """Makes a file by `make`, which gets the folder of the human; both examples begin here."""
    if len(arguments) != 2:
        sys.exit(usage)
    folder, path = map(pathlib.Path, arguments)
    if not (folder / "base.obj").exists():
        sys.exit(f"there is no human in {folder}: run sh tests/human.sh")
    if not hasattr(bpy.types.Object, "sinew"):
        sys.exit("the add-on Sinew is not installed or not enabled")
    make(folder)
    bpy.ops.wm.save_as_mainfile(filepath=str(path.resolve()))
    print(f"wrote {path}: open it, go to the first frame and play")


def main(arguments):
    write(arguments, make, __doc__)


if __name__ == "__main__":
    main(sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else [])
