"""A frame of a node: gather, compute or look up, scatter."""

import time

import bpy
import numpy as np

from ..core import abi, timeline
from ..core.bake import BakeError, BakeReader
from ..core.library import SinewError, readable
from ..core.node import Mesh
from ..core.trace import all_agree
from . import bakes, bone_shapes, capture, colours, gather, guard, host, movers, properties, relations, renames, scatter, skeleton
from .problem import LeftOut, Problem
from .runtime import (
    BAKED, COMPUTED, FAILED, LEFT_OUT, MISSING, OFF, POSED, PREVIEW, busy, check_alone, check_own, check_writable, distrust,
    follows_frames, in_all_scenes, leaders_of, memory_limit, on_show, runtime_of, seconds_of, start_of,
)


def params_of(kind, settings, scene):
    """The parameters as the library takes them."""
    found = {}
    metres = scene.unit_settings.scale_length
    for param in kind.params:
        if properties.is_hosts(param):
            found[param.id] = scene.render.fps / scene.render.fps_base
        else:
            found[param.id] = properties.to_library(param, getattr(settings, f"param_{param.id}"), metres)
            if param.files and found[param.id]:
                found[param.id] = path = bpy.path.abspath(found[param.id])
                if readable(path) != path:
                    raise Problem(f"{path} has letters that are no UTF-8: rename the file or its folders")
    return found


def parts_of(given):
    """The ports of some inputs and the arrays of each, from which their hash is made."""
    parts = []
    for port, value in given.items():
        parts += [port, *(bakes.arrays_of(value) or (None,))]
    return parts


