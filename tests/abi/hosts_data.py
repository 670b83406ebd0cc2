"""Hosts that make panels, read reports, write matrices as rows, and name files."""

import ctypes
import json
import os
import subprocess
import tempfile
from ctypes import byref

import ctypes_client as sinew
from ctypes_client import SINEW_F64, SinewError, check, reals
from host import CARRIED, CONTINUED, RESTARTED, Host, Sheet, history, play, put, refused, slider

SINEW_PARAM_INT = 1


def scenes_that_never_end_are_refused(library):
    with Host(library) as host, tempfile.TemporaryDirectory() as folder:
        pipe = os.path.join(folder, "pipe")
        os.mkfifo(pipe)
        node = host.node("strand")
        node.call("set_choice", b"source", 2)
        for path in ("/dev/zero", "/dev/stdin", folder, pipe):
            node.call("set_text", b"scene", path.encode())
            # Nothing is found, or something that is not a file: the status depends on the system.
            try:
                node.call("step", 1, 0.0)
                raise AssertionError(f"{path} was read")
            except SinewError as error:
                assert "not a file" in str(error), (path, str(error))


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
    plain, units = 0, {}
    for kind, (ports, params) in sinew.enumerate_nodes(library).items():
        groups = []
        for index, (param, _) in enumerate(params.values()):
            group = param.group.decode()
            if group not in groups[-1:]:
                assert group and group not in groups, (kind, group)
                groups.append(group)
            if param.kind in (SINEW_PARAM_INT, sinew.SINEW_PARAM_REAL):
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
            units[name] = port.unit.decode()
        units.update({name: param.unit.decode() for name, (param, _) in params.items()})
    fung = sinew.enumerate_nodes(library)["skin_slider"][1]["fung_exponent"][0]
    assert fung.shown_with == b"material" and fung.shown_choices == 1 << 2
    assert plain > 20
    expected = {
        "goal_motions": "deg or m",
        "goal_place_weight": "rad/m",
        "joint_turns": "deg",
        "forces": "N",
        "young": "Pa",
        "tension": "N/m",
        "density": "kg/m^3",
        "snap_speed": "1/s",
        "goal_time": "s",
        "thickness": "m",
    }
    assert {name: units[name] for name in expected} == expected
    for name, mode in (("snap_speed", 1), ("friction_time", 2), ("fibre_ratio", 8)):
        assert sinew.enumerate_nodes(library)["skin_slider"][1][name][0].shown_choices == mode, name


def affects(library, kind, source, output):
    found = ctypes.c_int32(-1)
    check(library, library.sinew_affects(kind.encode(), source.encode(), output.encode(), byref(found)))
    return {0: False, 1: True}[found.value]


def meshes_of(library, kind):
    """The meshes of a node as the command line writes them."""
    count = next(info.mesh_count for info in node_infos(library) if info.id == kind.encode())
    found = []
    for index in range(count):
        info = sinew.SinewMeshInfo()
        check(library, library.sinew_mesh_info(kind.encode(), index, byref(info)))
        text = {name: getattr(info, name).decode() for name, _ in info._fields_[2:]}
        made = {name: text.pop(name) for name in ("points", "face_sizes", "face_vertices")}
        found.append({**text, "made": made if made["points"] else None})
    return found


def node_infos(library):
    for index in range(library.sinew_node_count()):
        info = sinew.SinewNodeInfo()
        check(library, library.sinew_node_info(index, byref(info)))
        yield info


def the_command_line_says_the_same(library):
    """sinew nodes --json and the descriptions of the ABI, field by field."""
    printed = subprocess.run([os.environ["SINEW_PROGRAM"], "--json", "nodes"], check=True, capture_output=True).stdout
    listed = {node["id"]: node for node in json.loads(printed)}
    ours = sinew.enumerate_nodes(library)
    assert list(listed) == list(ours)
    text = lambda value: value.decode()
    assert [node["number"] for node in listed.values()] == [info.number for info in node_infos(library)]
    for kind, (ports, params) in ours.items():
        node = listed[kind]
        assert [port["id"] for port in node["ports"]] == [name for _, name, _ in ports]
        for port, (direction, _, info) in zip(node["ports"], ports):
            here = {
                "title": text(info.title),
                "doc": text(info.doc),
                "domain": text(info.domain),
                "items": text(info.items),
                "quantity": text(info.quantity),
                "unit": text(info.unit),
                "components": info.components,
                "direction": ["input", "output"][direction],
                "kind": ["reals", "ints", "mesh"][info.kind],
                "required": bool(info.required),
                "paintable": bool(info.paintable),
                "whole": bool(info.whole),
                "at_rest": bool(info.at_rest),
                "mesh": text(info.mesh),
                "element": text(info.element),
                "group": text(info.group),
                "counted_by": text(info.counted_by),
                "radii": text(info.radii),
                "between": text(info.between),
                "index_of": text(info.index_of),
                "default": info.default_value if info.has_default else None,
                "range": [info.minimum, info.maximum] if info.has_range else None,
            }
            ignored = set(port.pop("ignores"))
            assert {**here, "id": port["id"]} == port, (kind, port)
            if direction == sinew.SINEW_OUTPUT:
                sources = [name for way, name, _ in ports if way == sinew.SINEW_INPUT] + list(params)
                assert ignored == {name for name in sources if not affects(library, kind, name, port["id"])}, (
                    kind,
                    port["id"],
                )
        assert node["meshes"] == meshes_of(library, kind)
        assert [param["id"] for param in node["params"]] == list(params)
        for index, (param, (info, choices)) in enumerate(zip(node["params"], params.values())):
            number = info.kind in (SINEW_PARAM_INT, sinew.SINEW_PARAM_REAL)
            shown, of = text(info.shown_with), param["shown_when"]
            bits = sum(1 << params[shown][1].index(choice) for choice in of[1]) if shown else 0
            assert (of[0] if of else "", bits) == (shown, info.shown_choices), param["id"]
            default = info.default_value
            if info.kind in (sinew.SINEW_PARAM_CHOICE, sinew.SINEW_PARAM_TEXT):
                default = text(info.default_text)
            here = {
                "title": text(info.title),
                "doc": text(info.doc),
                "unit": text(info.unit),
                "group": text(info.group),
                "step": info.step,
                "files": text(info.files),
                "advanced": bool(info.advanced),
                "restarts": bool(info.restarts),
                "is_file": bool(info.is_file),
                "document": text(info.document),
                "kind": ["bool", "int", "real", "choice", "text"][info.kind],
                "range": [info.minimum, info.maximum] if number else None,
                "default": default,
            }
            assert here == {name: param[name] for name in here}, (kind, param)
            if number:
                assert (param["slider"] or [info.minimum, info.maximum]) == [info.soft_minimum, info.soft_maximum]
            titles = []
            for k in range(len(choices)):
                choice = sinew.SinewChoiceInfo()
                check(library, library.sinew_choice_info(kind.encode(), index, k, byref(choice)))
                titles.append({"id": choices[k], "title": text(choice.title), "doc": text(choice.doc)})
            assert titles == (param["choices"] or []), param["id"]


