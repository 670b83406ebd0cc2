"""From arrays to Blender: what each target of an output takes."""

import bpy
import numpy as np

from . import bone_shapes, capture, gather, hair, host, properties, relations
from .arrays import floats, inverse, mesh_of, set_positions
from .problem import Problem

import mathutils

ATTRIBUTE_TYPES = {
    1: ("FLOAT", "value"),
    2: ("FLOAT2", "vector"),
    3: ("FLOAT_VECTOR", "vector"),
    16: ("FLOAT4X4", "value"),
}
DOMAINS = {"vertex": "POINT", "face": "FACE", "corner": "CORNER"}


def wanted(kind, settings):
    """The outputs that have a target: (port, binding) pairs."""
    found = ((port, getattr(settings, f"out_{port.id}")) for port in kind.outputs)
    return [(port, bound) for port, bound in found if bound.choice != "NONE"]


def uv_maps(ob, kind, settings):
    """The UV maps that a node writes, and the one of the same object that each follows from: (name, name at rest)
    pairs."""
    rests = [getattr(settings, f"in_{port.id}") for port in kind.inputs if port.kind == "mesh"]
    own = next((rest for rest in rests if rest.choice == "REST" and rest.object in (None, ob)), None)
    names = [bound.name for _, bound in wanted(kind, settings) if bound.choice == "UV"]
    if own is None or not names or ob.type != "MESH":
        return []
    layer = ob.data.uv_layers.get(own.name) if own.name else gather.rest_uv_layer(ob.data, "", names)
    return [(name, layer.name) for name in names] if layer else []


# Blender cuts longer names off, in the middle of a letter.
LONGEST_NAME = 63


def has_no_name(bound):
    """Whether a target that needs a name has none that Blender takes."""
    return bound.choice in ("UV", "ATTRIBUTE", "SHAPE", "PROPERTY") and not 0 < len(bound.name.encode()) <= LONGEST_NAME


def targets_of(ob):
    """The names of what the outputs of all nodes of an object write."""
    nodes = [
        (host.kinds()[item.kind], properties.settings(item)) for item in ob.sinew.nodes if item.kind in host.kinds()
    ]
    found = [bound for kind, settings in nodes for _, bound in wanted(kind, settings)]
    return [bound.name for bound in found if bound.choice in ("UV", "ATTRIBUTE", "SHAPE")]


def check(here, kind):
    """Refuses outputs without a name, two of one name, and those that would be written over the UV map at rest, or over
    an attribute that is read."""
    targets, names = wanted(kind, here.settings), targets_of(here.ob)
    for port, bound in targets:
        if bound.choice in ("UV", "ATTRIBUTE", "SHAPE") and names.count(bound.name) > 1:
            raise Problem(f'"{bound.name}" is what two outputs write: give {port.title or port.id} another name')
    for port, bound in targets:
        if has_no_name(bound):
            how = "a shorter name: Blender allows 63 letters, fewer in other scripts" if bound.name else "a name"
            raise Problem(f"give the output {port.title or port.id} {how}")
    read = {
        bound.name
        for bound in (getattr(here.settings, f"in_{port.id}") for port in kind.inputs)
        if bound.choice == "ATTRIBUTE"
    }
    for port, bound in targets:
        if bound.choice in ("ATTRIBUTE", "SHAPE") and bound.name in read:
            raise Problem(
                f'the attribute "{bound.name}" is read as an input: choose another name for {port.title or port.id}, '
                f"which would overwrite it"
            )
    for port, bound in targets:
        if bound.choice == "HAIR" and bound.object is not None:
            check_carried_once(bound.object, port)
    rests = [getattr(here.settings, f"in_{port.id}") for port in kind.inputs if port.kind == "mesh"]
    for rest in rests:
        clash = any(bound.choice == "UV" and bound.name == rest.name for _, bound in targets)
        if clash and rest.choice == "REST" and rest.object in (None, here.ob):
            raise Problem(
                f'the UV map "{rest.name}" is the one read at rest: choose another one for the output, which would '
                f"overwrite it"
            )


def check_carried_once(locks, port):
    """Refuses hair that Geometry Nodes carry along with its surface, too, as those do that Blender gives to new
    hair."""
    for modifier in locks.modifiers:
        on = modifier.type == "NODES" and (modifier.show_viewport or modifier.show_render)
        nodes = {node.bl_idname for node in relations.working_nodes(modifier.node_group)} if on else set()
        if any(nodes >= carrying for carrying in CARRY_HAIR):
            raise Problem(
                f'the modifier "{modifier.name}" of "{locks.name}" carries the hair along with the body, too: turn it '
                f"off for viewports and "
                f"renders, or set {port.title or port.id} to Not Used"
            )


