"""What moves in time as keys of a scene: led bodies, activations and goals."""

import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ...core import strand_scene, strand_xml
from . import animation, places

DELTAS = (("delta_location", 3), ("delta_rotation_quaternion", 4))


def simulated_frames(scene):
    """The frames of a simulation: those of the scene, the first of which shows the start."""
    return scene.frame_start, max(scene.frame_end, scene.frame_start)


class Motion:
    """Writes keys into the elements of a writer; what only Blender can evaluate is sampled in one pass."""

    def __init__(self, writer):
        self.writer = writer
        self.scene, self.frames = writer.host, simulated_frames(writer.host)
        self.fps = animation.fps(writer.host)
        self.sampled = self._sample()

    def _sample(self):
        """Matrices and values of everything that needs evaluation, by object: a row for each frame."""
        needed = {part: self._reader(part) for part in self.writer.parts if self._needs(part)}
        rows = {part: [] for part in needed}
        if not needed:
            return rows
        with animation.Frames(self.scene) as frames:
            for number in range(self.frames[0], self.frames[1] + 1):
                depsgraph = frames.go(number)
                for part, read in needed.items():
                    rows[part].append(read(part.evaluated_get(depsgraph)))
        return rows

    def _needs(self, part):
        tag = part.sinew_tendon.tag
        moved = part.constraints or part.parent or animation.driven(part, "location")
        if tag == "body":
            own = any(c.data_path in ("location", *_ROTATIONS) for c in animation.fcurves(part))
            return part.sinew_tendon.body.mode == "led" and bool(moved or own)
        if tag == "goal_place":
            return bool(moved)
        value = _value_path(tag)
        return value is not None and animation.driven(part, value)

    @staticmethod
    def _reader(part):
        value = _value_path(part.sinew_tendon.tag)
        if value is None:
            return lambda evaluated: evaluated.matrix_world.copy()
        return lambda evaluated: evaluated.path_resolve(value)

    def _times(self, rows):
        return [(k / self.fps, row) for k, row in enumerate(rows)]

    # Bodies.

    def body(self, element, part):
        """The keys of a led body."""
        keys = []
        if part.sinew_tendon.body.mode == "led":
            keys = self._led(part)
        space = self.writer.space
        texts = []
        for time, matrix in keys:
            now = space.frame_in(places.rigid(Matrix(matrix)))
            texts.append((time, {"at": now[:3, 3], "turn": now}))
        self._replace(element, "key", texts)

    def _led(self, part):
        if part in self.sampled:
            keys = animation.simplified([(t, tuple(map(tuple, m))) for t, m in self._times(self.sampled[part])])
            still = len(keys) == 1 and np.allclose(np.array(keys[0][1]), np.array(places.modelled(part)), atol=1e-7)
            return [] if still else [(t, Matrix(m)) for t, m in keys]
        tracks = [animation.track(part, path, size, self.frames, self.fps) for path, size in DELTAS]
        animated = [t for t, (path, _) in zip(tracks, DELTAS) if animation.curve(part, path)]
        if not animated:
            return []
        times = [time for time, _ in animated[0]]
        if any([time for time, _ in track] != times for track in animated):
            times = [k / self.fps for k in range(self.frames[1] - self.frames[0] + 1)]
        at = [_interpolated(track) for track in tracks]
        return [(time, self._moved(part, *(found(time) for found in at))) for time in times]

    @staticmethod
    def _moved(part, shift, turn):
        place, rotation, scale = places.own(part).decompose()
        own = Matrix.LocRotScale(place + Vector(shift), Quaternion(turn).normalized() @ rotation, scale)
        return places.modelled(part) @ places.own(part).inverted_safe() @ own

    # Values.

    def activation(self, element, part):
        """The activation of a muscle, and its keys."""
        keys = self._values(part)
        before, start = keys_of(element, "activation", ("value",)), initial(self.writer.scene, element)
        # Between the start and the first key the scene goes on from the initial value.
        stated = before if before and before[0][0] <= 0 else [(0.0, start), *before]
        if _alike(stated, [(t, {"value": v}) for t, v in keys], 0.0):
            return
        if not np.float32(keys[0][1][0]) == np.float32(start["value"][0]):
            element.set("activation", strand_scene.short(keys[0][1][0]))
        self._write(element, "activation", [(t, {"value": strand_scene.short(v[0])}) for t, v in keys[1:]])

    def goal_motion(self, element, part):
        """The targets of a motion."""
        self._replace(element, "to", [(t, {"value": v}) for t, v in self._values(part)])

    def goal_place(self, element, part):
        """The targets of a place: where the goal's empty is."""
        if part in self.sampled:
            keys = [(t, tuple(m.translation)) for t, m in self._times(self.sampled[part])]
            keys = animation.simplified(keys)
        else:
            keys = animation.track(part, "location", 3, self.frames, self.fps)
        self._replace(element, "to", [(t, {"at": self.writer.space.point_in(v)}) for t, v in keys])

    def _values(self, part):
        path = _value_path(part.sinew_tendon.tag)
        if part in self.sampled:
            return animation.simplified([(t, (v,)) for t, v in self._times(self.sampled[part])])
        return animation.track(part, path, 1, self.frames, self.fps)

    # Keys.

    def _replace(self, element, tag, keys):
        names = {"key": ("at", "turn"), "to": ("at", "value")}[tag]
        before = keys_of(element, tag, names)
        if before and before[0][0] > 0:
            before.insert(0, (0.0, initial(self.writer.scene, element)))
        if _alike(before, keys, self.writer.size / self.writer.space.scale):
            return
        self._write(element, tag, [(t, {n: _text(n, v) for n, v in values.items()}) for t, values in keys])

    @staticmethod
    def _write(element, tag, keys):
        for child in element.elements(tag):
            element.remove(child)
        for time, values in keys:
            element.add(strand_xml.Element(tag, {"time": strand_scene.word(time), **values}), 1)


