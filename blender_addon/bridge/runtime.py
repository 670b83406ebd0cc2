"""The nodes on objects, and what is remembered of each; `frame` computes and shows their frames.

A frame follows from the one before. What was computed stays in a timeline; a frame without a predecessor to continue
from is shown at rest and marked as such until the user presses Catch Up."""

import threading
from contextlib import contextmanager

import bpy

from ..core import timeline
from ..sinew.node import WARNING, Node
from . import arrays, exports, hair, host, kept, later, properties, relations, scatter, subdivision
from .problem import Problem
from .rest_places import RestPlaces

# How a frame is shown.
COMPUTED, BAKED, PREVIEW, MISSING, FAILED, OFF = "computed", "baked", "preview", "missing", "failed", "off"
# A thread computes it.
COMPUTING = "computing"
# As it was computed with other settings, or before an edit that may have changed it.
OUTDATED = "outdated"
# The states in which results are shown, and those in which Catch Up helps.
SHOWN, WAITING = (COMPUTED, BAKED, PREVIEW, OUTDATED), (MISSING, PREVIEW, OUTDATED)
# The moving inputs were broken in this frame; later ones continue from the one before it.
LEFT_OUT = "left out"
# How an edit concerns a body: for good, or until the frame changes.
EDITED, POSED = "edited", "posed"

_runtimes = {}
# By object and node: the scene whose frame is on the object. Several scenes can show one body.
on_show = {}
# By scene: what was in the collections that outputs write to, when it was marked for exporters.
_marked = {}
# True while the add-on itself changes frames or data.
_busy = False


def memory_limit():
    addon = bpy.context.preferences.addons.get(__package__.rpartition(".")[0])
    return (addon.preferences.memory if addon and addon.preferences else 1024) * 2**20


class Runtime:
    """What is remembered of one node on one object in one scene; of it, `kept` keeps the computed frames beside the
    file."""

    def __init__(self, kind):
        self.kind = kind
        self.node = Node(kind, on_log=self._hear, library=host.library())
        # The warnings of the step that runs, and all that were printed.
        self.heard, self.printed = [], set()
        # What to say of the last render.
        self.of_render = ""
        self.node.set_lean(True)
        self.node.set_restart(False)
        self.timeline = timeline.Timeline(memory_limit())
        # Whether the static inputs must be read again.
        self.dirty = True
        # Whether the targets of the outputs were found to be sound.
        self.checked = False
        self.rest_world, self.rest_uvs = None, None
        # Where other objects lie on the body at rest.
        self.places = RestPlaces()
        # What to tell of inputs that can be read, and yet do nothing; and of outputs that are written in vain.
        self.remarks, self.in_vain = [], []
        # The names that the node can go by, as they were when it was last shown.
        self.names = None
        # The objects that the body may depend on; None until they are looked for.
        self.leaders = None
        # By armature: the hash of its bones at rest, as last read.
        self.bones = {}
        # The start, frame rate and unit, as last read.
        self.clock = None
        # The last frame in which the object was to be seen: one that is hidden is not evaluated.
        self.seen_in = None
        # The state that the node itself is in, if it is one of the timeline, and what is shown on the object.
        self.live, self.shown = None, None
        # The thread that computes a frame, and what is known of that: ((frame, mark, state from which it follows),
        # thread).
        self.work, self.done = None, None
        # The outputs that are shown, and what the colours on the body were made of.
        self.last, self.coloured = {}, None
        # The hair that is carried.
        self.hair = set()
        # In what state the frame is, and what to say of it.
        self.state, self.message = OFF, ""
        self.bake, self.bake_key = None, None
        # What a bake keeps beside the outputs: the inputs that are the same in all frames, those of the last frame with
        # its parameters, and the traces of the former as they are while the bake is shown.
        self.fixed, self.moving, self.now_fixed = {}, ({}, {}), {}
        # What is said of the frames of a bake that were compared since the last edit.
        self.compared = {}
        # The hash of the inputs that do not move, as the node has them, and what outputs must fit to be shown.
        self.still, self.form = None, b""
        # The frame that was last shown, with the hashes of its motion, of what does not move, and of all that is its
        # own.
        self.seen = ()
        # Seconds of the last frame that was computed: around the solver, in it, and for keeping its state.
        self.around, self.inside, self.keeping = 0.0, 0.0, 0.0

    def _hear(self, level, message):
        if level == WARNING:
            self.heard.append(message)

    def shown_outputs(self):
        """The outputs of the frame that is shown; none where it is not computed."""
        return self.last if self.state in SHOWN else {}

    def lay_hair_down(self, but=frozenset()):
        """Puts hair that was carried, but for some, back to where it was drawn."""
        for carried in self.hair - but:
            try:
                hair.lay_down(carried)
            except ReferenceError:
                # It was deleted.
                continue

    def close(self):
        later.end(self)
        self.node.close()
        self.close_bake()

    def close_bake(self):
        if self.bake is not None:
            self.bake.close()
        self.bake, self.bake_key = None, None


