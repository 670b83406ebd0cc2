"""What is wrong with a scene that becomes a rig, in words for the user."""


class SceneError(ValueError):
    """What is wrong with a document, with the element where it is known."""

    def __init__(self, message, element=None):
        super().__init__(message if element is None else f"{described(element)}: {message}")


def described(element):
    """An element in a message: `joint "MCP" (line 74)`."""
    name = element.get("name") or element.get("point")
    line = f" (line {element.line})" if element.line else ""
    return f'{element.tag} "{name}"{line}' if name else f"{element.tag}{line}"
