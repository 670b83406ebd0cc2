"""What hosts do to the library, in Python with ctypes alone: locks, other threads, forks, time, topology, memory.

    python3 hosts.py LIBRARY CASE

Each case prints its figures and fails with an assertion. tests/abi_hosts.rs runs them all.
"""

import gc
import json
import math
import os
import sys
import threading
import time
from ctypes import byref, c_char_p, c_double, c_int32, c_uint8, c_uint64

import ctypes_client as sinew
from ctypes_client import SINEW_F64, Node, SinewArray, SinewArrayMut, SinewError, array, check, indices, reals

COUNT_MISMATCH, UNSUPPORTED, CANCELLED, MISSING_INPUT, BUSY, OUT_OF_ORDER = 5, 10, 13, 17, 18, 19
STARTED, CONTINUED, SKIPPED, REPEATED, RESTARTED, CARRIED = 1, 2, 3, 4, 5, 6
ON_CALLING_THREAD = 1


class Host:
    """One context, many nodes."""

    def __init__(self, library, threads=0, flags=0, log=None, progress=None):
        self.library, self.context, self.nodes = library, sinew.SinewContext(), []
        config = sinew.SinewContextConfig(threads=threads, flags=flags)
        self.callbacks = []
        if log:
            config.log = self.keep(sinew.LOG(log))
        if progress:
            config.progress = self.keep(sinew.PROGRESS(progress))
        check(library, library.sinew_context_create(byref(config), byref(self.context)))

    def keep(self, callback):
        self.callbacks.append(callback)
        return callback

    def node(self, kind):
        node = Node.__new__(Node)
        node.library, node.context, node.handle = self.library, sinew.SinewContext(), sinew.SinewNode()
        check(self.library, self.library.sinew_node_create(self.context, kind.encode(), byref(node.handle)))
        self.nodes.append(node)
        return node

    def close(self):
        for node in self.nodes:
            self.library.sinew_node_destroy(node.handle)
        self.library.sinew_context_destroy(self.context)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Sheet:
    """A square sheet of side**2 vertices with UVs, 1 m wide."""

    def __init__(self, side):
        self.side = side
        at = [(x / (side - 1), y / (side - 1)) for y in range(side) for x in range(side)]
        self.points = reals([c for x, y in at for c in (x, 0.02 * math.sin(9 * x) * math.cos(7 * y), y)])
        quads = [(y * side + x, y * side + x + side, y * side + x + side + 1, y * side + x + 1)
                 for y in range(side - 1) for x in range(side - 1)]
        self.sizes = indices([4] * len(quads))
        self.corners = indices([v for quad in quads for v in quad])
        self.uvs = reals([c for quad in quads for v in quad for c in at[v]])

    def mesh(self):
        corners = len(self.corners)
        return sinew.SinewMesh(
            positions=array(SINEW_F64, 3, self.points),
            face_sizes=self.sizes, face_count=len(self.sizes),
            corner_vertices=self.corners, corner_count=corners,
            uvs=array(SINEW_F64, 2, self.uvs),
        )

    def moved(self, frame):
        """The sheet, carried along x and bent."""
        out = reals(self.points)
        for k in range(0, len(out), 3):
            x, z = self.points[k], self.points[k + 2]
            out[k] += 0.01 * frame
            out[k + 1] += 0.01 * frame * math.sin(5 * x) * z
        return out


def slider(host, sheet, **params):
    node = host.node("skin_slider")
    mesh = sheet.mesh()
    node.call("set_mesh", b"rest", byref(mesh))
    for name, value in params.items():
        put(node, name, value)
    return node


def put(node, name, value):
    node.call("set_text", name.encode(), str(value).encode())


def history(node):
    value = c_int32()
    node.call("history", byref(value))
    return value.value


def uvs(node):
    return bytes(reals(sinew.read_reals(node, "uvs", 2)))


def play(node, sheet, frame, seconds=None):
    node.set_array("points", SINEW_F64, 3, sheet.moved(frame))
    node.call("step", frame, frame / 24 if seconds is None else seconds)
    return history(node)


