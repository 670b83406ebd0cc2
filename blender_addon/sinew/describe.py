"""What the library says about its nodes, as plain data: panels, properties and bindings are made from it."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_int32
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import abi
from .values import error

if TYPE_CHECKING:
    from .library import Library

PORT_KINDS = {abi.SINEW_PORT_REALS: "reals", abi.SINEW_PORT_INTS: "ints", abi.SINEW_PORT_MESH: "mesh"}
PARAM_KINDS = {
    abi.SINEW_PARAM_BOOL: "bool",
    abi.SINEW_PARAM_INT: "int",
    abi.SINEW_PARAM_REAL: "real",
    abi.SINEW_PARAM_CHOICE: "choice",
    abi.SINEW_PARAM_TEXT: "text",
}


@dataclass(frozen=True)
class Port:
    """An input or output of a node; `kind` is "reals", "ints" or "mesh". `domain` is "vertex", "face", "corner" or
    "influence" (all of the body), "joint" or "free". `mesh` is the mesh to which its items belong, the body or another,
    and `element` what they are of it; both are empty for joints and for items of no mesh.

    Ports name others of the same direction by id, or nothing: `counted_by` says how many items each list has, if they
    come in lists, as the nodes of curves do; `radii` how thick each curve is; `between` has the items of the lists
    between whose neighbours these are. `index_of` is the word for what whole numbers number."""

    id: str
    title: str
    doc: str
    is_input: bool
    kind: str
    components: int
    required: bool
    paintable: bool
    default: float | None
    range: tuple[float, float] | None
    domain: str
    quantity: str
    at_rest: bool
    items: str
    unit: str
    whole: bool
    host_name: str
    mesh: str
    element: str
    group: str
    counted_by: str
    radii: str
    between: str
    index_of: str


@dataclass(frozen=True)
class NodeMesh:
    """A mesh of a node: the body, or one beside it. If the node makes it, `points`, `face_sizes` and `face_vertices`
    are the outputs that it is made of (see `Node.read_mesh`); otherwise they are empty."""

    id: str
    title: str
    doc: str
    points: str
    face_sizes: str
    face_vertices: str


@dataclass(frozen=True)
class Choice:
    """One of the values of a choice parameter."""

    id: str
    title: str
    doc: str


@dataclass(frozen=True)
class Param:
    """A parameter; `kind` is "bool", "int", "real", "choice" or "text"; `document` the type of the document that a text
    holds, or nothing. `default` is a number, for a choice or text a
    string. `shown_with` is the id of the choice parameter that decides whether this one applies (see `is_shown`); bit k
    of `shown_bits` stands for its choice k."""

    id: str
    title: str
    doc: str
    kind: str
    default: float | str
    minimum: float
    maximum: float
    soft_minimum: float
    soft_maximum: float
    step: float
    unit: str
    group: str
    choices: tuple[Choice, ...]
    shown_with: str
    shown_bits: int
    advanced: bool
    restarts: bool
    files: str
    quantity: str
    host_name: str
    animatable: bool
    is_file: bool
    document: str


@dataclass(frozen=True)
class NodeKind:
    """A node that the library has. Its number is permanent, for hosts whose files name types by numbers."""

    id: str
    number: int
    title: str
    doc: str
    stateful: bool
    meshes: tuple[NodeMesh, ...]
    ports: tuple[Port, ...]
    params: tuple[Param, ...]
    library: Library = field(repr=False, compare=False)

    @property
    def inputs(self) -> tuple[Port, ...]:
        """The input ports."""
        return tuple(port for port in self.ports if port.is_input)

    @property
    def outputs(self) -> tuple[Port, ...]:
        """The output ports."""
        return tuple(port for port in self.ports if not port.is_input)

    def input(self, name: str) -> Port:
        """An input port by its id."""
        return self._named(self.inputs, "input port", name)

    def output(self, name: str) -> Port:
        """An output port by its id."""
        return self._named(self.outputs, "output port", name)

    def param(self, name: str) -> Param:
        """A parameter by its id."""
        return self._named(self.params, "parameter", name)

    def mesh(self, name: str) -> NodeMesh:
        """A mesh by its id."""
        return self._named(self.meshes, "mesh", name)

    def affects(self, source: str, output: str) -> bool:
        """Whether an input or a parameter may change an output; if not, the output need not be computed anew."""
        found = c_int32()
        self.library.call("affects", self.id, source, output, byref(found))
        return bool(found.value)

    def _named(self, among, what, name):
        found = next((one for one in among if isinstance(name, str) and one.id == name), None)
        if found is None:
            message = f'node {self.id} has no {what} "{name}": it has {", ".join(one.id for one in among)}'
            raise error(message, abi.SINEW_NOT_FOUND)
        return found

    def port_groups(self, inputs: bool) -> dict[str, list[Port]]:
        """The inputs or the outputs under their headings, in the library's order."""
        found: dict[str, list[Port]] = {}
        for port in self.inputs if inputs else self.outputs:
            found.setdefault(port.group, []).append(port)
        return found

    def groups(self) -> dict[str, list[Param]]:
        """The parameters under their headings, in the library's order."""
        found: dict[str, list[Param]] = {}
        for param in self.params:
            found.setdefault(param.group, []).append(param)
        return found