def what_restarts_says_so(library):
    """After a change of a parameter that the panel marks, the next frame restarts; after any other it continues."""
    sheet = Sheet(10)

    def frame(node, kind, number):
        if kind == "skin_slider":
            return play(node, sheet, number)
        node.call("step", number, number / 24)
        return history(node)

    def another(name, info, choices):
        if name == "source":
            return "scene"
        if name == "scene":
            return sinew.PENDULUM.replace("rod", "stick")
        if name == "settings":
            return "gravity=0 -5 0"
        if choices:
            return choices[0 if info.default_value else 1]
        if info.kind == sinew.SINEW_PARAM_BOOL:
            return "true"
        value = info.soft_minimum if info.default_value == info.soft_maximum else info.soft_maximum
        return int(value) if info.kind == SINEW_PARAM_INT else value

    with Host(library) as host:
        for kind in ("skin_slider", "strand"):
            for name, (info, choices) in sinew.enumerate_nodes(library)[kind][1].items():
                node = slider(host, sheet) if kind == "skin_slider" else host.node(kind)
                if kind == "strand":
                    put(node, "scene", sinew.PENDULUM)
                if shown := info.shown_with:
                    node.call("set_choice", shown, info.shown_choices.bit_length() - 1)
                frame(node, kind, 1), frame(node, kind, 2)
                value = another(name, info, choices)
                put(node, name, value)
                how = frame(node, kind, 3)
                assert how in ((RESTARTED,) if info.restarts else (CONTINUED, CARRIED)), (kind, name, value, how)


def conforms(value, schema, where="report"):
    """Validates against the keywords of JSON Schema that the schema uses."""
    known = {
        "title",
        "description",
        "$schema",
        "type",
        "enum",
        "required",
        "properties",
        "additionalProperties",
        "items",
        "prefixItems",
        "minimum",
    }
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


def a_host_allocates_before_the_first_step(library):
    outputs = [name for way, name, _ in sinew.enumerate_nodes(library)["skin_slider"][0] if way == sinew.SINEW_OUTPUT]
    count_of = lambda node, call, port: (node.call(call, port.encode(), byref(count)), count.value)[1]
    count = ctypes.c_uint64()
    with Host(library) as host:
        sheet = Sheet(5)
        node = host.node("skin_slider")
        refused(17, "rest", count_of, node, "expected_count", "uvs")
        node.call("set_mesh", b"rest", byref(sheet.mesh()))
        said = {port: count_of(node, "expected_count", port) for port in outputs}
        assert said["uvs"] == len(sheet.corners) and said["load"] == 25 and said["rider_points"] == 0, said
        assert not any(count_of(node, "output_count", port) for port in outputs)
        node.set_array("points", SINEW_F64, 3, sheet.moved(1))
        node.call("step", 1, 1 / 24)
        assert said == {port: count_of(node, "output_count", port) for port in outputs}
        refused(2, "nothing", count_of, node, "expected_count", "nothing")
        # Nobody reads what lies on the skin.
        node.call("want_output", b"slid_points", 0)
        assert count_of(node, "expected_count", "slid_points") == 0 and count_of(node, "expected_count", "load") == 25
        node.call("step", 2, 2 / 24)
        assert count_of(node, "output_count", "slid_points") == 0 and count_of(node, "output_count", "load") == 25
        node.call("want_output", b"slid_points", 1)
        node.call("step", 3, 3 / 24)
        assert count_of(node, "output_count", "slid_points") == 25
        refused(2, "nothing", node.call, "want_output", b"nothing", 1)
        refused(1, "wanted", node.call, "want_output", b"load", 2)


CASES = [
    a_host_allocates_before_the_first_step,
    scenes_that_never_end_are_refused,
    a_scene_file_that_changes_is_seen,
    panels_need_no_word_of_host_code,
    the_command_line_says_the_same,
    what_restarts_says_so,
    reports_follow_their_schema,
    rows_are_columns_in_maya,
]
