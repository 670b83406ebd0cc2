"""The hands, from glTF: one mesh and one skin, all joints beside each other and named as WebXR names them."""

import json
import struct

import linear
from character import Character, Joint, Part

COMPONENTS = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}
COUNTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
CENTIMETRES = 100.0
# From the wrist to the tip.
BONES = ("metacarpal", "phalanx-proximal", "phalanx-intermediate", "phalanx-distal", "tip")


class Gltf:
    def __init__(self, path):
        data = path.read_bytes()
        (length,) = struct.unpack_from("<I", data, 12)
        self.json = json.loads(data[20 : 20 + length])
        self.buffer = data[28 + length :]

    def read(self, accessor):
        """The elements of an accessor, each a tuple."""
        described = self.json["accessors"][accessor]
        view = self.json["bufferViews"][described["bufferView"]]
        form = f"<{COUNTS[described['type']]}{COMPONENTS[described['componentType']]}"
        first = view.get("byteOffset", 0) + described.get("byteOffset", 0)
        step = view.get("byteStride", struct.calcsize(form))
        return [struct.unpack_from(form, self.buffer, first + k * step) for k in range(described["count"])]


def placed(inverse):
    """Where a joint is, from its inverse bind matrix, whose columns are stored one after another."""
    columns = [inverse[4 * k : 4 * k + 3] for k in range(4)]
    size = linear.dot(columns[0], columns[0]) ** 0.5
    # The inverse of a rotation with a scale.
    rows = [linear.scaled(column, 1 / size) for column in columns[:3]]
    place = linear.scaled(linear.applied(rows, columns[3]), -1 / size)
    return rows, place


def above(name, names):
    finger, dash, bone = name.partition("-")
    if finger == "wrist":
        return -1
    bone = bone.removeprefix("finger-")
    for nearer in reversed(BONES[: BONES.index(bone)]):
        for full in (f"{finger}-{nearer}", f"{finger}-finger-{nearer}"):
            if full in names:
                return names.index(full)
    return names.index("wrist")


def in_order(names):
    """The wrist first, then each finger from its root on."""
    return sorted(
        names, key=lambda name: -1 if name == "wrist" else [name.endswith(bone) for bone in BONES].index(True)
    )


def read(path, name, *, by_group, eight_bits):
    """`by_group`: the group is scaled from metres, in place of all numbers. The fingers close to a loose fist."""
    gltf = Gltf(path)
    skin = gltf.json["skins"][0]
    in_file = [gltf.json["nodes"][node]["name"] for node in skin["joints"]]
    binds = dict(zip(in_file, gltf.read(skin["inverseBindMatrices"]), strict=True))
    names = in_order(in_file)
    unit = 1.0 if by_group else CENTIMETRES
    # Along the row of knuckles.
    knuckles = [placed(binds[f"{finger}-finger-phalanx-proximal"])[1] for finger in ("index", "pinky")]
    joints = []
    for joint in names:
        rotation, place = placed(binds[joint])
        joints.append(Joint(joint.replace("-", "_"), above(joint, names), linear.scaled(place, unit), rotation))
        if "phalanx" in joint and "thumb" not in joint:
            joints[-1].axis = linear.less(*knuckles)
            joints[-1].angle = 0.7 if "left" in name else -0.7
    primitive = gltf.json["meshes"][0]["primitives"][0]
    points, uvs, held, weights = (
        gltf.read(primitive["attributes"][key]) for key in ("POSITION", "TEXCOORD_0", "JOINTS_0", "WEIGHTS_0")
    )
    corners = [index for (index,) in gltf.read(primitive["indices"])]
    influences = []
    for of_vertex, amounts in zip(held, weights, strict=True):
        if eight_bits:
            amounts = [round(255 * amount) / 255 for amount in amounts]
        pairs = zip(of_vertex, amounts, strict=True)
        influences.append([(names.index(in_file[joint]), amount) for joint, amount in pairs if amount > 0])
    part = Part(
        "hand",
        [linear.scaled(point, unit) for point in points],
        [[u, 1 - v] for u, v in uvs],
        [[(corner, corner) for corner in corners[k : k + 3]] for k in range(0, len(corners), 3)],
        influences,
    )
    return Character(name, joints, [part], scale=CENTIMETRES if by_group else 1.0)
