"""Attribute-editor templates, laid out by a reader of MEL that knows the flags of editorTemplate."""

import re

import cases
from cases import ROOT, Scene
from mel import Template, tokens, unquoted


def _built(scene, kind):
    """The template of a type, laid out."""
    scene.world.mel.template = Template()
    scene.world.mel.call(f"AE{kind.type_name}Template", "node1")
    made = scene.world.mel.template
    assert made.frames == [], f"frames left open: {made.frames}"
    return made


def _own_names():
    """What the plug-in adds to each node of its own accord."""
    text = (ROOT / "maya_plugin" / "host" / "plan.h").read_text(encoding="utf-8")
    return set(re.findall(r'static constexpr const char\* \w+ = "(\w+)"', text.partition("struct OwnNames")[2]))


def every_attribute_is_laid_out_once_with_title_and_tooltip():
    for description in cases.DESCRIPTIONS:
        scene = Scene(description)
        scene.load()
        for kind in scene.part("plugin").types():
            entries = _built(scene, kind).entries
            names = [
                name
                for _, what, arguments, _ in entries
                if what in ("addControl", "suppress")
                for name in arguments[:1]
            ]
            rows = [arguments for _, what, arguments, _ in entries if what == "callCustom"]
            names += [row[2] for row in rows if row[0] in ("sinewPaintNew", "sinewFileNew")]
            assert len(set(names)) == len(names), kind.type_name
            missing = {one.name for one in kind.attributes} - set(names)
            assert not missing, missing
            unknown = set(names) - {one.name for one in kind.attributes} - _own_names() - {"envelope"}
            assert not unknown, f"neither described nor in plan.h: {unknown}"
            for _, what, arguments, texts in entries:
                one = kind.find(arguments[0]) if what == "addControl" else None
                if one:
                    assert texts["label"] == (f"{one.title} ({one.unit})" if one.unit else one.title)
                    assert texts["annotation"] == one.doc.replace("\n", " ")


def frames_follow_the_groups_and_expert_ones_are_collapsed():
    scene = Scene()
    scene.load()
    for kind in scene.part("plugin").types():
        made = _built(scene, kind)
        shown = [
            one
            for one in kind.attributes
            if one.of != "output" and (one.holds in scene.part("templates").SHOWN or one.paintable)
        ]
        expected = list(dict.fromkeys(one.group or "Settings" for one in shown))
        tops = [one.lstrip("/") for one in made.collapsed if one.lstrip("/").count("/") == 0]
        assert tops == [*expected, "Frames"], (tops, expected)
        for one in shown:
            frame = [frames for frames, _, arguments, _ in made.entries if one.name in arguments][0]
            title = one.group or "Settings"
            plain = [other for other in shown if (other.group or "Settings") == title and not other.advanced]
            expert = one.advanced and bool(plain)
            assert frame == ((title, f"{title}: Expert") if expert else (title,)), (one.name, frame)
            path = "/" + "/".join(frame)
            assert made.collapsed[path] == one.advanced, (one.name, path)


def every_procedure_that_is_named_exists():
    for description in cases.DESCRIPTIONS:
        scene = Scene(description)
        scene.load()
        known = scene.world.mel.procedures
        for kind in scene.part("plugin").types():
            for _, what, arguments, _ in _built(scene, kind).entries:
                if what == "callCustom":
                    assert len(known[arguments[0]][0]) == len(known[arguments[1]][0]) == len(arguments) - 2, arguments
                elif what == "addControl" and len(arguments) > 1:
                    assert len(known[arguments[1]][0]) == 1


def only_maps_are_painted_and_only_files_browsed():
    scene = Scene()
    scene.load()
    for kind in scene.part("plugin").types():
        rows = [arguments for _, what, arguments, _ in _built(scene, kind).entries if what == "callCustom"]
        assert [row[2] for row in rows if row[0] == "sinewPaintNew"] == [one.name for one in kind.maps()]
        assert [row[2] for row in rows if row[0] == "sinewFileNew"] == [
            one.name for one in kind.attributes if one.is_file
        ]