def key_of(ob, item, scene):
    return (ob.session_uid, item.uid, scene.session_uid)


def runtime_of(ob, item, scene):
    """The runtime of a node, made where there is none."""
    key = key_of(ob, item, scene)
    found = _runtimes.get(key)
    if found is None:
        found = _runtimes[key] = Runtime(host.kinds()[item.kind])
        kept.adopt(found, ob, item, scene)
    return found


def known(ob, item, scene):
    return _runtimes.get(key_of(ob, item, scene))


def all_known(ob, scene):
    return [found for found in (known(ob, item, scene) for item in ob.sinew.nodes) if found is not None]


def keep_frames():
    """Keeps the computed frames beside the file, which was just saved."""
    if host.library() is None:
        # What came with the file stays beside it.
        return
    nodes = [
        (ob, item, scene)
        for scene in bpy.data.scenes
        for ob in users(scene)
        for item in ob.sinew.nodes
        if item.kind in host.kinds()
    ]
    remembered = [(runtime_of(*node), *node) for node in nodes if known(*node) is not None or kept.has(*node)]
    kept.save(bpy.data.filepath, remembered)


def fail(message):
    """After an error of the add-on outside of a single node: all nodes say so, and bodies are shown as Blender has
    them."""
    for known in _runtimes.values():
        known.state, known.message, known.live, known.shown = FAILED, message, None, None
    if may_write():
        with busy():
            for found in _runtimes.values():
                found.lay_hair_down()
            for ob in bpy.data.objects:
                scatter.leave_shapes(ob)


def may_write():
    """Whether no window may draw what is written now: other threads render."""
    return threading.current_thread() is threading.main_thread() or all(
        scene.render.use_lock_interface for scene in bpy.data.scenes
    )


def clear():
    """Forgets everything, as when another file is opened."""
    kept.close()
    for runtime in _runtimes.values():
        runtime.close()
    _runtimes.clear()
    on_show.clear()
    _marked.clear()


def forget_removed():
    """Drops what belongs to objects or nodes that are gone."""
    alive = {key_of(ob, item, scene) for scene in bpy.data.scenes for ob in users(scene) for item in ob.sinew.nodes}
    for key in [key for key in _runtimes if key not in alive]:
        _runtimes.pop(key).close()


def forget_deleted():
    """Drops what belongs to objects that are deleted, and lays down the hair that rode on them."""
    there = {ob.session_uid for ob in bpy.data.objects} if _runtimes else set()
    gone = [found for key, found in _runtimes.items() if key[0] not in there]
    if gone:
        with busy():
            for found in gone:
                found.lay_hair_down()
        forget_removed()


def mark_targets():
    """Lets exporters see what outputs write to."""
    exports.mark_targets(scatter.objects_written(), no_others=not scatter.has_strangers(bpy.data.objects))


def mark_added(scene, shown):
    """The same, if objects were added to collections that outputs of objects that a scene shows write to, or taken out
    of them."""
    inside = scatter.members(shown)
    if _marked.get(scene.session_uid, {}) != inside:
        _marked[scene.session_uid] = inside
        with busy():
            mark_targets()


def forget_marks():
    """Marks may have been undone."""
    _marked.clear()


