"""Painting: what Artisan is told, and Cached Playback meanwhile."""

from cases import Scene, refused


def maps_are_registered_with_their_type():
    scene = Scene()
    scene.load()
    expected = {(kind.type_name, one.name) for kind in scene.part("plugin").types() for one in kind.maps()}
    assert set(scene.world.paintable) == expected and len(expected) >= 3
    for flags in scene.world.paintable.values():
        assert flags["attrType"] == "multiFloat" and flags["shapeMode"] == "deformer"


def the_brush_gets_type_node_and_map_with_the_mesh_selected():
    scene = Scene()
    mesh = scene.character(slides=True)
    # A wrap that follows the body keeps a hidden copy of it, elsewhere.
    scene.world.add_mesh("copy")
    scene.world.history = {"|copy|copyShapeOrig": ["body_slider"], **scene.world.history}
    scene.world.selection = ["body_slider"]
    scene.sinew.run("paint", node="body_slider", attribute="hold")
    assert scene.world.selection == [mesh]
    assert [name for name, _ in scene.world.mel.commands] == ["ArtPaintAttrTool", "source", "artSetToolAndSelectAttr"]
    assert scene.world.mel.commands[-1][1] == ["artAttrCtx", "sinewSkinSlider.body_slider.hold"]
    assert scene.world.said == [] and scene.world.called("confirmDialog") == []


def a_node_without_a_mesh_is_a_sentence():
    scene = Scene()
    scene.world.add_node("lost", "sinewSkinSlider")
    scene.world.selection = ["lost"]
    refused("no mesh to paint on", scene.sinew.run, "paint", node="lost", attribute="hold")


def cached_playback_is_off_while_painting_and_on_again_after():
    scene = Scene(cache_on=True)
    scene.character(slides=True)
    scene.world.answers["confirm"] = "Turn Off and Paint"
    scene.sinew.run("paint", node="body_slider", attribute="hold")
    assert not scene.world.cache_on and scene.world.context == "artAttrContext"
    # The change to the brush itself is reported late: it does not end painting.
    scene.world.happen("ToolChanged")
    scene.world.idle()
    scene.world.happen("ToolChanged")
    assert not scene.world.cache_on and len(scene.world.jobs) == 1
    scene.world.context = "selectSuperContext"
    scene.world.happen("ToolChanged")
    scene.world.idle()
    assert scene.world.cache_on and scene.world.jobs == {}


def who_keeps_cached_playback_does_not_paint():
    scene = Scene(cache_on=True)
    scene.character(slides=True)
    scene.world.answers["confirm"] = "Cancel"
    scene.part("rows")._paint("body_slider", "hold")
    assert scene.world.cache_on and scene.world.context == "selectSuperContext"
    assert scene.world.mel.commands == [] and scene.world.said == []


def flood_and_smooth_leave_the_brush_as_it_was():
    scene = Scene()
    scene.character(slides=True)
    paint = scene.part("paint")
    refused("Choose a map", paint.flood, 1.0)
    scene.sinew.run("paint", node="body_slider", attribute="hold")
    before = dict(scene.world.brush)
    paint.flood(0.25)
    paint.smooth(3)
    assert scene.world.floods == [
        {"selectedattroper": "absolute", "value": 0.25, "opacity": 1.0},
        *[{"selectedattroper": "smooth", "value": 1.0, "opacity": 1.0}] * 3,
    ]
    assert scene.world.brush == before