class Frame:
    """One evaluation of one node: the current scene and object, and the runtime that remembers."""

    def __init__(self, ob, item, scene, depsgraph, shape=None):
        """`shape`: where a node before this one has put the body's vertices, in the world."""
        self.ob, self.item, self.scene = ob, item, scene
        self.frame, self.rendered = scene.frame_current, depsgraph.mode == "RENDER"
        self.start = start_of(item, scene)
        self.runtime = runtime_of(ob, item, scene)
        self.kind, self.settings = self.runtime.kind, properties.settings(item)
        evaluated = ob.evaluated_get(depsgraph)
        # Keyed and driven parameters: in a render only the evaluated object has the values of the frame.
        keyed = evaluated.sinew.nodes if ob.animation_data is not None else ()
        self.keyed = properties.settings(next((other for other in keyed if other.uid == item.uid), item))
        world = np.array(evaluated.matrix_world, np.float64)
        runtime, own = self.runtime, properties.rest_world_of(item)
        rest = world if own is None else own
        if (self.frame <= self.start or own is not None) and not np.array_equal(rest, runtime.rest_world):
            runtime.rest_world, runtime.dirty = rest, True
        self.here = gather.Here(ob, self.kind, self.settings, depsgraph, runtime.rest_world, shape, runtime.places)
        self.wanted = scatter.wanted(self.kind, self.settings)
        self.followed = False

    def read_static(self):
        """Reads what does not move, and drops results that followed from something else."""
        runtime, node = self.runtime, self.runtime.node
        clock = [self.start, self.scene.render.fps, self.scene.render.fps_base, self.scene.unit_settings.scale_length]
        if not runtime.dirty and clock == runtime.clock:
            return
        given = gather.gather(self.here, moving=False)
        runtime.clock, parts = clock, list(clock)
        parts += parts_of(given)
        parts += [port.id for port, _ in self.wanted]
        if runtime.timeline.expect(timeline.fingerprint(*parts)):
            runtime.live = runtime.shown = None
            node.reset()
            node.set_space(self.scene.unit_settings.scale_length, abi.SINEW_UP_Z)
            node.set_start(seconds_of(self.start, self.scene))
            for port, value in given.items():
                node.set_input(port, value)
        self.keep_rest_uvs(given)
        runtime.fixed = bakes.fixed(self.here, given)
        runtime.bones = skeleton.bones_read(self.ob, self.kind, self.settings)
        runtime.dirty, runtime.remarks = False, self.here.remarks
        self.print_warnings(runtime.remarks)

    def read_moving(self):
        """The moving inputs, the parameters (which may be animated), and the hash of both."""
        given = gather.gather(self.here, moving=True)
        params = params_of(self.kind, self.keyed, self.scene)
        if params.get("joint_names") == "":
            params["joint_names"] = skeleton.joint_names(self.here)
        return given, params, timeline.mark(*parts_of(given), (*params.values(), *self.places()))

    def places(self):
        """Where things that lead the body are: what is moved in this frame without keys may meet the body in other frames only."""
        runtime, depsgraph = self.runtime, self.here.depsgraph
        if runtime.leaders is not None:
            try:
                return relations.places(runtime.leaders, depsgraph)
            except ReferenceError:
                # One was deleted.
                runtime.leaders = None
        runtime.leaders = relations.leaders(self.ob)
        return relations.places(runtime.leaders, depsgraph)

    def state_before(self, edited):
        """The state from which the frame goes on, or None where there is none."""
        runtime = self.runtime
        found = runtime.timeline.state_before(self.frame)
        if found is None and edited and runtime.preview is not None and runtime.preview[0] == self.frame:
            found = runtime.preview[1]
        return found

    def is_first(self):
        return not self.kind.stateful or self.frame <= self.start

    def compute(self, given, params, state):
        """Computes the frame from the state of the one before; gives its outputs, its state, and how it followed."""
        runtime, node = self.runtime, self.runtime.node
        if self.is_first():
            node.reset()
        elif runtime.live != self.frame - 1:
            node.load_state(state)
        runtime.live = None
        for name, value in params.items():
            node.set_param(name, value)
        for port, value in given.items():
            node.set_input(port, value)
        runtime.heard.clear()
        before = time.perf_counter()
        history = node.step(self.frame, seconds_of(self.frame, self.scene))
        runtime.inside = time.perf_counter() - before
        outputs = {}
        for port, bound in self.wanted:
            outputs[port.id] = node.read(port.id)
            if bound.choice == "CURVES":
                counts = properties.counts_port(self.kind, port).id
                outputs[counts] = node.read(counts)
        before = time.perf_counter()
        kept = node.save_lean_state() if self.kind.stateful else None
        runtime.keeping = time.perf_counter() - before
        runtime.live = self.frame
        return outputs, kept, history

    def show(self, edited):
        """Shows the frame: from the bake, from the timeline, or computed."""
        began, runtime = time.perf_counter(), self.runtime
        runtime.inside, runtime.keeping, edited_maps = 0.0, 0.0, runtime.dirty
        # Objects can be converted to other types, with their nodes.
        check_own(self.ob)
        if self.ob.mode == "EDIT":
            self.follow_renames()
            scatter.check_edited(self.here, self.kind)
        check_writable(self.ob)
        check_alone(self.ob, self.scene)
        self.follow_renames()
        runtime.in_vain = scatter.in_vain(self.here, self.wanted)
        self.print_warnings(runtime.in_vain)
        if runtime.places.look(self.here, self.frame, self.frame <= self.start):
            runtime.dirty = True
        if runtime.dirty or not runtime.checked:
            runtime.checked = False
            scatter.check(self.here, self.kind)
            runtime.checked = True
        if self.item.use_bake:
            self.show_bake()
        elif not self.item.live:
            self.show_without()
        else:
            self.read_static()
            self.show_live(edited)
        self.colour(edited_maps)
        self.drop_hair()
        runtime.around = time.perf_counter() - began - runtime.inside - runtime.keeping

    def shape(self):
        """Where the frame has put the vertices of the body, in the world; None where it has not moved them."""
        port, runtime = moves_vertices(self.wanted), self.runtime
        moved = port is not None and runtime.state in (COMPUTED, BAKED, PREVIEW)
        return runtime.last.get(port) if moved else None

    def follow_renames(self):
        """Follows the names of maps, groups and attributes, and knows how maps that may be deleted were used."""
        runtime, now = self.runtime, renames.names(self.ob)
        if runtime.names is not None and runtime.names != now:
            # What was deleted is written anew, even in the same frame; what is read may be missing.
            runtime.checked, runtime.shown, runtime.dirty = False, None, True
            with busy():
                before = scatter.shapes_of(self.kind, self.settings)
                renames.follow(self.kind, self.settings, runtime.names, now, scatter.targets_of(self.ob))
                for old, new in zip(before, scatter.shapes_of(self.kind, self.settings)):
                    scatter.rename_shape(self.ob, old, new)
        runtime.names, self.followed = now, True
        scatter.note_active(self.ob.data, self.wanted)

    def keep_names(self):
        """What the node itself has made or taken away was not renamed, for no node of the body."""
        before, now = self.runtime.names, renames.names(self.ob) if self.followed else self.runtime.names
        for found in in_all_scenes(self.ob) if now != before else ():
            if found.names == before:
                found.names = now

    def drop_hair(self):
        """Lays hair down that an output carried and carries no longer."""
        carried = {bound.object for _, bound in scatter.own(self.here, self.wanted) if bound.choice == "HAIR" and bound.object}
        self.runtime.lay_hair_down(but=carried)
        self.runtime.hair = carried

    def colour(self, edited_maps):
        """Brings the colours on the body up to date."""
        runtime, key = self.runtime, self.item.coloured
        made_of = (key, runtime.shown if key.startswith("out ") else None)
        if colours.is_shown(self.here, key) and (edited_maps or runtime.coloured != made_of):
            colours.show(self.here, key, runtime.shown_outputs())
            runtime.coloured = made_of

    def show_live(self, edited):
        """From the timeline, or computed. With `edited` someone changes the motion in this frame: what is shown is a preview,
        since the frames before may have changed, too; and in the first frame, if things that have keys were posed without any."""
        runtime = self.runtime
        given, params, motion = self.read_moving()
        runtime.moving = (given, params)
        entry = runtime.timeline.get(self.frame, motion, follows=not self.is_first())
        if entry is not None:
            if entry.failure:
                raise LeftOut(entry.failure)
            self.write(entry.outputs, motion)
            return self.set_state(COMPUTED, "")
        state = self.state_before(edited)
        if state is None and not self.is_first():
            return self.show_rest(f"Frame {self.frame} is not computed: press Catch Up{self.dropped()}")
        try:
            outputs, kept, history = self.compute(given, params, state)
        except SinewError as error:
            if error.code == abi.SINEW_OUT_OF_ORDER and not self.is_first():
                # What the node works on was changed, so it cannot go on from the frames before.
                runtime.timeline.clear()
                return self.show_rest(f"Frame {self.frame} is not computed, because what {self.item.name} works on was changed: press Catch Up")
            if edited or self.is_first():
                raise
            runtime.timeline.put(self.frame, timeline.Entry(motion, {}, state, failure=error.sentence))
            raise LeftOut(error.sentence) from error
        if edited and not self.is_first() or edited == POSED and self.kind.stateful:
            distrust(self.ob, self.scene)
            runtime.live = None
            self.set_state(PREVIEW, f"Frame {self.frame} is a preview while you edit: Catch Up computes it")
        else:
            runtime.timeline.limit = memory_limit()
            self.warn_of_renders(state)
            entry = timeline.Entry(motion, outputs, kept, history, warnings=tuple(runtime.heard), rendered=self.rendered)
            runtime.timeline.put(self.frame, entry)
            self.set_state(COMPUTED, "")
            self.print_warnings(self.runtime.heard)
        return self.write(outputs, motion)

    def dropped(self):
        """What to say of playback that leaves frames out, after which none follows any longer."""
        if self.scene.sync_mode == "NONE" or not is_playing():
            return ""
        return ". Playback leaves frames out where it is too slow: set Playback > Sync in the timeline to Play Every Frame"

    def warn_of_renders(self, state):
        """Warns of a frame of a render that went on from one of viewports, where the body moves otherwise."""
        before = self.runtime.timeline.rendered(self.frame - 1)
        names = capture.moves_otherwise_in_renders(self.ob) if state is not None and before is not None and before != self.rendered else []
        if not names:
            return
        text = (
            f"{names} moves the body in renders or in viewports alone, and frame {self.frame - 1} was computed in the other of the two: "
            "turn it on in both, or render from the first frame on"
        )
        self.runtime.heard.append(text)
        if self.rendered:
            # The frame of viewports comes again afterwards, without the warning.
            self.runtime.of_render = f"Rendered frame {self.frame}: {text}"

    def print_warnings(self, texts):
        """Prints each warning once."""
        for text in texts:
            if text not in self.runtime.printed:
                self.runtime.printed.add(text)
                print(f"Sinew: {self.ob.name}, frame {self.frame}: warning: {text}")

    def write(self, outputs, motion):
        """Writes outputs unless they are what is shown."""
        self.runtime.last = outputs
        if self.takes_over() or self.runtime.shown != (self.frame, motion):
            scatter.write(self.here, self.kind, self.wanted, outputs)
            self.runtime.shown = (self.frame, motion)

    def takes_over(self):
        """Whether the object shows a frame of another scene, which this one replaces."""
        key = (self.ob.session_uid, self.item.uid)
        before, on_show[key] = on_show.get(key), self.scene.session_uid
        return before != self.scene.session_uid

    def show_without(self):
        """Live is off: the body as it is without the node."""
        if self.takes_over() or self.runtime.shown != "off":
            scatter.write_rest(self.here, self.kind, self.runtime.rest_uvs)
            self.runtime.shown = "off"
        self.set_state(OFF, "")

    def show_rest(self, message):
        if self.takes_over() or self.runtime.shown != ("rest", self.frame):
            scatter.write_rest(self.here, self.kind, self.runtime.rest_uvs)
            self.runtime.shown = ("rest", self.frame)
        self.set_state(MISSING, message)

    def set_state(self, state, message):
        self.runtime.state, self.runtime.message = state, message

    def show_bake(self):
        runtime = self.runtime
        path = bakes.file_of(self.item)
        opened = runtime.bake is None or runtime.bake_key != path
        if opened:
            runtime.close_bake()
            runtime.bake, runtime.bake_key = BakeReader(path), path
            runtime.compared.clear()
            rest = runtime.bake.head.get("rest_world")
            if rest is not None:
                # The file may be opened in a frame in which the object is elsewhere.
                self.here.rest_world = runtime.rest_world = np.array(rest, np.float64).reshape(4, 4)
            for port, bound in self.wanted:
                place = runtime.bake.head.get("places", {}).get(port.id)
                if place is not None and bound.choice == "HAIR":
                    runtime.places.put(scatter.target(bound, port), np.array(place, np.float64).reshape(4, 4))
        if opened or runtime.dirty:
            given = gather.gather(self.here, moving=False)
            self.keep_rest_uvs(given)
            runtime.now_fixed = bakes.traces(bakes.fixed(self.here, given))
            # The node itself reads them once it computes again.
            runtime.dirty, runtime.clock = False, None
        outputs = runtime.bake.read(self.frame)
        if outputs is None:
            return self.show_rest(f"Frame {self.frame} is not in the bake (frames {runtime.bake.range()})")
        missing = [port.id for port, _ in self.wanted if port.id not in outputs]
        if missing:
            raise Problem(f"the bake {path} lacks {missing[0]}: bake again")
        try:
            self.write(outputs, "bake")
        except Problem as problem:
            raise Problem(f"{problem}: bake again") from problem
        return self.set_state(BAKED, self.outdated(runtime.bake.head))

    def outdated(self, head):
        """What has changed since a bake was made; an empty text if nothing has, or where that cannot be told."""
        params = params_of(self.kind, self.settings, self.scene)
        if head.get("made_of", "") not in ("", bakes.made_of(params, self.ob, self.start)):
            return bakes.SETTINGS
        if head.get("unit", self.scene.unit_settings.scale_length) != self.scene.unit_settings.scale_length:
            return bakes.SETTINGS
        if "fixed" in head and not all_agree(head["fixed"], self.runtime.now_fixed):
            return bakes.MAPS
        key = (self.frame, self.scene.render.frame_map_old, self.scene.render.frame_map_new)
        if key not in self.runtime.compared:
            self.runtime.compared[key] = self.compare_motion(head.get("motion", {}).get(str(self.frame)))
        return self.runtime.compared[key]

    def compare_motion(self, baked):
        """What to say of the motion of a frame, beside that with which it was baked."""
        try:
            return "" if baked is None or bakes.frame_agrees(baked, bakes.of_frame(*self.read_moving()[:2])) else bakes.MOTION
        except Problem:
            # A bake is also shown where the body cannot be read, such as under Multires.
            return ""

    def keep_rest_uvs(self, given):
        """The UVs at rest among what does not move, for frames that are not computed."""
        mesh = next((value for value in given.values() if isinstance(value, Mesh)), None)
        self.runtime.rest_uvs = mesh.uvs if mesh else None