def text(value: bytes | None) -> str:
    return value.decode("utf-8") if value else ""


def describe_all(library: Library) -> dict[str, NodeKind]:
    """Every node of the library: id -> NodeKind."""
    found = (describe(library, index) for index in range(library.raw.sinew_node_count()))
    return {node.id: node for node in found}


def describe(library: Library, index: int) -> NodeKind:
    """A node of the library by its number."""
    info = abi.SinewNodeInfo()
    library.call("node_info", index, byref(info))
    node_id = text(info.id)
    return NodeKind(
        id=node_id,
        number=info.number,
        title=text(info.title),
        doc=text(info.doc),
        stateful=bool(info.stateful),
        meshes=tuple(describe_mesh(library, node_id, k) for k in range(info.mesh_count)),
        ports=tuple(describe_port(library, node_id, k) for k in range(info.port_count)),
        params=tuple(describe_param(library, node_id, k) for k in range(info.param_count)),
        library=library,
    )


def describe_mesh(library: Library, node_id: str, index: int) -> NodeMesh:
    info = abi.SinewMeshInfo()
    library.call("mesh_info", node_id, index, byref(info))
    names = (info.id, info.title, info.doc, info.points, info.face_sizes, info.face_vertices)
    return NodeMesh(*map(text, names))


def describe_port(library: Library, node_id: str, index: int) -> Port:
    info = abi.SinewPortInfo()
    library.call("port_info", node_id, index, byref(info))
    return Port(
        id=text(info.id),
        title=text(info.title),
        doc=text(info.doc),
        is_input=info.direction == abi.SINEW_INPUT,
        kind=PORT_KINDS[info.kind],
        components=info.components,
        required=bool(info.required),
        paintable=bool(info.paintable),
        default=info.default_value if info.has_default else None,
        range=(info.minimum, info.maximum) if info.has_range else None,
        domain=text(info.domain),
        quantity=text(info.quantity),
        at_rest=bool(info.at_rest),
        items=text(info.items),
        unit=text(info.unit),
        whole=bool(info.whole),
        host_name=text(info.host_name),
        mesh=text(info.mesh),
        element=text(info.element),
        group=text(info.group),
        counted_by=text(info.counted_by),
        radii=text(info.radii),
        between=text(info.between),
        index_of=text(info.index_of),
    )


def describe_param(library: Library, node_id: str, index: int) -> Param:
    info = abi.SinewParamInfo()
    library.call("param_info", node_id, index, byref(info))
    kind = PARAM_KINDS[info.kind]
    return Param(
        id=text(info.id),
        title=text(info.title),
        doc=text(info.doc),
        kind=kind,
        default=text(info.default_text) if kind in ("choice", "text") else info.default_value,
        minimum=info.minimum,
        maximum=info.maximum,
        soft_minimum=info.soft_minimum,
        soft_maximum=info.soft_maximum,
        step=info.step,
        unit=text(info.unit),
        group=text(info.group),
        choices=tuple(describe_choice(library, node_id, index, k) for k in range(info.choice_count)),
        shown_with=text(info.shown_with),
        shown_bits=info.shown_choices,
        advanced=bool(info.advanced),
        restarts=bool(info.restarts),
        files=text(info.files),
        quantity=text(info.quantity),
        host_name=text(info.host_name),
        animatable=bool(info.animatable),
        is_file=bool(info.is_file),
        document=text(info.document),
    )


def describe_choice(library: Library, node_id: str, param_index: int, index: int) -> Choice:
    info = abi.SinewChoiceInfo()
    library.call("choice_info", node_id, param_index, index, byref(info))
    return Choice(id=text(info.id), title=text(info.title), doc=text(info.doc))


def is_shown(kind: NodeKind, param: Param, value_of: Callable[[str], str]) -> bool:
    """Whether a parameter applies at present; `value_of(id)` returns the value of a choice parameter."""
    if not param.shown_with:
        return True
    ids = [choice.id for choice in kind.param(param.shown_with).choices]
    return bool(param.shown_bits >> ids.index(value_of(param.shown_with)) & 1)