def run(node, sheet, frame, room=None):
    """A frame in one call, with room for so many UVs."""
    points, out = sheet.moved(frame), reals([0.0] * (2 * (room or len(sheet.corners))))
    given, wanted = array(SINEW_F64, 3, points), array(SINEW_F64, 2, out, SinewArrayMut)
    inputs = sinew.SinewPortArray(port=b"points", array=sinew.POINTER(SinewArray)(given))
    outputs = sinew.SinewPortArrayMut(port=b"uvs", array=sinew.POINTER(SinewArrayMut)(wanted))
    how = c_int32()
    node.call("run", frame, frame / 24, byref(inputs), 1, byref(outputs), 1, byref(how))
    return bytes(out), how.value


def bytes_of(node, name):
    """A state, saved."""
    needed = c_uint64()
    node.call(name, None, 0, byref(needed))
    buffer = (c_uint8 * needed.value)()
    node.call(name, buffer, needed.value, None)
    return buffer


def refused(status, part, call, *arguments):
    return sinew.refused(status, part, call, *arguments)


# The cases.


def a_lock_of_the_host_is_no_trap(library):
    """One thread holds a lock and touches B, while a callback of A's step waits for that lock."""
    lock, waiting, done = threading.Lock(), threading.Event(), threading.Event()

    def log(_user, _level, _message):
        waiting.set()
        with lock:
            pass

    with Host(library, threads=1, log=log) as host:
        sheet = Sheet(20)
        a, b = slider(host, sheet), host.node("skinning")
        a.set_array("points", SINEW_F64, 3, sheet.moved(1))
        lock.acquire()
        stepping = threading.Thread(target=lambda: (a.call("step", 1, 1 / 24), done.set()))
        stepping.start()
        assert waiting.wait(60), "no log line came during the step"
        for k in range(100):
            b.call("set_real", b"envelope", k / 100)
        assert not done.is_set(), "the callback does not wait, so nothing is shown"
        lock.release()
        stepping.join(60)
        assert done.is_set()