def is_playing():
    """Whether a window plays the animation."""
    return any(window.screen.is_animation_playing for window in bpy.context.window_manager.windows)


def show(ob, item, scene, depsgraph, edited, shape=None):
    """Shows the scene's frame of one node, on the shape that one before it has given the body; what goes wrong becomes the node's
    message. Returns the shape that the body has then."""
    if item.kind not in host.kinds():
        return shape
    frame, runtime = None, runtime_of(ob, item, scene)
    runtime.seen_in = scene.frame_current
    try:
        frame = Frame(ob, item, scene, depsgraph, shape)
        frame.show(edited)
        frame.keep_names()
        moved = frame.shape()
        return shape if moved is None else moved
    except Exception as error:
        begun = next((said for words, said in BEGUN.items() if words in str(error)), None)
        message = begun or f"{ob.name}, frame {scene.frame_current}: {said_of(error)}"
        if runtime.message != message and not begun:
            if not isinstance(error, EXPECTED):
                guard.report(error)
            print(f"Sinew: {message}")
        runtime.state, runtime.message, runtime.live = LEFT_OUT if isinstance(error, LeftOut) else FAILED, message, None
        restore(frame, ob)
        return shape


# What can go wrong with a body and its file; everything else is an error of the add-on itself.
EXPECTED = (Problem, SinewError, BakeError)