def the_status_line_is_first_and_follows_the_node():
    scene = Scene()
    scene.load()
    kind = scene.part("plugin").types()[0]
    first = _built(scene, kind).entries[0]
    assert first[1:3] == ("callCustom", ["sinewStatusNew", "sinewStatusReplace", "status", "missing_frames"])
    world = scene.world
    for name in ("slider1", "slider2"):
        world.add_node(name, "sinewSkinSlider")
    world.values["slider1.missing_frames"] = "3-5, 9"
    world.mel.call("sinewStatusNew", "slider1.status", "slider1.missing_frames")
    text = world.ui["MayaWindow|sinewStatus|sinewStatusText"]
    assert text["label"] == "Missing: 3-5, 9" and world.parent == "MayaWindow"
    world.values["slider1.status"] = "Frames 3 to 9 have to be computed first."
    world.happen("timeChanged")
    assert text["label"] == "Frames 3 to 9 have to be computed first.  Missing: 3-5, 9"
    world.values.update({"slider1.missing_frames": "", "slider1.status": "Frame 9: the body collapsed."})
    world.happen("timeChanged")
    assert text["label"] == "Frame 9: the body collapsed."
    world.values["slider1.status"] = ""
    changes = {
        job["attributeChange"][0]: job["attributeChange"][1] for job in world.jobs.values() if "attributeChange" in job
    }
    assert set(changes) == {"slider1.status", "slider1.missing_frames"}
    changes["slider1.status"]()
    assert text["label"] == "This frame is computed."
    world.mel.call("sinewStatusReplace", "slider2.status", "slider2.missing_frames")
    changed = {job["attributeChange"][0] for job in world.jobs.values() if "attributeChange" in job}
    assert changed == {"slider2.status", "slider2.missing_frames"} and len(world.jobs) == 3
    world.values["slider2.missing_frames"] = "7"
    solve = world.ui["MayaWindow|sinewStatus|sinewStatusSolve"]["command"]
    solve(False)
    assert scene.plug.asked == [("sinewSolve", ("slider2",), {})] and text["label"] == "Missing: 7"
    scene.plug.fails = "the solve was stopped at frame 7"
    solve(False)
    assert world.said == ["The solve was stopped at frame 7."]


def settings_that_do_not_count_are_dimmed():
    scene = Scene()
    scene.load()
    world = scene.world
    world.add_node("slider1", "sinewSkinSlider")
    for choice, dimmed in ((0, {"fung_exponent", "fibre_ratio"}), (1, set()), (2, {"fung_exponent"})):
        world.values["slider1.material"] = choice
        # A change gives the node, the row at the end its plug.
        for argument in ("slider1", "slider1.material"):
            world.dimmed.clear()
            world.mel.call("sinewDimReplace", argument)
            assert set(world.dimmed) == {("slider1", "fung_exponent"), ("slider1", "fibre_ratio")}
            assert {name for (_, name), off in world.dimmed.items() if off} == dimmed


def a_file_is_typed_or_browsed():
    scene = Scene()
    scene.load()
    world = scene.world
    for name, path in (("strand1", "/a.xml"), ("strand2", "")):
        world.add_node(name, "sinewStrand")
        world.values.update({f"{name}.scene": path, f"{name}.source": 1})
    world.mel.call("sinewFileNew", "strand1.scene")
    field = world.ui["MayaWindow|sinewFile_scene"]
    assert field["text"] == "/a.xml" and field["enable"] is True
    world.mel.call("sinewFileReplace", "strand2.scene")
    field["changeCommand"]("/b.xml")
    assert world.values["strand2.scene"] == "/b.xml" and world.values["strand1.scene"] == "/a.xml"
    world.answers["file"] = ["/c.xml"]
    field["buttonCommand"]()
    assert world.values["strand2.scene"] == field["text"] == "/c.xml"
    assert world.called("fileDialog2")[-1][1]["fileFilter"] == "Scene (*.xml);;All files (*)"
    world.values["strand2.source"] = 0
    (job,) = world.jobs.values()
    assert job["attributeChange"][0] == "strand2.source"
    job["attributeChange"][1]()
    assert field["enable"] is False


def paint_buttons_paint_the_node_that_is_shown():
    scene = Scene()
    scene.load()
    mesh = scene.character(slides=True)
    scene.world.add_node("other", "sinewSkinSlider", mesh)
    scene.world.mel.call("sinewPaintNew", "body_slider.hold")
    scene.world.mel.call("sinewPaintReplace", "other.hold")
    scene.world.ui["MayaWindow|sinewPaint_hold|sinewPaint_holdButton"]["command"](False)
    assert scene.world.mel.commands[-1][1] == ["artAttrCtx", "sinewSkinSlider.other.hold"]


def texts_in_mel_are_what_they_are_in_the_description():
    scene = Scene()
    quoted = scene.part("templates").quoted
    for text in ('a "quoted" word', "back\\slash", "ends with \\", "größer, 0.5 °", "; } $node `ls`", ""):
        ((kind, found),) = tokens(quoted(text))
        assert kind == "string" and unquoted(found) == text, (text, found)