def users(scene):
    """The objects with nodes that a scene shows: its own, those of its background, and what these instance or fetch by
    Geometry Nodes."""
    found, looked = {}, set()
    with_nodes = {ob.session_uid for ob in bpy.data.objects if ob.sinew.nodes}

    def look(objects):
        for ob in objects:
            if ob.session_uid in with_nodes:
                found[ob.session_uid] = ob
            collection = ob.instance_collection
            if collection is not None and collection not in looked:
                looked.add(collection)
                look(collection.all_objects)

    def fetch(objects):
        for one in {one for ob in objects for one in relations.fetched(ob)} - looked:
            looked.add(one)
            brought = one.all_objects if isinstance(one, bpy.types.Collection) else [one]
            look(brought)
            fetch(brought)

    shown = scene
    while shown is not None and len(found) < len(with_nodes):
        look(shown.objects)
        if len(found) < len(with_nodes):
            fetch(shown.objects)
        shown = shown.background_set
    return list(found.values())


def in_all_scenes(ob):
    """What is remembered of an object's nodes, in every scene."""
    return [found for key, found in _runtimes.items() if key[0] == ob.session_uid]


def bodies():
    """All objects with nodes, in whatever scene."""
    return {ob for ob in bpy.data.objects if ob.sinew.nodes} if _runtimes else set()


def compare_bakes_again():
    """Something was edited, so that what bodies are baked from may be other than it was."""
    for known in _runtimes.values():
        known.compared.clear()


def follows_frames(ob):
    """Whether a frame of an object is trusted because of those before it, in any scene."""
    return any(
        known.kind.stateful and known.clock and known.timeline.is_trusted_after(known.clock[0])
        for known in in_all_scenes(ob)
    )


def forget_lost_leaders(ob):
    """Forgets the leaders of an object if one of them was deleted; whether one was."""
    lost = False
    for known in in_all_scenes(ob):
        try:
            sum(leader.session_uid for leader in known.leaders or ())
        except ReferenceError:
            known.leaders, lost = None, True
    return lost


def leaders_of(ob):
    """The objects that a body may depend on."""
    forget_lost_leaders(ob)
    return next((known.leaders for known in in_all_scenes(ob) if known.leaders is not None), None) or relations.leaders(
        ob
    )


def distrust(ob, scene):
    """What moves an object was edited in a scene: no frame is trusted, in no scene. A whole frame of this scene is
    shown anew, as a preview; of others it is said."""
    scenes = {other.session_uid: other for other in bpy.data.scenes}
    for key, known in _runtimes.items():
        other = scenes.get(key[2])
        if key[0] != ob.session_uid or other is None:
            continue
        same = other == scene and scene.frame_subframe == 0
        if (
            not same
            and known.state == COMPUTED
            and known.clock
            and known.kind.stateful
            and other.frame_current > known.clock[0]
        ):
            known.state, known.shown = OUTDATED, None
            known.message = f"Frame {other.frame_current} was computed before an edit: press Catch Up"
        known.timeline.distrust()


def say_between(scene):
    """Says which frame is shown where the scene is between two."""
    for ob in users(scene):
        for known in all_known(ob, scene):
            if known.state in SHOWN and isinstance(known.shown, tuple):
                known.message = f"Between frames: frame {known.shown[0]} is shown"


def say_of_render(scene, text):
    """Says something of a render of a scene, in the panel, until the next one begins; the first frame that it is said
    of stays."""
    for ob in users(scene):
        for item in ob.sinew.nodes:
            if item.kind in host.kinds() and item.live and not item.use_bake:
                found = runtime_of(ob, item, scene)
                found.of_render = found.of_render or f"In the last render, {text}"


def touched(ob):
    """Settings of the nodes on an object changed: what was computed waits until they are as before, and is shown as out
    of date meanwhile."""
    for runtime in in_all_scenes(ob):
        runtime.dirty, runtime.live, runtime.of_render = True, None, ""
    show_again(ob)


def forget(ob):
    """Discards all that was computed for an object."""
    for runtime in in_all_scenes(ob):
        runtime.timeline.clear()
    touched(ob)


def read_again(ob):
    """What the nodes on an object know of it may have changed; frames stay valid if their inputs turn out the same."""
    for runtime in in_all_scenes(ob):
        runtime.dirty, runtime.live, runtime.shown, runtime.leaders = True, None, None, None