def said_of(error):
    """What went wrong, in words for the panel."""
    if isinstance(error, EXPECTED):
        return error.sentence if isinstance(error, SinewError) else error
    return guard.Broken(error)


# Errors of the library that only mean that a node has just been added, and what to do next.
BEGUN = {"there are no muscles": "No muscles yet: create one from two bones, or load the human's"}


def restore(frame, ob):
    """After a failure: the frame looks as at rest, where the object's data can be written at all."""
    if frame is None:
        return scatter.leave_shapes(ob)
    if ob.mode == "EDIT" or frame.runtime.shown == "failed":
        return
    try:
        check_writable(ob)
        scatter.check(frame.here, frame.kind)
        scatter.write_rest(frame.here, frame.kind, frame.runtime.rest_uvs)
        frame.runtime.shown = "failed"
        frame.colour(False)
        frame.keep_names()
    except Problem:
        # Outputs are where they must not be, or the mesh was changed so that not even its UVs at rest fit: the message of the failure
        # says what to do.
        frame.runtime.shown = None
    except Exception as error:
        guard.report(error)
        frame.runtime.shown = None
        scatter.leave_shapes(ob)


def in_order(ob):
    """The nodes of an object, those first that move its vertices, and of these those that skin it: the others work on the shape that these
    give it."""
    nodes = ob.sinew.nodes
    return sorted(nodes, key=lambda item: (shape_of(item) is None, not bone_shapes.names(item))) if len(nodes) > 1 else nodes


def shape_of(item):
    """The output of a node that moves the vertices of its object, or None."""
    kind = host.kinds().get(item.kind)
    return moves_vertices(scatter.wanted(kind, properties.settings(item))) if kind else None


def moves_vertices(wanted):
    """Which of the outputs with a target moves the vertices; None if none does."""
    return next((port.id for port, bound in wanted if bound.choice == "SHAPE"), None)


def show_all(bodies, scene, depsgraph, edited=frozenset()):
    """`edited`: how an edit concerns bodies, by these; without any, the frame has changed."""
    for ob in bodies:
        # Objects that are excluded or hidden are not evaluated: there is no body to be seen.
        if ob.evaluated_get(depsgraph).is_evaluated:
            shape = None
            for item in in_order(ob):
                shape = show(ob, item, scene, depsgraph, edited[ob] if edited else None, shape)
            if not movers.is_remembered(ob) and follows_frames(ob):
                movers.remember(ob, leaders_of(ob))