# The nodes by which Geometry Nodes carry hair: up to Blender 5.1, and those of Hair Dynamics.
CARRY_HAIR = ({"GeometryNodeDeformCurvesOnSurface"}, {"GeometryNodeXPBDSolver", "GeometryNodeSampleUVSurface"})


def check_edited(here, kind):
    """In edit mode, tells those who are about to edit the UV map that an output writes."""
    active = here.ob.data.uv_layers.active
    written = {bound.name for _, bound in wanted(kind, here.settings) if bound.choice == "UV"}
    if active is not None and active.name in written:
        raise Problem(
            f'"{here.ob.name}" is in edit mode, and its active UV map "{active.name}" is the one that the node writes, '
            f"so edits of it are lost: "
            "choose another one to edit UVs (Object Data > UV Maps)"
        )


def to_local(here, ob, port, values):
    """A port's numbers in an object's space."""
    if port.quantity not in gather.SPATIAL:
        return values
    return gather.placed(values, port.quantity, inverse(here.space(ob, port)))


def uv_layer(mesh, name):
    """The UV map of that name, made where it is missing; without touching which one is active."""
    found = mesh.uv_layers.get(name)
    if found is None:
        found = mesh.uv_layers.new(name=name, do_init=True)
        if found is None:
            raise Problem(f'"{mesh.name}" has eight UV maps, which is all that Blender allows: delete one')
    return found


def uv_target(mesh, bound):
    """The UV map of an output. One that was deleted comes back as it was: active for rendering, selected, or
    neither."""
    deleted = bound.name not in mesh.uv_layers
    found = uv_layer(mesh, bound.name)
    take_name(bound, found)
    if deleted and bound.rendered == found.name:
        found.active_render = True
    if deleted and bound.selected == found.name:
        mesh.uv_layers.active = found
    return found


def note_active(mesh, targets):
    """Notes which of the UV maps that outputs write are active for rendering, and selected."""
    for _, bound in targets:
        layer = mesh.uv_layers.get(bound.name) if bound.choice == "UV" else None
        if layer is not None:
            now = (bound.name * layer.active_render, bound.name * (layer == mesh.uv_layers.active))
            if (bound.rendered, bound.selected) != now:
                bound.rendered, bound.selected = now


def take_name(bound, made):
    """Blender gives what it makes another name where that is taken."""
    if bound.name != made.name:
        bound.name = made.name


def fill_uvs(mesh, layer, values):
    """Writes a UV map as an attribute. A copied mesh shares its arrays with the original until one of the two is
    written, and what is written through the UV map itself changes both."""
    found = mesh.attributes[layer.name]
    if (found.data_type, found.domain) != ("FLOAT2", "CORNER"):
        raise Problem(f'"{mesh.name}" has a UV map and another attribute called "{layer.name}": rename one of them')
    found.data.foreach_set("vector", values)


def attribute(ob, bound, port):
    data_type, _ = ATTRIBUTE_TYPES[port.components]
    mesh, name, found = ob.data, bound.name, ob.data.attributes.get(bound.name)
    if found is None:
        # From 5.2 on, Blender would give the attribute another name.
        if name in ob.vertex_groups:
            raise Problem(f'"{name}" is a vertex group of "{ob.name}": choose another name for {port.title or port.id}')
        found = mesh.attributes.new(name, data_type, DOMAINS[port.domain])
        if found is None:
            raise Problem(f'"{mesh.name}" takes no attribute "{name}": choose another name for {port.title or port.id}')
        take_name(bound, found)
    if found.is_required or found.is_internal:
        raise Problem(f'the attribute "{name}" is Blender\'s own: choose another name for {port.title or port.id}')
    if (found.data_type, found.domain) != (data_type, DOMAINS[port.domain]):
        raise Problem(f'"{mesh.name}" has an attribute "{name}" of another type: choose another name for {port.id}')
    return found


def write_uvs(here, bound, port, values):
    mesh = here.ob.data
    layer = uv_target(mesh, bound)
    fill_uvs(mesh, layer, flat(values, len(layer.uv) * 2, here, port))


