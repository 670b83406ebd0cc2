"""What the add-on adds around the solver on 40,000 vertices, beside Blender's own deformers: speed.py ZIP. Once with a
proxy and without maps, and once as one click sets it.

Runs are interleaved, since other things run on the machine; the median of the frames is printed."""

import pathlib
import statistics
import sys
import time

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s

FRAMES, ROUNDS = range(1, 13), 3


def body(name):
    ob = s.tube(name, around=200, along=199)
    assert len(ob.data.vertices) == 40_000
    s.armature(ob, angle=0.3)
    return ob


def corrective_smooth(ob):
    ob.modifiers.new("smooth", "CORRECTIVE_SMOOTH").iterations = 5


def surface_deform(ob):
    low = s.tube("low", around=50, along=50)
    s.armature(low, angle=0.3)
    ob.modifiers.clear()
    made = ob.modifiers.new("surface", "SURFACE_DEFORM")
    made.target = low
    s.select(ob)
    bpy.ops.object.surfacedeform_bind(modifier=made.name)
    assert made.is_bound


def cloth_and_shrinkwrap(ob):
    """Skin as people make it otherwise: a cloth that collides with nothing and is drawn onto the body."""
    target = ob.copy()
    target.data = ob.data.copy()
    s.link(target)
    made = ob.modifiers.new("cloth", "CLOTH")
    made.settings.quality = 5
    group = ob.vertex_groups.new(name="pin")
    group.add(range(len(ob.data.vertices)), 0.5, "REPLACE")
    made.settings.vertex_group_mass = "pin"
    ob.modifiers.new("wrap", "SHRINKWRAP").target = target


def sinew(ob):
    item = s.slide(ob)
    item.of_skin_slider.param_proxy_triangles = 6000
    item.of_skin_slider.param_outputs = "skin"
    for port in ("stretch", "wrinkle_amplitude", "slide_distance"):
        getattr(item.of_skin_slider, f"out_{port}").choice = "NONE"


def one_click(ob):
    s.slide(ob, quality="normal")


WAYS = {
    "armature alone": lambda ob: None,
    "corrective smooth": corrective_smooth,
    "surface deform": surface_deform,
    "cloth + shrinkwrap": cloth_and_shrinkwrap,
    "sinew": sinew,
    "sinew, one click": one_click,
}


def compare():
    scene = bpy.context.scene
    scene.frame_end = FRAMES[-1]
    objects = {}
    for name, prepare in WAYS.items():
        collection = bpy.data.collections.new(name)
        scene.collection.children.link(collection)
        before = set(bpy.data.objects)
        ob = body(name)
        prepare(ob)
        for one in set(bpy.data.objects) - before:
            scene.collection.objects.unlink(one)
            collection.objects.link(one)
        objects[name] = (ob, collection)
    times, around, keeping, floor, copies = {name: [] for name in WAYS}, {}, {}, {}, []
    for _ in range(ROUNDS):
        for name, (ob, _) in objects.items():
            for other in bpy.context.view_layer.layer_collection.children:
                other.exclude = other.name != name
            if ob.sinew.nodes:
                s.part("bridge.runtime").forget(ob)
            for frame in FRAMES:
                before = time.perf_counter()
                scene.frame_set(frame)
                times[name].append(1000 * (time.perf_counter() - before))
                if ob.sinew.nodes and frame > 1:
                    known = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], scene)
                    assert known.state == "computed", known.message
                    around.setdefault(name, []).append(1000 * known.around)
                    keeping.setdefault(name, []).append(1000 * known.keeping)
                    before = time.perf_counter()
                    copies.append([values.copy() for values in known.last.values()])
                    floor.setdefault(name, []).append(1000 * (time.perf_counter() - before))
    for name, values in times.items():
        print(f"{name:20} {statistics.median(values):8.2f} ms a frame in all")
    for what, found in (
        ("of it around the solver (gather, look up, scatter)", around),
        ("of it for keeping the state of the frame", keeping),
        ("for a copy of the results into new memory, as scrubbing needs one: a floor", floor),
    ):
        for name, values in found.items():
            print(f"{name:20} {statistics.median(values):8.2f} ms {what}, {min(values):.2f} at best")


if __name__ == "__main__":
    s.main({"compare": compare}, ["compare"])