def initial(scene, element):
    """Where a motion begins that has no key at the start."""
    if element.tag == "body":
        frame = scene.frame_of(element)
        return {"at": frame[:3, 3], "turn": frame}
    if element.tag == "goal_place":
        return {"at": scene.point_of(element)}
    if element.tag == "goal_motion":
        joint = scene.find(("joint",), element.get("joint"))
        axes = joint.elements("axis") if joint is not None else []
        start = next((a.get("start") for a in axes if a.get("name") == element.get("axis")), None)
        return {"value": [float(start or 0)]}
    return {"value": [float(element.get("activation", "0"))]}


_ROTATIONS = ("rotation_euler", "rotation_quaternion", "rotation_axis_angle")


def _value_path(tag):
    """The animated property of a kind of part, or None."""
    if tag in ("muscle", "reel", "hill"):
        return f"sinew_tendon.{tag}.activation"
    return "sinew_tendon.goal_motion.target" if tag == "goal_motion" else None


def _text(name, value):
    if name == "turn":
        return strand_scene.turn_text(value)
    return strand_scene.place_text(value) if name == "at" else strand_scene.short(value[0])


def keys_of(element, tag, names):
    """The keys that an element states, as `_alike` compares them."""
    found = []
    for key in element.elements(tag):
        values = {}
        for name in names:
            if name == "turn":
                values[name] = strand_scene.turn_matrix(key.get("turn", "0 0 0"))
            elif key.get(name) is not None:
                values[name] = strand_scene.numbers(key.get(name), 3 if name == "at" else 1)
        found.append((float(key.get("time")), values))
    return found


def _alike(before, now, size):
    """Whether keys say the same to single precision, which is what Blender keeps of frames and values."""
    if len(before) != len(now):
        return False
    for (time, stated), (moment, values) in zip(before, now):
        if abs(time - moment) > 1e-6 * max(1.0, abs(time)) or stated.keys() != values.keys():
            return False
        for name, value in values.items():
            same = strand_scene.same_turn(stated[name], value) if name == "turn" else _close(stated[name], value, size)
            if not same:
                return False
    return True


def _close(a, b, size):
    scale = max(size, *map(abs, a), 1e-30)
    return all(abs(x - y) <= strand_scene.SAME * scale for x, y in zip(a, b))


def _interpolated(track):
    """The values of a track at a time, linear between its keys."""
    times = [time for time, _ in track]

    def at(time):
        columns = zip(*(values for _, values in track))
        return tuple(float(np.interp(time, times, column)) for column in columns)

    return at
