"""A frame of a node: gather, compute or look up, scatter."""

import time

import bpy
import numpy as np

from ..core import timeline
from ..core.bake import BakeReader
from ..core.trace import all_agree
from ..sinew import UP_Z, abi
from ..sinew.loader import Error
from ..sinew.node import Mesh, listening
from . import (
    bakes,
    capture,
    colours,
    gather,
    later,
    properties,
    relations,
    renames,
    roots,
    scatter,
    skeleton,
    subdivision,
)
from .problem import LeftOut, Problem
from .runtime import (
    BAKED,
    COMPUTED,
    MISSING,
    OFF,
    OUTDATED,
    POSED,
    PREVIEW,
    SHOWN,
    busy,
    check_alone,
    check_own,
    check_writable,
    distrust,
    in_all_scenes,
    memory_limit,
    on_show,
    runtime_of,
    seconds_of,
    start_of,
)


class Frame:
    """One evaluation of one node: the current scene and object, and the runtime that remembers."""

    def __init__(self, ob, item, scene, depsgraph, shape=None, settled=True):
        """`shape`: where a node before this one has put the body's vertices, in the world; `settled`: whether that is
        computed, and no preview."""
        self.ob, self.item, self.scene, self.settled = ob, item, scene, settled
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
        still = timeline.fingerprint(*clock, *roots.parts_of(given), *(port.id for port, _ in self.wanted))
        runtime.clock, runtime.form = clock, roots.form(clock, self.wanted, given)
        if still != runtime.still:
            runtime.still, runtime.live, runtime.shown = None, None, None
            node.reset()
            node.set_space(self.scene.unit_settings.scale_length, UP_Z)
            node.set_start(seconds_of(self.start, self.scene))
            for port, value in given.items():
                node.set_input(port, value)
            # Only where the node has taken all of them.
            runtime.still = still
        self.keep_rest_uvs(given)
        runtime.fixed = bakes.fixed(self.here, given)
        runtime.bones = skeleton.bones_read(self.ob, self.kind, self.settings)
        runtime.dirty, runtime.remarks = False, self.here.remarks
        self.print_warnings(runtime.remarks)

    def read_moving(self):
        """The moving inputs, the parameters (which may be animated), and the hashes of the motion and of both."""
        given = gather.gather(self.here, moving=True)
        params = roots.params_of(self.kind, self.keyed, self.scene)
        if params.get("joint_names") == "":
            params["joint_names"] = skeleton.joint_names(self.here)
        motion = timeline.fingerprint(*roots.parts_of(given), *self.places())
        return given, params, motion, timeline.fingerprint(motion, *params.values())

    def places(self):
        """Where things that lead the body are: what is moved in this frame without keys may meet the body in other
        frames only."""
        runtime, depsgraph = self.runtime, self.here.depsgraph
        if runtime.leaders is not None:
            try:
                return relations.places(runtime.leaders, depsgraph)
            except ReferenceError:
                # One was deleted.
                runtime.leaders = None
        runtime.leaders = relations.leaders(self.ob)
        return relations.places(runtime.leaders, depsgraph)

    def is_first(self):
        return not self.kind.stateful or self.frame <= self.start

    def compute(self, given, params, mark, state):
        """Computes the frame from the state of the one before, or takes what was computed in a thread; gives its
        outputs, its state, and how it followed."""
        runtime, task = self.runtime, self.task(given, params, state)
        done, runtime.done = runtime.done, None
        if done is not None:
            (frame, as_marked, from_state), work = done
            # What was stopped is computed anew.
            if (frame, as_marked) == (self.frame, mark) and from_state is state and not work.stopped:
                return work.result()
        if later.is_gathering():
            raise later.Later(runtime, (self.frame, mark, state), task)
        return task(None)

    def task(self, given, params, state):
        """What computes the frame, without anything of Blender; it is called with what hears of the progress."""
        runtime, node, kind, first = self.runtime, self.runtime.node, self.kind, self.is_first()
        frame, seconds = self.frame, seconds_of(self.frame, self.scene)
        ports = [port.id for port, _ in self.wanted]
        ports += [port.counted_by for port, bound in self.wanted if bound.choice == "CURVES"]

        def compute(on_progress):
            if first:
                node.reset()
            elif runtime.live is not state:
                node.load_state(state)
            runtime.live = None
            for name, value in params.items():
                node.set_param(name, value)
            for port, value in given.items():
                node.set_input(port, value)
            for port in kind.outputs:
                node.want_output(port.id, port.id in ports)
            runtime.heard.clear()
            before = time.perf_counter()
            with listening(node, on_progress):
                history = node.step(frame, seconds)
            runtime.inside = time.perf_counter() - before
            outputs = {port: node.read(port) for port in ports}
            before = time.perf_counter()
            kept = node.save_lean_state() if kind.stateful else None
            runtime.keeping = time.perf_counter() - before
            runtime.live = kept
            return outputs, kept, history

        return compute

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
        subdivision.check(self.ob, self.rendered)
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
        moved = port is not None and runtime.state in SHOWN
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
                subdivision.rename(self.ob)
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
        carried = {
            bound.object for _, bound in scatter.own(self.here, self.wanted) if bound.choice == "HAIR" and bound.object
        }
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
        """From the timeline, or computed. With `edited` someone changes the motion or the settings in this frame: what
        is shown is a preview, since the frames before may have changed, too; and in the first frame, if things that
        have keys were posed without any."""
        runtime = self.runtime
        given, params, motion, mark = self.read_moving()
        runtime.moving = (given, params)
        runtime.timeline.limit = memory_limit()
        root = roots.root(self.ob, self.kind, self.settings, self.scene, self.start, runtime.still)
        if runtime.timeline.expect(root, runtime.form):
            runtime.live = None
        same = runtime.seen[:2] == (self.frame, motion)
        # What is written for a frame counts as an edit in the next update.
        edited_now, runtime.seen = (
            edited and runtime.seen != (self.frame, motion, root, mark),
            (self.frame, motion, root, mark),
        )
        find = not edited or self.is_first() and edited != POSED
        entry = runtime.timeline.get(self.frame, mark, follows=not self.is_first(), find=find) if self.settled else None
        if entry is not None:
            if entry.failure:
                raise LeftOut(entry.failure)
            self.write(entry.outputs, mark)
            return self.set_state(COMPUTED, "")
        state = runtime.timeline.state_before(self.frame) if self.settled else None
        if self.is_first() or state is not None:
            return self.show_next(given, params, motion, mark, state, edited, same)
        found = runtime.timeline.outdated(self.frame, motion, mark)
        if found is None and edited_now and self.show_preview(given, params, motion, mark, same):
            return None
        found = found or runtime.timeline.outdated(self.frame, motion)
        if found is None or not self.show_outdated(found, root, mark):
            return self.show_rest(f"Frame {self.frame} is not computed: press Catch Up{self.dropped()}")
        return None

    def show_outdated(self, entry, root, mark):
        """Shows a result that may not hold any longer; whether that could be done."""
        try:
            self.write(entry.outputs, (OUTDATED, entry.root, entry.mark))
        except Problem:
            # What it is written to is of another size now.
            self.runtime.shown = None
            return False
        if entry.preview and (entry.root, entry.mark) == (root, mark):
            self.set_state(PREVIEW, self.of_preview())
        else:
            self.set_state(OUTDATED, self.why_outdated(entry, root))
        return True

    def of_preview(self):
        return f"Frame {self.frame} is a preview while you edit: Catch Up computes it"

    def why_outdated(self, entry, root):
        """What to say of a result that may not hold any longer."""
        if entry.root != root:
            return (
                f"Frame {self.frame} is out of date, computed with other settings: Catch Up computes it{self.dropped()}"
            )
        if entry.saved:
            return (
                f"Frame {self.frame} is shown as it was when the file was saved: Catch Up checks that it still "
                f"holds{self.dropped()}"
            )
        return f"Frame {self.frame} may be out of date, computed before an edit: Catch Up checks it{self.dropped()}"

    def show_next(self, given, params, motion, mark, state, edited, same):
        """Computes the frame from the state of the one before, or as the first one. `same`: whether its motion is as
        last seen."""
        runtime, first = self.runtime, self.is_first()
        try:
            outputs, kept, history = self.compute(given, params, mark, state)
        except Error as error:
            if error.code == abi.SINEW_OUT_OF_ORDER and not first:
                # What the node works on was changed, so it cannot go on from the frames before.
                runtime.timeline.clear()
                return self.show_rest(
                    f"Frame {self.frame} is not computed, because what {self.item.name} works on was changed: press "
                    f"Catch Up"
                )
            if edited or first:
                raise
            runtime.timeline.put(self.frame, mark, timeline.Entry(motion, {}, state, failure=error.sentence))
            raise LeftOut(error.sentence) from error
        if edited and not first or edited == POSED and self.kind.stateful:
            self.keep_preview(outputs, motion, mark, same)
        else:
            self.warn_of_renders(state)
            entry = timeline.Entry(
                motion, outputs, kept, history, warnings=tuple(runtime.heard), rendered=self.rendered
            )
            runtime.timeline.put(self.frame, mark, entry, follows=not first)
            self.set_state(COMPUTED, "")
            self.print_warnings(runtime.heard)
        return self.write(outputs, mark)

    def show_preview(self, given, params, motion, mark, same):
        """Computes the frame from a state of the one before that may be out of date; whether that could be done."""
        state = self.runtime.timeline.outdated_state(self.frame)
        if state is None:
            return False
        self.runtime.live = None
        try:
            outputs, _, _ = self.compute(given, params, mark, state)
        except Error as error:
            # The state does not fit what the node works on now.
            if error.code != abi.SINEW_OUT_OF_ORDER:
                raise
            return False
        self.keep_preview(outputs, motion, mark, same)
        self.write(outputs, mark)
        return True

    def keep_preview(self, outputs, motion, mark, same):
        """The frame is shown as a preview, from which nothing goes on. If its motion is not as it was, that of others
        may not be either."""
        runtime = self.runtime
        if not same:
            distrust(self.ob, self.scene)
        runtime.live = None
        runtime.timeline.put_preview(self.frame, mark, timeline.Entry(motion, outputs, None))
        self.set_state(PREVIEW, self.of_preview())

    def dropped(self):
        """What to say of playback that leaves frames out, after which none follows any longer."""
        if self.scene.sync_mode == "NONE" or not is_playing():
            return ""
        return (
            ". Playback leaves frames out where it is too slow: set Playback > Sync in the timeline to Play Every Frame"
        )

    def warn_of_renders(self, state):
        """Warns of a frame of a render that went on from one of viewports, where the body moves otherwise."""
        before = self.runtime.timeline.rendered(self.frame - 1)
        names = (
            capture.moves_otherwise_in_renders(self.ob)
            if state is not None and before is not None and before != self.rendered
            else []
        )
        if not names:
            return
        text = (
            f"{names} moves the body in renders or in viewports alone, and frame {self.frame - 1} was computed in the "
            f"other of the two: "
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

    def write(self, outputs, mark):
        """Writes outputs unless they are what is shown."""
        self.runtime.last = outputs
        if self.takes_over() or self.runtime.shown != (self.frame, mark):
            scatter.write(self.here, self.kind, self.wanted, outputs)
            self.runtime.shown = (self.frame, mark)

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
        """What has changed since a bake was made; an empty text if nothing has, or where that is unknown."""
        params = roots.params_of(self.kind, self.settings, self.scene)
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
            return (
                ""
                if baked is None or bakes.frame_agrees(baked, bakes.of_frame(*self.read_moving()[:2]))
                else bakes.MOTION
            )
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


def moves_vertices(wanted):
    """Which of the outputs with a target moves the vertices; None if none does."""
    return next((port.id for port, bound in wanted if bound.choice == "SHAPE"), None)
