"""Writes the human of tests/human.sh as plain numbers, for pictures.cpp: her mesh at rest in centimetres with y up, her
joints, weights, and a motion: she turns her head and raises her arm, or bends it.

    python3 human.py FOLDER MOTION FRAMES FILE
"""

import json
import math
import pathlib
import sys

ORIGINS = ("african", "asian", "caucasian")
CENTIMETRES = 10.0


def add(a, b, scale=1.0):
    return [x + scale * y for x, y in zip(a, b, strict=True)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    return [x / math.sqrt(dot(a, a)) for x in a]


def rotation(axis, angle):
    """Rodrigues' formula, as rows."""
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = axis
    outer = [[a * b * (1 - c) for b in axis] for a in axis]
    skew = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    return [[outer[i][j] + s * skew[i][j] + (c if i == j else 0) for j in range(3)] for i in range(3)]


def times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def smooth(first, last, t):
    """From 0 to 1 between two times."""
    t = min(1.0, max(0.0, (t - first) / (last - first)))
    return t * t * t * (10 + t * (6 * t - 15))


class Human:
    def __init__(self, folder):
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
        for origin in ORIGINS:
            for line in (folder / f"{origin}-female-young.target").read_text().splitlines():
                if line.strip() and not line.startswith("#"):
                    vertex, *way = line.split()
                    points[int(vertex)] = add(points[int(vertex)], [float(w) for w in way], 1 / len(ORIGINS))
        self.faces = self.groups["body"]
        self.count = 1 + max(vertex for face in self.faces for vertex, _ in face)
        ground = min(point[1] for point in points[: self.count])
        self.points = [[CENTIMETRES * (c - (ground if k == 1 else 0)) for k, c in enumerate(p)] for p in points]
        bones = json.loads((folder / "rig.default.json").read_text())
        self.bones = bones.get("bones", bones)
        self.names = []
        while len(self.names) < len(self.bones):
            for name, bone in self.bones.items():
                if name not in self.names and (not bone["parent"] or bone["parent"] in self.names):
                    self.names.append(name)
        self.heads = {name: self.place(self.bones[name]["head"]) for name in self.names}
        self.weights = json.loads((folder / "weights.default.json").read_text())["weights"]

    def place(self, end):
        """An end of a bone: the middle of a helper cube or of some vertices, or a vertex."""
        if end["strategy"] == "CUBE":
            chosen = sorted({vertex for face in self.groups[end["cube_name"]] for vertex, _ in face})
        else:
            chosen = end["vertex_indices"] if end["strategy"] == "MEAN" else [end["vertex_index"]]
        return [sum(self.points[v][k] for v in chosen) / len(chosen) for k in range(3)]

    def pose(self, turns):
        """The rotation and the place of each joint."""
        found = {}
        for name in self.names:
            own = turns.get(name, rotation([1, 0, 0], 0))
            parent = self.bones[name]["parent"]
            if not parent:
                found[name] = (own, self.heads[name])
                continue
            above, place = found[parent]
            way = add(self.heads[name], self.heads[parent], -1)
            found[name] = (times(above, own), add(place, [dot(row, way) for row in above]))
        return found


class Turns(dict):
    """Rotations of joints about their heads, in the axes of the rest pose."""

    def turn(self, name, axis, angle):
        self[name] = times(rotation(unit(axis), angle), self.get(name, rotation([1, 0, 0], 0)))


def arm_of(human, side):
    shoulder, elbow, wrist = (human.heads[f"{name}.{side}"] for name in ("upperarm01", "lowerarm01", "wrist"))
    upper, lower = add(elbow, shoulder, -1), add(wrist, elbow, -1)
    bend = math.acos(dot(unit(upper), unit(lower)))
    return unit(upper), unit(cross(unit(upper), unit(lower))), bend


def lower_arm(human, turns, side, amount):
    sign = 1 if side == "L" else -1
    upper, hinge, bend = arm_of(human, side)
    turns.turn(f"lowerarm01.{side}", hinge, -0.35 * bend * amount)
    turns.turn(f"upperarm01.{side}", [0, 0, sign], -(math.atan2(abs(upper[0]), -upper[1]) - 0.16) * amount)


def raised(human, t):
    """The head turns and looks up, the left arm goes up, the right one down."""
    turns = Turns()
    for name, share in (("neck01", 0.15), ("neck02", 0.2), ("neck03", 0.25), ("head", 0.4)):
        turns.turn(name, [1, 0, 0], -0.3 * smooth(0.3, 1, t) * share)
        turns.turn(name, [0, 1, 0], -1.0 * smooth(0, 0.8, t) * share)
    lower_arm(human, turns, "R", smooth(0, 0.5, t))
    upper, hinge, bend = arm_of(human, "L")
    up, late = smooth(0, 1, t), smooth(0.1, 1, smooth(0, 1, t))
    turns.turn("lowerarm01.L", hinge, -0.8 * bend * up)
    turns.turn("clavicle.L", [0, 0, 1], 0.32 * late)
    turns.turn("shoulder01.L", [0, 0, 1], 0.38 * late)
    for name in ("upperarm01.L", "upperarm02.L"):
        turns.turn(name, upper, -0.35 * up)
    turns.turn("upperarm01.L", [-0.2, 0, 1], 1.6 * up - 0.7 * late)
    return turns


def bent(human, t):
    """The left upper arm goes up to the side, and its elbow bends; the right arm goes down."""
    turns = Turns()
    lower_arm(human, turns, "R", smooth(0, 0.6, t))
    upper, hinge, _ = arm_of(human, "L")
    up = smooth(0, 1, t)
    # The palm towards the shoulder.
    turns.turn("lowerarm01.L", hinge, 1.25 * up)
    turns.turn("upperarm01.L", upper, -0.75 * up)
    turns.turn("upperarm02.L", upper, -0.45 * up)
    turns.turn("clavicle.L", [0, 0, 1], 0.1 * up)
    turns.turn("upperarm01.L", [0, 0, 1], 0.5 * up)
    return turns


MOTIONS = {"raised": raised, "bent": bent}


def text(numbers):
    return " ".join(f"{number:.9g}" for number in numbers)


def write(human, motion, frames, file):
    influences = [[] for _ in range(human.count)]
    for name, pairs in human.weights.items():
        for vertex, weight in pairs:
            if vertex < human.count and weight > 0:
                influences[vertex].append((human.names.index(name), weight))
    file.write(f"{human.count} {len(human.faces)} {len(human.uvs)} {len(human.names)} {frames}\n")
    for point in human.points[: human.count]:
        file.write(text(point) + "\n")
    for uv in human.uvs:
        file.write(text(uv) + "\n")
    for face in human.faces:
        file.write(f"{len(face)} " + " ".join(f"{vertex} {uv}" for vertex, uv in face) + "\n")
    for name in human.names:
        parent = human.bones[name]["parent"]
        above = human.names.index(parent) if parent else -1
        file.write(f"{name} {above} {text(human.heads[name])}\n")
    for pairs in influences:
        file.write(f"{len(pairs)} " + " ".join(f"{joint} {weight:.9g}" for joint, weight in pairs) + "\n")
    for frame in range(frames):
        pose = human.pose(MOTIONS[motion](human, frame / max(frames - 1, 1)))
        for name in human.names:
            turned, place = pose[name]
            file.write(text([*turned[0], *turned[1], *turned[2], *place]) + "\n")


def main():
    folder, motion, frames, path = sys.argv[1:]
    human = Human(pathlib.Path(folder))
    with open(path, "w", encoding="utf-8") as file:
        write(human, motion, int(frames), file)


if __name__ == "__main__":
    main()