def steps_disturb_no_other_node(library):
    for threads in (1, 2):
        with Host(library, threads=threads) as host:
            sheet = Sheet(120)
            a, b, small = slider(host, sheet), host.node("skinning"), host.node("strand")
            small.call("step", 0, 0.0)
            alone = time.perf_counter()
            small.call("step", 1, 1 / 24)
            alone = time.perf_counter() - alone
            a.set_array("points", SINEW_F64, 3, sheet.moved(1))
            stepping = threading.Thread(target=a.call, args=("step", 1, 1 / 24))
            stepping.start()
            value, took, beside, frame = c_double(), [], [], 2
            while stepping.is_alive():
                begun = time.perf_counter()
                b.call("get_number", b"envelope", byref(value))
                took.append(time.perf_counter() - begun)
                if len(took) % 200 == 0:
                    begun = time.perf_counter()
                    small.call("step", frame, frame / 24)
                    beside.append(time.perf_counter() - begun)
                    frame += 1
            stepping.join()
            took.sort(), beside.sort()
            middle = took[len(took) // 2]
            print(f"{threads} threads: reading B beside a step of A {1e6 * middle:.0f} us (median of {len(took)}), "
                  f"a step alone {1e3 * alone:.1f} ms, beside {1e3 * beside[len(beside) // 2]:.1f} ms")
            assert len(beside) >= 3, "other steps wait for the large one"
            assert middle < 1e-3, middle
            refused(BUSY, "in use", check, library, busy(library, a, sheet))


def busy(library, node, sheet):
    """The status of a call on a node that steps."""
    seen = []

    def progress(_user, _id, _done, _task):
        if not seen:
            value = c_int32()
            seen.append(library.sinew_node_history(node.handle, byref(value)))
        return 0

    callbacks = sinew.SinewNodeCallbacks(id=7, progress=sinew.NODE_PROGRESS(progress))
    node.call("set_callbacks", byref(callbacks))
    play(node, sheet, 2)
    node.call("set_callbacks", None)
    # The message belongs to the thread of the callback, so the failing call is made again here.
    held = threading.Event()

    def hold(_user, _id, _done, _task):
        held.set()
        time.sleep(0.2)
        return 1

    callbacks = sinew.SinewNodeCallbacks(id=7, progress=sinew.NODE_PROGRESS(hold))
    node.call("set_callbacks", byref(callbacks))
    stepping = threading.Thread(target=lambda: refused(CANCELLED, "", play, node, sheet, 3))
    stepping.start()
    assert held.wait(60)
    value = c_int32()
    status = library.sinew_node_history(node.handle, byref(value))
    stepping.join()
    node.call("set_callbacks", None)
    assert seen == [BUSY], seen
    return status


def the_topology_may_change(library):
    with Host(library) as host:
        small, large = Sheet(9), Sheet(12)
        for params in ({}, {"proxy_triangles": 60}):
            node = slider(host, small, **params)
            play(node, small, 1)
            good = uvs(node)
            # The points of another mesh, then maps of another, then fewer.
            for other in (large, Sheet(5)):
                node.set_array("points", SINEW_F64, 3, other.moved(2))
                refused(COUNT_MISMATCH, "rest", node.call, "step", 2, 2 / 24)
                for port in ("hold", "stiffness", "thickness_map", "density_map", "proxy_keep", "region", "anchor"):
                    node.set_array(port, SINEW_F64, 1, reals([1.0] * other.side**2))
                refused(COUNT_MISMATCH, "rest", node.call, "step", 2, 2 / 24)
                node.set_array("points", SINEW_F64, 3, small.moved(2))
                refused(COUNT_MISMATCH, "rest", node.call, "step", 2, 2 / 24)
                for port in ("hold", "stiffness", "thickness_map", "density_map", "proxy_keep", "region", "anchor"):
                    node.call("clear_input", port.encode())
            assert uvs(node) == good
            assert play(node, small, 2) == CONTINUED
            mesh = large.mesh()
            node.call("set_mesh", b"rest", byref(mesh))
            refused(COUNT_MISMATCH, "rest", node.call, "step", 3, 3 / 24)
            assert play(node, large, 3) == CARRIED
            told = json.loads(sinew.read_text(node, "report"))
            assert told["history"] == "carried" and "carried over" in told["warnings"][0], told
            assert play(node, large, 4) == CONTINUED
            # A frame that fails after the mesh changed leaves it to be told.
            mesh = small.mesh()
            node.call("set_mesh", b"rest", byref(mesh))
            refused(COUNT_MISMATCH, "uvs", run, node, small, 5, 3)
            assert play(node, small, 5) == CARRIED
            # Another skin is none to carry over: a metre away.
            far = Sheet(9)
            far.points = reals([c + (k % 3 == 0) for k, c in enumerate(far.points)])
            mesh = large.mesh()
            node.call("set_mesh", b"rest", byref(mesh))
            assert play(node, large, 6) == CARRIED
            mesh = far.mesh()
            node.call("set_mesh", b"rest", byref(mesh))
            node.call("set_restart", 0)
            refused(OUT_OF_ORDER, "another skin", play, node, far, 7)
            refused(OUT_OF_ORDER, "another skin", play, node, far, 7)
            node.call("set_restart", 1)
            assert play(node, far, 7) == RESTARTED and play(node, far, 8) == CONTINUED


def fewer_triangles_are_told(library):
    """The skin goes on when its proxy changes, and says that it was carried over."""
    with Host(library) as host:
        sheet = Sheet(30)
        node = slider(host, sheet)
        play(node, sheet, 1)
        for frame, triangles in ((2, 600), (3, 900), (4, 0)):
            put(node, "proxy_triangles", triangles)
            assert play(node, sheet, frame) == CARRIED
            told = json.loads(sinew.read_text(node, "report"))["warnings"]
            assert "carried over, within 0" in told[0], told
        node.set_array("hold", SINEW_F64, 1, reals([0.5] * sheet.side**2))
        assert play(node, sheet, 5) == CONTINUED, "a map is no mesh"


def states_of_other_things_count_as_none(library):
    with Host(library) as host:
        small, large, turned = Sheet(9), Sheet(12), Sheet(9)
        turned.corners = indices(list(turned.corners)[4:] + list(turned.corners)[:4])
        nodes = {"large": slider(host, large), "other faces": slider(host, turned),
                 "proxy": slider(host, small, proxy_triangles=60)}
        for what, sheet in (("large", large), ("other faces", turned), ("proxy", small)):
            for save in ("save_state", "save_lean_state"):
                other = nodes[what]
                play(other, sheet, 1)
                state = bytes_of(other, save)
                for stepped in (False, True):
                    node = slider(host, small)
                    if stepped:
                        play(node, small, 1)
                    node.call("load_state", state, len(state))
                    put(node, "proxy_triangles", 0)
                    node.call("set_restart", 0)
                    for _ in range(2):
                        refused(OUT_OF_ORDER, "another skin", play, node, small, 2)
                    assert bytes(bytes_of(node, "save_lean_state")) != b""
                    node.call("set_restart", 1)
                    assert play(node, small, 2) == RESTARTED, what
                    assert play(node, small, 3) == CONTINUED
        # Strands: of another scene, and of another finger.
        states = {}
        for digit in ("index", "little"):
            node = host.node("strand")
            put(node, "source", "finger")
            put(node, "digit", digit)
            node.call("step", 1, 1 / 24)
            states[digit] = bytes_of(node, "save_state")
        hand = host.node("strand")
        put(hand, "source", "hand")
        hand.call("step", 1, 1 / 24)
        states["hand"] = bytes_of(hand, "save_state")
        for loaded in ("little", "hand"):
            node = host.node("strand")
            node.call("load_state", states[loaded], len(states[loaded]))
            put(node, "source", "finger")
            put(node, "digit", "index")
            node.call("set_restart", 0)
            refused(OUT_OF_ORDER, "starting again", node.call, "step", 2, 2 / 24)
            node.call("set_restart", 1)
            node.call("step", 2, 2 / 24)
            assert history(node) == RESTARTED
            node.call("step", 3, 3 / 24)
            assert history(node) == CONTINUED


def a_frame_that_fails_never_was(library):
    """Whatever fails after the step, even the caller's array, the next frame goes on from the last good one."""
    with Host(library) as host:
        sheet = Sheet(12)
        for mode in ("quasistatic", "dynamic"):
            good, bad = slider(host, sheet, mode=mode), slider(host, sheet, mode=mode)
            for frame in range(1, 5):
                before = bytes(bytes_of(bad, "save_state"))
                if frame > 1:
                    refused(COUNT_MISMATCH, "uvs", run, bad, sheet, frame, 3)
                    assert bytes(bytes_of(bad, "save_state")) == before
                    assert history(bad) == history(good)
                assert run(bad, sheet, frame) == run(good, sheet, frame)
        a, b = host.node("strand"), host.node("strand")
        for node in (a, b):
            put(node, "source", "finger")
        for frame in range(1, 4):
            seconds, few = frame / 24, reals([0.0] * 3)
            wanted = array(SINEW_F64, 3, few, SinewArrayMut)
            outputs = sinew.SinewPortArrayMut(port=b"joint_turns", array=sinew.POINTER(SinewArrayMut)(wanted))
            refused(COUNT_MISMATCH, "joint_turns", b.call, "run", frame, seconds, None, 0, byref(outputs), 1, None)
            for node in (a, b):
                node.call("step", frame, seconds)
            assert bytes(bytes_of(a, "save_state")) == bytes(bytes_of(b, "save_state"))


def time_has_rules(library):
    with Host(library) as host:
        sheet = Sheet(12)
        for mode in ("quasistatic", "dynamic"):
            node = slider(host, sheet, mode=mode)
            refused(MISSING_INPUT, "", history, node)
            seen = [play(node, sheet, frame) for frame in (1, 2, 3)]
            assert seen == [STARTED, CONTINUED, CONTINUED], seen
            third = uvs(node)
            assert play(node, sheet, 3) == REPEATED and uvs(node) == third
            assert play(node, sheet, 3, 3.5 / 24) == CONTINUED, "between frames"
            node.call("reset")
            refused(MISSING_INPUT, "", uvs, node)
            assert [play(node, sheet, frame) for frame in (1, 2, 3)] == [STARTED, CONTINUED, CONTINUED]
            assert uvs(node) == third, "a reset node is a new one"
            assert play(node, sheet, 6) == SKIPPED
            assert play(node, sheet, 2) == RESTARTED
            report = json.loads(sinew.read_text(node, "report"))
            assert report["history"] == "restarted" and "comes after frame 6" in report["warnings"][0], report
            # With a start, beginning elsewhere is no accident that goes unseen.
            node.call("reset")
            node.call("set_start", 1, 1 / 24)
            node.call("set_restart", 0)
            refused(OUT_OF_ORDER, "after the start", play, node, sheet, 2)
            refused(MISSING_INPUT, "", history, node)
            assert play(node, sheet, 1) == STARTED and play(node, sheet, 1) == STARTED
            assert [play(node, sheet, frame) for frame in (2, 3)] == [CONTINUED, CONTINUED]
            assert uvs(node) == third
            refused(OUT_OF_ORDER, "comes after frame 3", play, node, sheet, 2)
            assert uvs(node) == third and play(node, sheet, 3) == REPEATED and uvs(node) == third
            assert play(node, sheet, 0) == STARTED
            # Nobody waits for a frame of three hundred years.
            if mode == "dynamic":
                refused(4, "100 s", play, node, sheet, 1, 1e10)


def lean_states_go_on_alike(library):
    with Host(library) as host:
        sheet = Sheet(200)
        for mode in ("quasistatic", "dynamic"):
            node, states, seen = slider(host, sheet, mode=mode), {}, {}
            for frame in range(1, 5):
                play(node, sheet, frame)
                begun = time.perf_counter()
                states[frame] = bytes_of(node, "save_lean_state")
                took = time.perf_counter() - begun
                seen[frame] = uvs(node)
            whole, n = len(bytes_of(node, "save_state")), sheet.side**2
            print(f"{mode}, {n} vertices: lean {len(states[4]) / 1e6:.2f} MB in {1e3 * took:.1f} ms, whole {whole / 1e6:.1f} MB")
            assert len(states[4]) < 100 * n, "under 4 MB at 40,000 vertices"
            # To ask for the size alone, or with too little room, changes nothing.
            twin, needed = slider(host, sheet, mode=mode), c_uint64()
            for frame in range(1, 4):
                before = states[frame - 1] if frame > 1 else None
                if before is not None:
                    twin.call("load_state", before, len(before))
                play(twin, sheet, frame)
            whole_before = bytes(bytes_of(twin, "save_state"))
            twin.call("save_lean_state", None, 0, byref(needed))
            refused(14, "", twin.call, "save_lean_state", (c_uint8 * 4)(), 4, None)
            assert bytes(bytes_of(twin, "save_state")) == whole_before
            # Another node scrubs: backwards, from the state before each.
            other = slider(host, sheet, mode=mode)
            for frame in (4, 2, 3):
                before = states[frame - 1]
                begun = time.perf_counter()
                other.call("load_state", before, len(before))
                loaded = time.perf_counter()
                refused(MISSING_INPUT, "", uvs, other)
                assert play(other, sheet, frame) == CONTINUED
                took = [1e3 * (loaded - begun), 1e3 * (time.perf_counter() - loaded)]
                print(f"{mode}, frame {frame}: loaded in {took[0]:.1f} ms, computed in {took[1]:.1f} ms")
                assert uvs(other) == seen[frame], (mode, frame)
            other.call("load_state", before, len(before))
            other.call("set_restart", 0)
            refused(OUT_OF_ORDER, "loaded", play, other, sheet, 2)


def one_call_is_a_frame(library):
    with Host(library) as host:
        sheet = Sheet(15)
        a, b = slider(host, sheet), slider(host, sheet)
        for frame in (1, 2):
            play(a, sheet, frame)
            out, how = run(b, sheet, frame)
            assert out == uvs(a) and how == history(a)
        # A frame that fails leaves the points of the frame before.
        b.call("set_restart", 0)
        refused(OUT_OF_ORDER, "", run, b, sheet, 1)
        b.call("step", 2, 2 / 24)
        assert history(b) == REPEATED and uvs(b) == uvs(a)
        # Faces are whole numbers.
        faces = (sinew.c_int32 * sheet.side**2)()
        b.call("read_output", b"skin_faces", byref(array(3, 1, faces, SinewArrayMut)))
        assert list(faces) == [int(v) for v in sinew.read_reals(b, "skin_faces", 1)]


def progress_is_seen_and_cancel_is_soon(library):
    sheet, seen, lines = Sheet(200), [], []

    def progress(_user, node, done, task):
        seen.append((node, done, task.decode()))
        return 0

    def log(_user, node, level, message):
        lines.append((node, level, message.decode()))

    with Host(library) as host:
        node = slider(host, sheet, mode="dynamic")
        callbacks = sinew.SinewNodeCallbacks(
            id=42, progress=host.keep(sinew.NODE_PROGRESS(progress)), log=host.keep(sinew.NODE_LOG(log))
        )
        node.call("set_callbacks", byref(callbacks))
        play(node, sheet, 1)
        assert {name for name, _, _ in seen} == {42} and all(0 <= done <= 1 for _, done, _ in seen)
        assert {"building the skin", "settling the skin"} <= {task for _, _, task in seen}, seen
        assert any(level == 2 and "was built" in text for _, level, text in lines), lines
        assert any(level == 3 for _, level, _ in lines), lines
        late = []
        for frame, pause in enumerate((0.0, 0.05, 0.1, 0.2, 0.3, 0.5), 2):
            good, ended, failed = uvs(node), [], []
            node.set_array("points", SINEW_F64, 3, sheet.moved(20 * frame))

            def step():
                try:
                    node.call("step", frame, frame / 4)
                except SinewError as error:
                    failed.append(error.status)
                ended.append(time.perf_counter())

            stepping, count = threading.Thread(target=step), len(seen)
            stepping.start()
            while len(seen) == count and stepping.is_alive():
                time.sleep(0.001)
            time.sleep(pause)
            begun = time.perf_counter()
            node.call("cancel")
            stepping.join()
            if failed:
                assert failed == [CANCELLED] and uvs(node) == good
                late.append(ended[0] - begun)
        print(f"{sheet.side**2} vertices: cancelled after at most {1e3 * max(late):.0f} ms, {len(late)} times; "
              f"{len(seen)} calls of progress")
        assert late and max(late) < 2.0, late


def memory_stays(library):
    """Half a thousand frames, states and errors: the resident set stays within 10 %."""

    def resident():
        gc.collect()
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6

    with Host(library) as host:
        sheet = Sheet(40)
        node = slider(host, sheet, mode="dynamic")
        moved = [sheet.moved(3 * math.sin(0.2 * k)) for k in range(32)]
        sizes = {}
        for frame in range(1, 501):
            node.set_array("points", SINEW_F64, 3, moved[frame % 32])
            node.call("step", frame, frame / 24)
            if frame % 50 == 0:
                state = bytes_of(node, "save_lean_state")
                node.call("load_state", state, len(state))
                sizes[frame] = resident()
        print("resident MB: " + ", ".join(f"{frame}: {size:.0f}" for frame, size in sizes.items()))
        # The allocator keeps now one page more, now one less: the halves are compared, not two frames.
        first, second = [max(size for frame, size in sizes.items() if lo < frame <= hi) for lo, hi in ((50, 250), (250, 500))]
        assert second < 1.1 * first, sizes


def tasks():
    return len(os.listdir("/proc/self/task"))


def threads_end_with_their_context(library):
    before = tasks()
    sheet = Sheet(40)
    for _ in range(20):
        with Host(library, threads=4) as host:
            node = slider(host, sheet)
            assert tasks() == before, "nothing but a step starts threads"
            play(node, sheet, 1)
            assert tasks() > before
        assert tasks() == before, (before, tasks())


def the_calling_thread_is_enough(library):
    sheet, threads = Sheet(60), set()

    def progress(_user, _done, _task):
        threads.add(threading.get_ident())
        return 0

    with Host(library, threads=2) as host, Host(library, flags=ON_CALLING_THREAD, progress=progress) as alone:
        a = slider(host, sheet)
        play(a, sheet, 1)
        before = tasks()
        b = slider(alone, sheet)
        for frame in (1, 2):
            play(b, sheet, frame)
        assert tasks() == before and threads == {threading.get_ident()}, threads
        play(a, sheet, 2)
        assert uvs(a) == uvs(b)
        # From another thread, too, and from one that steps for the first time.
        other = threading.Thread(target=play, args=(b, sheet, 3))
        other.start(), other.join()
        assert len(threads) == 2


def a_forked_child_is_told(library):
    sheet = Sheet(10)
    with Host(library, threads=2) as host:
        node = slider(host, sheet)
        play(node, sheet, 1)
        child = os.fork()
        if child == 0:
            try:
                refused(UNSUPPORTED, "forked", play, node, sheet, 2)
                with Host(library, threads=2) as own:
                    play(slider(own, sheet), sheet, 1)
                host.close()
                os._exit(0)
            except BaseException as error:
                print(error, file=sys.stderr)
                os._exit(1)
        begun = time.monotonic()
        while True:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                break
            assert time.monotonic() - begun < 60, "the child waits for threads that it does not have"
            time.sleep(0.01)
        assert status == 0, status
        assert play(node, sheet, 2) == CONTINUED


def scenes_that_never_end_are_refused(library):
    with Host(library) as host:
        node = host.node("strand")
        node.call("set_choice", b"source", 2)
        for path in ("/dev/zero", "/dev/stdin", os.path.dirname(os.path.abspath(__file__)), PIPE):
            node.call("set_text", b"scene", path.encode())
            sinew_error = None
            try:
                node.call("step", 1, 0.0)
            except SinewError as error:
                sinew_error = error
            assert sinew_error and "no file" in str(sinew_error), (path, sinew_error)


PIPE = f"/tmp/sinew-host-{os.getpid()}.pipe"


def a_scene_file_that_changes_is_seen(library):
    path = f"/tmp/sinew-host-{os.getpid()}.xml"
    try:
        with Host(library) as host:
            node = host.node("strand")
            node.call("set_choice", b"source", 2)
            node.call("set_text", b"scene", path.encode())
            for frame, name in ((1, "rod"), (2, "stick")):
                with open(path, "w") as file:
                    file.write(sinew.PENDULUM.replace("rod", name))
                os.utime(path, ns=(frame * 10**9, frame * 10**9))
                node.call("step", frame, frame / 24)
                bodies = dict(json.loads(sinew.read_text(node, "report"))["names"])["bodies"]
                assert name in bodies, bodies
            assert history(node) == RESTARTED
    finally:
        os.unlink(path)


def panels_need_no_word_of_host_code(library):
    plain = 0
    for kind, (ports, params) in sinew.enumerate_nodes(library).items():
        groups = []
        for index, (name, (param, choices)) in enumerate(params.items()):
            group = param.group.decode()
            if group not in groups[-1:]:
                assert group and group not in groups, (kind, group)
                groups.append(group)
            if param.kind in (1, sinew.SINEW_PARAM_REAL):
                assert param.minimum <= param.soft_minimum <= param.default_value <= param.soft_maximum <= param.maximum
                plain += 1
            if param.shown_with:
                other, known = params[param.shown_with.decode()]
                assert other.kind == sinew.SINEW_PARAM_CHOICE and 0 < param.shown_choices < 1 << len(known)
            for k in range(param.choice_count):
                choice = sinew.SinewChoiceInfo()
                check(library, library.sinew_choice_info(kind.encode(), index, k, byref(choice)))
                assert choice.title and choice.doc
        for _, name, port in ports:
            assert (port.domain == b"free") == bool(port.items), name
    fung = sinew.enumerate_nodes(library)["skin_slider"][1]["fung_exponent"][0]
    assert fung.shown_with == b"material" and fung.shown_choices == 1 << 2
    assert plain > 20


def conforms(value, schema, where="report"):
    """What the schema's words mean, as far as it uses them."""
    known = {"title", "description", "$schema", "type", "enum", "required", "properties", "additionalProperties", "items",
             "prefixItems", "minimum"}
    assert set(schema) <= known, set(schema) - known
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float)}
    if "type" in schema:
        assert isinstance(value, kinds[schema["type"]]) and not isinstance(value, bool), (where, value)
    assert value in schema.get("enum", [value]), (where, value)
    assert not isinstance(value, (int, float)) or value >= schema.get("minimum", value), (where, value)
    if isinstance(value, dict):
        known, others = schema.get("properties", {}), schema["additionalProperties"]
        assert set(schema.get("required", [])) <= set(value), (where, list(value))
        for name, part in value.items():
            assert name in known or others, (where, name)
            conforms(part, known.get(name, others), f"{where}.{name}")
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        for k, part in enumerate(value):
            each = first[k] if k < len(first) else schema["items"]
            assert each is not False, (where, value)
            conforms(part, each, f"{where}[{k}]")


