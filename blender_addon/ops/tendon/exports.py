"""Lets exporters and motion blur see that simulations move things: of what Blender does not take for animated, Alembic and USD files
get a single sample.

Blender takes for animated what has keys, drivers or constraints, and meshes that have modifiers, whether these do anything or not;
USD, armatures that have animation data, if only empty; motion blur, meshes that have modifiers which move points. Delta transforms,
constraints of bones and points set in every frame are none of these, and nothing is called when an export begins."""

NAME = "Sinew Simulated"


def mark_bodies(bodies, moved):
    """Gives the bodies that a simulation moves a constraint that does nothing, and takes it from the others."""
    for body in bodies:
        mark = body.constraints.get(NAME)
        if body in moved and mark is None:
            mark = body.constraints.new("LIMIT_LOCATION")
            mark.name, mark.mute = NAME, True
        elif body not in moved and mark is not None:
            body.constraints.remove(mark)


def mark_armatures(armatures, moved):
    """Gives the armatures whose bones follow simulated bodies animation data, and takes it from the others if it is still empty."""
    for armature in armatures:
        data = armature.animation_data
        if armature in moved and data is None:
            armature.animation_data_create()
            armature[NAME] = True
        elif armature not in moved and NAME in armature:
            del armature[NAME]
            if data is not None and not (data.action or data.drivers or data.nla_tracks):
                armature.animation_data_clear()


def mark_mesh(part):
    """Gives an object whose mesh is written in every frame a modifier that does nothing: it smooths points no times."""
    if NAME not in part.modifiers:
        mark = part.modifiers.new(NAME, "SMOOTH")
        mark.iterations, mark.show_viewport = 0, False
