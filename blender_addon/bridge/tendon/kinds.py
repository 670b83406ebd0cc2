"""What may stand in a scene of strands, as the library describes it, and what Blender makes of it."""

from .. import host

# The elements that tie a point; `release` calls them rules.
RULES = ("on_curve", "in_plane", "off_bone", "frame", "link")
# The elements that pull; their names are unique among all three.
MUSCLES = ("muscle", "reel", "hill")
# Children that hold a value at a time.
KEYS = ("key", "activation", "to")
# Words that stand in place of a body.
NO_BODY = ("world", "free")
# Elements that are no objects in Blender; rules belong to points.
NO_OBJECTS = ("space", "settings", "armature", "point", *RULES)


def scene():
    """The description of a scene."""
    return host.document_kind("strand_scene")


def kind(*tags):
    """The description of an element below the scene: kind("joint", "axis")."""
    return scene().kind(*tags)


def objects():
    """Elements that are objects in Blender, in the order in which they are written; points are nodes of curves, or
    loose ones."""
    return (*(tag for tag in scene().children if tag not in NO_OBJECTS), "point")


def names_rules(attribute):
    """Whether an attribute names what ties a point."""
    return set(attribute.refers_to) == set(RULES)


def ends_of(tag):
    """The attribute by which a rule names its point, and that by which it names what it ties it to."""
    own, other = [attribute.name for attribute in kind(tag).attributes.values() if attribute.kind == "reference"][:2]
    return own, other


def items(tags, title):
    """What offers some kinds of elements in a menu, with their descriptions."""
    kept = []

    def offered(_self, _context):
        # Blender keeps no reference to the texts.
        if not kept and host.library() is not None:
            kept.extend((tag, title(tag), kind(tag).doc) for tag in tags)
        return kept

    return offered