def reports_follow_their_schema(library):
    with open(os.path.join(os.path.dirname(__file__), "../../cpp/include/sinew/report.schema.json")) as file:
        schema = json.load(file)
    histories = set()
    with Host(library) as host:
        sheet, strand, skinning = Sheet(8), host.node("strand"), host.node("skinning")
        node = slider(host, sheet)
        for frame in (1, 2, 2, 5, 3, 4):
            if frame == 4:
                put(node, "proxy_triangles", 60)
            put(strand, "details", "true" if frame > 2 else "false")
            play(node, sheet, frame)
            strand.call("step", frame, frame / 24)
            for each in (node, strand):
                report = json.loads(sinew.read_text(each, "report"))
                conforms(report, schema)
                histories.add(report["history"])
            assert ("details" in report) == (frame > 2)
        sinew.bind(skinning)
        skinning.set_array("points", SINEW_F64, 3, reals([0.0] * (3 * len(sinew.WEIGHTS))))
        skinning.call("step", 1, 0.0)
        report = json.loads(sinew.read_text(skinning, "report"))
        conforms(report, schema)
        histories.add(report["history"])
    assert histories == set(schema["properties"]["history"]["enum"]), histories


def rows_are_columns_in_maya(library):
    with Host(library) as host:
        a, b = host.node("strand"), host.node("strand")
        for node, rows in ((a, 0), (b, 1)):
            node.call("set_row_vectors", rows)
            node.call("set_text", b"source", b"scene")
            node.call("set_text", b"scene", sinew.PENDULUM.encode())
            matrix = [1, 0, 0, 0.02, 0, 0.6, -0.8, 0.01, 0, 0.8, 0.6, -0.03, 0, 0, 0, 1]
            if rows:
                matrix = [matrix[4 * c + r] for r in range(4) for c in range(4)]
            node.set_array("led_matrices", SINEW_F64, 16, reals(matrix))
            node.call("step", 1, 1 / 24)
        one, two = (sinew.read_reals(node, "body_matrices", 16) for node in (a, b))
        assert one != two and one == [two[16 * m + 4 * c + r] for m in (0, 1) for r in range(4) for c in range(4)]
        refused(4, "transposed", a.set_array, "led_matrices", SINEW_F64, 16, reals(matrix))


CASES = [value for name, value in list(globals().items()) if callable(value) and "_" in name and name in {
    "a_lock_of_the_host_is_no_trap", "a_frame_that_fails_never_was", "fewer_triangles_are_told",
    "states_of_other_things_count_as_none", "steps_disturb_no_other_node", "the_topology_may_change", "time_has_rules",
    "lean_states_go_on_alike", "one_call_is_a_frame", "progress_is_seen_and_cancel_is_soon", "memory_stays",
    "threads_end_with_their_context", "the_calling_thread_is_enough", "a_forked_child_is_told",
    "scenes_that_never_end_are_refused", "a_scene_file_that_changes_is_seen", "panels_need_no_word_of_host_code",
    "rows_are_columns_in_maya", "reports_follow_their_schema",
}]

if __name__ == "__main__":
    library = sinew.load(sys.argv[1])
    if len(sys.argv) < 3:
        print("\n".join(case.__name__ for case in CASES))
    else:
        os.mkfifo(PIPE)
        try:
            next(case for case in CASES if case.__name__ == sys.argv[2])(library)
        finally:
            os.unlink(PIPE)
        print(f"{sys.argv[2]}: ok")