def show_again(ob):
    """The frame of the nodes on an object is shown anew, from what is remembered."""
    for runtime in in_all_scenes(ob):
        runtime.shown = None
        runtime.close_bake()
    ob.update_tag()


def prepare(ob):
    """Makes what the outputs of an object's nodes need: UV maps, attributes, modifiers."""
    check_writable(ob)
    for runtime in in_all_scenes(ob):
        runtime.checked = False
    shapes = {}
    for item in ob.sinew.nodes:
        if item.kind in host.kinds():
            shapes.update(scatter.prepare(ob, host.kinds()[item.kind], properties.settings(item)))
    scatter.use_shapes(ob, shapes)
    subdivision.update(ob)
    mark_targets()


def is_busy():
    return _busy


@contextmanager
def busy():
    """What happens inside is the add-on's own doing: handlers leave it alone."""
    global _busy
    before, _busy = _busy, True
    try:
        yield
    finally:
        _busy = before


def start_of(item, scene):
    return item.start if item.use_start else scene.frame_start


def seconds_of(frame, scene):
    return frame * scene.render.fps_base / scene.render.fps


def check_writable(ob):
    """Refuses objects whose data cannot be written now."""
    check_own(ob)
    arrays.mesh_of(ob)


# How what is linked becomes writable.
OVERRIDE = "make a library override of it (Object > Library Override > Make)"
LOCAL_MESH = "make its mesh local (Object > Relations > Make Local > Selected Objects and Data)"


def check_own(ob):
    """Refuses objects whose data can never be written: other things than meshes, and what is linked."""
    if ob.library is not None:
        stays = ", so it is shown as it was saved there" if ob.sinew.nodes else ""
        raise Problem(f'"{ob.name}" is linked from {ob.library.filepath}{stays}: {OVERRIDE}, and then {LOCAL_MESH}')
    if ob.data is None or ob.type != "MESH":
        raise Problem(f'"{ob.name}" is not a mesh: select the body')
    if ob.data.library is not None:
        raise Problem(f'the mesh of "{ob.name}" is linked from {ob.data.library.filepath}: {LOCAL_MESH}')


def check_alone(ob, scene):
    """Refuses meshes that two objects with the same output would write."""
    if ob.data.users > 1:
        others = [o.name for o in users(scene) if o != ob and o.data == ob.data]
        if others:
            raise Problem(
                f'"{ob.name}" and "{others[0]}" share a mesh: make it single-user (Object > Relations), as each slides '
                f"differently"
            )


def missing(scene):
    """The nodes of a scene whose current frame is not computed: (object, item, runtime)."""
    found = []
    for ob in users(scene):
        for item in ob.sinew.nodes:
            runtime = known(ob, item, scene)
            if runtime is not None and runtime.state in WAITING and not item.use_bake:
                found.append((ob, item, runtime))
    return found


def messages(scene, state):
    """The messages of those nodes of a scene that are in a state."""
    found = [known for ob in users(scene) for known in all_known(ob, scene)]
    return [known.message for known in found if known.state == state]


def can_go_on(scene):
    """Whether the scene's frame is computed, or can be from the one before, for all nodes."""
    frame = scene.frame_current
    for ob in users(scene):
        for item in ob.sinew.nodes:
            found = known(ob, item, scene)
            if item.kind in host.kinds() and item.live and not item.use_bake and host.kinds()[item.kind].stateful:
                if frame > start_of(item, scene) and (found is None or frame - 1 not in found.timeline.frames()):
                    return False
    return True


def frames_to_catch_up(scene, until):
    """The frames to play, so that `until` can be computed for every node that lacks it."""
    first = until
    for _, item, found in missing(scene):
        nearest = found.timeline.nearest(until)
        first = min(first, start_of(item, scene) if nearest is None else nearest + 1)
    return range(first, until + 1)


def catch_up(scene):
    """Plays what is missing up to the scene's frame, at once; not from within a change of frames."""
    until = scene.frame_current
    scene.frame_set(until)
    for frame in frames_to_catch_up(scene, until):
        scene.frame_set(frame)
        failed = messages(scene, FAILED)
        if failed:
            print(f"Sinew: frame {until} cannot be computed: {failed[0]}")
            scene.frame_set(until)
            return
