"""Sinew from Python: sliding skin, tendons and muscles on finished animation, with numpy arrays in and out.

    import sinew

    with sinew.Node("skin_slider", metres_per_unit=0.01) as node:  # centimetres, y up
        node.set_input("rest", sinew.Mesh(points, face_sizes, corner_vertices, uvs))
        node.set_param("proxy_triangles", 2000)
        for frame in range(1, 25):
            node.set_input("points", animated[frame])
            node.step(frame, frame / 24)
            slid = node.read("uvs")

`nodes()` describes every node with its ports and parameters: `nodes()["skin_slider"].inputs`. Unit and up axis are
given once, when a node, a document or a rig is made; without them they are metres with y up. Nothing moves the mesh
that is passed: outputs are arrays of their own.

Whatever is wrong with a number, a text, an array or a file, or goes wrong in a computation, is a `sinew.Error`, whose
message names node, port, frame and vertex, and which has them as attributes. No value is wrapped, cut off or filled up
to fit. What is of another class altogether, such as a list in place of a name or a `Rig`, may be a TypeError,
ValueError or AttributeError of Python.

Strand scenes and muscle sets are documents (`Document`), and their elements (`Element`) are always as the document is;
`MuscleSet` fits, mirrors and sculpts muscles on a `Rig`. Nodes, documents and sets take `threads`, `on_progress(done,
task)`, which stops a computation by returning True, and `on_log(level, message)`; `cancel` stops it from another
thread.

    report = sinew.run_job("shot/job.xml", settings={"young": 2e5}, on_log=lambda level, text: print(text))

runs a job as the program does (`sinew run`), and resumes it if it was interrupted.
"""

from .abi import SINEW_UP_Y as UP_Y
from .abi import SINEW_UP_Z as UP_Z
from .describe import Choice, NodeKind, NodeMesh, Param, Port
from .document import Document, Element, Fault, other_side, rod_inertia, starting_numbers
from .job import Job, run_job
from .library import Library, default_library
from .loader import Error, LibraryError
from .muscles import MuscleSet, Physique, Rig, joined, physiques
from .node import Mesh, Node
from .schema import Attribute, ElementKind
from .schema import describe as document_kind

__all__ = [
    "Attribute",
    "Choice",
    "Document",
    "Element",
    "ElementKind",
    "Error",
    "Fault",
    "Job",
    "Library",
    "LibraryError",
    "Mesh",
    "MuscleSet",
    "Node",
    "NodeKind",
    "NodeMesh",
    "Param",
    "Physique",
    "Port",
    "Rig",
    "UP_Y",
    "UP_Z",
    "default_library",
    "document_kind",
    "joined",
    "nodes",
    "other_side",
    "physiques",
    "rod_inertia",
    "run_job",
    "starting_numbers",
    "version",
]

# In tracebacks they are called what users catch.
Error.__module__ = LibraryError.__module__ = __name__


def nodes() -> dict[str, NodeKind]:
    """Every node that the library has, by id, with its ports and parameters."""
    return default_library().kinds


def version() -> str:
    """The library's release."""
    return default_library().release
