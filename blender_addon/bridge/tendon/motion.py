"""What moves in time as keys of a scene: led bodies, activations and goals."""

import numpy as np

from ...core import single
from . import animation, places

from mathutils import Matrix, Quaternion, Vector

# What keys of an element hold.
NAMES = {"key": ("at", "turn"), "to": ("at", "value"), "activation": ("value",)}
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
        now = [(time, places.rigid(Matrix(matrix))) for time, matrix in keys]
        self._replace(element, "key", [(time, {"at": matrix[:3, 3], "turn": matrix}) for time, matrix in now])

    def _led(self, part):
        if part in self.sampled:
            keys = animation.simplified([(t, tuple(map(tuple, m))) for t, m in self._times(self.sampled[part])])
            still = len(keys) == 1 and np.allclose(np.array(keys[0][1]), np.array(places.modelled(part)), atol=1e-7)
            return [] if still else [(t, Matrix(m)) for t, m in keys]
        tracks = [animation.track(part, path, size, self.frames, self.scene) for path, size in DELTAS]
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
        animated = part in self.sampled or animation.curve(part, _value_path(element.tag))
        if not (animated and before and self._at_start(before)):
            # Until its first key the muscle has the initial activation.
            if np.float32(keys[0][1][0]) != np.float32(start["value"][0]):
                element.set_numbers("activation", [single.decimal(keys[0][1][0])])
            keys = keys[1:]
        self._write(element, "activation", [(t, {"value": v}) for t, v in keys])

    def goal_motion(self, element, part):
        """The targets of a motion."""
        self._replace(element, "to", [(t, {"value": v}) for t, v in self._values(part)])

    def goal_place(self, element, part):
        """The targets of a place: where the goal's empty is."""
        if part in self.sampled:
            keys = [(t, tuple(m.translation)) for t, m in self._times(self.sampled[part])]
            keys = animation.simplified(keys)
        else:
            keys = animation.track(part, "location", 3, self.frames, self.scene)
        self._replace(element, "to", [(t, {"at": np.array(v)}) for t, v in keys])

    def _values(self, part):
        path = _value_path(part.sinew_tendon.tag)
        if part in self.sampled:
            return animation.simplified([(t, (v,)) for t, v in self._times(self.sampled[part])])
        return animation.track(part, path, 1, self.frames, self.scene)

    # Keys.

    def _replace(self, element, tag, keys):
        before = keys_of(element, tag, NAMES[tag])
        if (
            keys
            and before
            and not self._at_start(before)
            and self._same(initial(self.writer.scene, element), keys[0][1])
        ):
            # Until its first key it goes on from where it begins.
            keys = keys[1:]
        self._write(element, tag, keys)

    def _write(self, element, tag, keys):
        """Writes keys, [(time, {name: value})]; what is stated already keeps its text."""
        found = element.elements(tag)
        there = {self._frame(child.number("time")): child for child in found}
        read = {child: values for child, (_, values) in zip(found, keys_of(element, tag, NAMES[tag]))}
        texts = {child: child.attributes for child in found}
        stated = [there.get(self._frame(time)) for time, _ in keys]
        if stated != found:
            for child in found:
                child.remove()
        for child, (time, values) in zip(stated, keys):
            before = read.get(child, {})
            if stated != found:
                made = element.add(tag, texts.get(child, ()))
                if child is None:
                    made.set_numbers("time", [time])
                child = made
            changed = {n: v for n, v in values.items() if n not in before or not self._same({n: before[n]}, {n: v})}
            if "value" in changed:
                child.set_numbers("value", [single.decimal(values["value"][0])])
            elif changed:
                turn = values["turn"][:3, :3] if "turn" in values else None
                child.set_place("at", single.frame(single.rounded(values["at"]), turn))

    def _frame(self, time):
        """The frame of a key at a time as Blender holds it, in single precision."""
        return np.float32((self.frames[0] + time * self.fps) * animation.pace(self.scene))

    def _at_start(self, keys):
        return self._frame(keys[0][0]) <= self._frame(0.0)

    def _same(self, stated, values):
        """Whether what a key states is what Blender has, to the single precision in which it holds values."""
        return stated.keys() == values.keys() and all(
            _SAME[name](stated[name], value, self.writer.size) for name, value in values.items()
        )


def initial(scene, element):
    """Where a motion begins that has no key at the start."""
    if element.tag == "body":
        return {"at": element.place(), "turn": element.places["at"]}
    if element.tag == "goal_place":
        return {"at": element.place()}
    if element.tag == "goal_motion":
        joint = scene.find("joint", element.get("joint"))
        axis = joint.find("axis", element.get("axis")) if joint is not None else None
        return {"value": axis.numbers.get("start", [0.0]) if axis is not None else [0.0]}
    return {"value": element.numbers["activation"]}


_ROTATIONS = ("rotation_euler", "rotation_quaternion", "rotation_axis_angle")


def _value_path(tag):
    """The animated property of a kind of part, or None."""
    if tag in ("muscle", "reel", "hill"):
        return f"sinew_tendon.{tag}.activation"
    return "sinew_tendon.goal_motion.target" if tag == "goal_motion" else None


def keys_of(element, tag, names):
    """The keys that an element states, [(time, {name: value})]."""
    found = []
    for key in element.elements(tag):
        there = {
            "at": lambda key: key.place(),
            "turn": lambda key: key.places["at"],
            "value": lambda key: key.numbers["value"],
        }
        found.append((key.number("time"), {n: there[n](key) for n in names if n in key.attributes or n == "turn"}))
    return found


# Whether two values of a key are the same: stated, in Blender, the size of the rig.
_SAME = {
    "at": single.same_place,
    "turn": lambda stated, turn, _: single.same_turn(stated, turn),
    "value": lambda stated, value, _: np.float32(stated[0]) == np.float32(value[0]),
}


def _interpolated(track):
    """The values of a track at a time, linear between its keys."""
    times = [time for time, _ in track]

    def at(time):
        columns = zip(*(values for _, values in track))
        return tuple(float(np.interp(time, times, column)) for column in columns)

    return at