def overwritten(here, targets):
    """What to tell of UV maps that a modifier has overwritten: since they were written, they have become others. To be
    asked before the next ones are written; where modifiers change faces, too, the two cannot be compared."""
    reading = capture.reading_uvs(here.ob)
    if not reading:
        return []
    mesh, seen = here.ob.data, here.ob.evaluated_get(here.depsgraph).data
    names = [
        bound.name
        for _, bound in targets
        if bound.choice == "UV" and bound.name in mesh.uv_layers and bound.name in seen.uv_layers
    ]
    pairs = [(name, *(floats(one.uv_layers[name].uv, "vector", 2) for one in (mesh, seen))) for name in names]
    return [
        f'the modifier "{reading[0].name}" of "{here.ob.name}" reads the UV map "{name}" from its file, over what the '
        f"node writes: turn off UV "
        "in the modifier, or give the output another name"
        for name, written, shown in pairs
        # Modifiers of ours around a subdivision round.
        if written.shape == shown.shape and not np.allclose(written, shown, rtol=0, atol=1e-6)
    ]


def write_attribute(here, bound, port, values):
    found = attribute(here.ob, bound, port)
    _, field = ATTRIBUTE_TYPES[port.components]
    found.data.foreach_set(field, flat(values, len(found.data) * port.components, here, port))


def flat(values, size, here, port):
    if values.size != size:
        raise Problem(f'{port.id} has {values.size} numbers and "{here.ob.name}" takes {size}: the mesh has changed')
    return np.ascontiguousarray(values, np.float32).ravel()


def shape_group(name):
    """Geometry Nodes that put each vertex where an attribute says."""

    def put_places(nodes, links, start, end):
        put, (places, there) = nodes.new("GeometryNodeSetPosition"), capture.named(nodes, name, "FLOAT_VECTOR")
        links.new(start, put.inputs["Geometry"])
        links.new(places, put.inputs["Position"])
        links.new(there, put.inputs["Selection"])
        links.new(put.outputs[0], end)

    return capture.geometry_nodes(f"{capture.SHAPE} {name}", put_places)


def points_of(ob, values, port):
    """A mesh object with a vertex for each point."""
    mesh = mesh_of(ob)
    if len(mesh.vertices) != len(values):
        if len(mesh.edges) > 0 or len(mesh.polygons) > 0:
            raise Problem(f'"{ob.name}" has edges or faces, which {port.id} would delete: choose a mesh without any')
        mesh.clear_geometry()
        mesh.vertices.add(len(values))
    set_positions(mesh, values)
    mesh.update()


# The type of the object that an output writes to, by its choice.
WRITTEN = {"POINTS": "MESH", "CURVES": "CURVE", "HAIR": "CURVES"}


def target(bound, port):
    kind = WRITTEN[bound.choice]
    if bound.object is None or bound.object.type != kind:
        raise Problem(f"choose an object of the type {kind.title()} for {port.id}")
    return bound.object


def write_points(here, bound, port, values):
    ob = target(bound, port)
    points_of(ob, to_local(here, ob, port, values), port)


def write_curves(here, bound, port, values, counts):
    """Poly curves through the points, `counts` each."""
    ob = target(bound, port)
    if any(spline.type != "POLY" for spline in ob.data.splines):
        raise Problem(
            f'"{ob.name}" has curves that are not of the type Poly, which {port.id} would delete: choose a curve '
            f"object without any"
        )
    values = to_local(here, ob, port, values)
    counts = [int(count) for count in counts.ravel()]
    if [len(spline.points) for spline in ob.data.splines] != counts:
        ob.data.splines.clear()
        for count in counts:
            ob.data.splines.new("POLY").points.add(count - 1)
    ones, start = np.ones((len(values), 1), np.float32), 0
    rows = np.hstack([values, ones]).astype(np.float32)
    for spline, count in zip(ob.data.splines, counts):
        spline.points.foreach_set("co", rows[start : start + count].ravel())
        start += count
    ob.data.update_tag()


def write_hair(here, bound, port, values):
    """Transforms each curve from where it was drawn by its matrix."""
    ob = target(bound, port)
    if len(ob.data.curves) != len(values):
        raise Problem(f'{port.id} has {len(values)} matrices and "{ob.name}" {len(ob.data.curves)} curves')
    world = here.world(ob)
    hair.carry(ob.data, inverse(world) @ values.reshape(-1, 4, 4).astype(np.float64) @ here.at_rest(ob), world)


def write_objects(here, bound, port, values):
    if bound.collection is None:
        raise Problem(f"choose a collection for {port.id}")
    objects = sorted(bound.collection.all_objects, key=lambda ob: ob.name)
    if len(objects) != len(values):
        raise Problem(
            f'{port.id} has {len(values)} matrices and the collection "{bound.collection.name}" {len(objects)} objects'
        )
    # Parents first: an object is placed in its parent's space.
    for ob, matrix in sorted(zip(objects, values.reshape(-1, 4, 4)), key=lambda placed: ancestors(placed[0])):
        ob.matrix_world = mathutils.Matrix(matrix.tolist())


