"""What a user is told when something does not work: one whole sentence that says what to do."""

from maya import cmds


class Problem(Exception):
    """An action cannot be done. Its text is shown as it is, so it is a sentence for the user."""


def sentence(error: BaseException) -> str:
    """The text of an error for the user.

    A command that fails raises a RuntimeError whose text is what the command displayed; Maya may append a line break.
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = lines[0] if lines else f"The command failed without a message ({type(error).__name__})."
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else text + "."


def batch() -> bool:
    """Whether Maya runs without a window, as mayapy and maya -batch do."""
    return bool(cmds.about(batch=True))


def tell(text: str) -> None:
    """Shows a sentence in the command line and in the view."""
    cmds.warning(text, noContext=True)
    if not batch():
        cmds.inViewMessage(assistMessage=text, position="midCenterTop", fade=True)


def inform(text: str) -> None:
    """Shows a sentence that is no failure."""
    print(text)
    if not batch():
        cmds.inViewMessage(assistMessage=text, position="midCenterTop", fade=True)
