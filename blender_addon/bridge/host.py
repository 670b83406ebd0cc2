"""The library, loaded once, with the descriptions of its nodes; or the reason why it could not be loaded."""

from functools import cache

from ..sinew import schema
from ..sinew.library import Library
from ..sinew.loader import LibraryError, find

_library = None
_kinds = {}
_problem = ""


def library():
    return _library


def kinds():
    """Every node that the library has, by id; none without a library."""
    return _kinds


@cache
def document_kind(kind):
    """The elements of a type of document, such as strand_scene, as the library describes them."""
    return schema.describe(kind, library=_library)


def problem():
    """Why there is no library, in words for the user; empty when all is well."""
    return _problem


def register():
    global _library, _kinds, _problem
    document_kind.cache_clear()
    try:
        _library = Library(find())
        _kinds, _problem = _library.kinds, ""
    except LibraryError as error:
        _library, _kinds, _problem = None, {}, str(error)
        print(f"Sinew cannot start: {error}")


def unregister():
    global _library, _kinds
    _library, _kinds = None, {}