def ancestors(ob):
    """How many parents an object has above it."""
    return 0 if ob.parent is None else 1 + ancestors(ob.parent)


def write_property(here, bound, port, values):
    here.ob[bound.name] = [float(number) for number in values.ravel()]


def write(here, kind, targets, outputs):
    """Writes the outputs of a frame to their targets, which `wanted` gave: port id -> array."""
    for port, bound in own(here, targets):
        values = outputs[port.id]
        if bound.choice == "CURVES":
            write_curves(here, bound, port, values, outputs[port.counted_by])
        elif bound.choice in ("ATTRIBUTE", "SHAPE"):
            write_attribute(here, bound, port, to_local(here, here.ob, port, values))
        else:
            WRITERS[bound.choice](here, bound, port, values)
    here.ob.data.update_tag()


WRITERS = {
    "UV": write_uvs,
    "POINTS": write_points,
    "HAIR": write_hair,
    "OBJECTS": write_objects,
    "PROPERTY": write_property,
}


def write_rest(here, kind, rest_uvs):
    """Makes an uncomputed frame look as at rest: rest UVs and hair, attributes of zero, the body's own shape."""
    for port, bound in own(here, wanted(kind, here.settings)):
        if has_no_name(bound):
            continue
        if bound.choice == "HAIR":
            hair.lay_down(bound.object)
        if bound.choice == "UV" and rest_uvs is not None:
            write_uvs(here, bound, port, rest_uvs)
        elif bound.choice == "ATTRIBUTE":
            found = attribute(here.ob, bound, port)
            write_attribute(here, bound, port, np.zeros((len(found.data), port.components), np.float32))
        elif bound.choice == "SHAPE" and bound.name in here.ob.data.attributes:
            here.ob.data.attributes.remove(here.ob.data.attributes[bound.name])
    here.ob.data.update_tag()


def leave_shapes(ob):
    """Lets a body be as Blender has it, whatever its nodes have written."""
    if ob.type != "MESH" or ob.library is not None or ob.data.library is not None or ob.mode == "EDIT":
        return
    for name in {capture.shape_name(modifier) for modifier in ob.modifiers}.intersection(ob.data.attributes.keys()):
        ob.data.attributes.remove(ob.data.attributes[name])
        ob.data.update_tag()


def prepare(ob, kind, settings):
    """Makes UV maps and attributes that the outputs need, outside of frame changes; returns the shapes for
    `use_shapes`. What holds a shape is made with its first frame: until then, modifiers that look for it leave the
    points where they are."""
    shapes = {}
    for port, bound in wanted(kind, settings):
        if has_no_name(bound):
            continue
        if bound.choice == "UV":
            uv_target(ob.data, bound)
        elif bound.choice in ("ATTRIBUTE", "SHAPE"):
            there = bound.name in ob.data.attributes
            made = attribute(ob, bound, port)
            if bound.choice == "SHAPE":
                shapes[made.name] = shape_group(made.name)
                if not there:
                    ob.data.attributes.remove(made)
    return shapes


def bound_outputs(objects):
    """Where all outputs of the nodes on some objects go."""
    for ob in objects:
        for item in ob.sinew.nodes if ob.library is None else ():
            kind = host.kinds().get(item.kind)
            yield from (bound for _, bound in (wanted(kind, properties.settings(item)) if kind else ()))


def objects_written():
    """The objects besides bodies that outputs write to, [(choice, object)]."""
    found = []
    for bound in bound_outputs(bpy.data.objects):
        if bound.choice == "OBJECTS" and bound.collection is not None:
            found += [(bound.choice, part) for part in bound.collection.all_objects]
        elif bound.choice in WRITTEN and bound.object is not None and bound.object.type == WRITTEN[bound.choice]:
            found.append((bound.choice, bound.object))
    return found


def written(bound):
    """The object or collection that an output writes to, besides its own object; None if it writes to none."""
    if bound.choice == "OBJECTS":
        return bound.collection
    return bound.object if bound.choice in WRITTEN else None


def theirs(ob, kind, settings):
    """Which outputs of a node do not write, because another node was there first, as where a body was copied without
    its hair: port id -> (what is written, the object of that node)."""
    mine = {written(bound): port.id for port, bound in wanted(kind, settings) if written(bound) is not None}
    found = {}
    for other in bpy.data.objects if mine else ():
        if not other.sinew.nodes or other.session_uid > ob.session_uid or not other.users_scene:
            continue
        for item in other.sinew.nodes:
            there = properties.settings(item)
            if there == settings:
                break
            outputs = wanted(host.kinds()[item.kind], there) if item.kind in host.kinds() else ()
            found.update(
                {mine[written(bound)]: (written(bound), other) for _, bound in outputs if written(bound) in mine}
            )
    return found


def hair_of(ob, kind, settings):
    """The hair that a node carries: (port, object) pairs."""
    left = theirs(ob, kind, settings)
    return [
        (port, bound.object)
        for port, bound in wanted(kind, settings)
        if bound.choice == "HAIR" and bound.object and port.id not in left
    ]


def of_others(here):
    return theirs(here.ob, here.kind, here.settings)


def own(here, targets):
    """The outputs that write, of those with a target."""
    return [(port, bound) for port, bound in targets if port.id not in here.once(of_others)]


def in_vain(here, targets):
    """What to tell of modifiers that are not read, and of outputs that are not seen, or not written."""
    left = here.once(of_others)
    said = [
        f'{port.title or port.id}: the node of "{left[port.id][1].name}" writes "{left[port.id][0].name}" already, and '
        f"only one can: choose "
        "another one, or set one of the two to Not Used"
        for port, _ in targets
        if port.id in left
    ]
    return overwritten(here, targets) + overlooked(here) + said


def overlooked(here):
    """What to tell of modifiers that go on from the muscles: Blender evaluates them when the nodes of the frame have
    been computed."""
    ob = here.ob
    if not bone_shapes.reads_body(ob, here.kind, here.settings):
        return []
    rendered = here.depsgraph.mode == "RENDER"
    names = ", ".join(f'"{m.name}"' for m in capture.going_on(ob) if (m.show_render if rendered else m.show_viewport))
    return [f"the body is read as if these modifiers, which go on from its muscles, were off: {names}"] if names else []


def members(objects):
    """What is in the collections that the outputs of some objects write to, in a form that is quick to make and to
    compare."""
    found = {}
    for bound in bound_outputs(objects):
        if bound.choice == "OBJECTS" and bound.collection is not None:
            inside = np.empty(len(bound.collection.all_objects), np.int32)
            bound.collection.all_objects.foreach_get("session_uid", inside)
            found[bound.collection.session_uid] = inside.tobytes()
    return found


def has_strangers(objects):
    """Whether objects have nodes that the library does not know, so that what these write is unknown."""
    return any(item.kind not in host.kinds() for ob in objects for item in ob.sinew.nodes)


def use_shapes(ob, shapes):
    """Gives a body the modifiers for the shapes of all its nodes, those and no others: name of the attribute ->
    Geometry Nodes. What deforms the body behind the Armature modifier goes on from those that take its place."""
    skinned = bone_shapes.all_names(ob)
    idle = [m for m in ob.modifiers if capture.shape_name(m) and m.node_group not in shapes.values()]
    for modifier in idle if not has_strangers([ob]) else ():
        ob.modifiers.remove(modifier)
    for name, group in shapes.items():
        if not any(m.type == "NODES" and m.node_group == group for m in ob.modifiers):
            ob.modifiers.new(group.name, "NODES").node_group = group
            bones = next((k for k, m in enumerate(ob.modifiers) if m.type == "ARMATURE" and m.object), None)
            if name in skinned and bones is not None:
                ob.modifiers.move(len(ob.modifiers) - 1, bones + 1)
    order(ob)
    capture.update(ob)


def shapes_of(kind, settings):
    """The names of the shapes that a node writes."""
    return [bound.name for _, bound in wanted(kind, settings) if bound.choice == "SHAPE"]


def rename_shape(ob, old, new):
    """Lets the modifier of a shape read the attribute under another name."""
    for modifier in ob.modifiers if new != old else ():
        if capture.shape_name(modifier) == old:
            modifier.node_group = shape_group(new)
            modifier.name = modifier.node_group.name


def drop_shapes(ob, names):
    """Takes the modifiers of shapes away that no node writes any more: the body would keep the last of these in all
    frames."""
    idle = set(names).difference(targets_of(ob))
    for modifier in [m for m in ob.modifiers if capture.shape_name(m) in idle]:
        ob.modifiers.remove(modifier)
    if idle:
        capture.update(ob)


def order(ob):
    """Moves our modifiers that place vertices ahead of modifiers that may change them."""
    for modifier in [m for m in ob.modifiers if capture.shape_name(m)]:
        place, now = capture.first_change(ob), ob.modifiers.find(modifier.name)
        if place is not None and place < now:
            ob.modifiers.move(now, place)
