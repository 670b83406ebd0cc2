"""What the library says about its nodes, as plain data: panels, properties and bindings are made from it."""

from ctypes import byref
from dataclasses import dataclass

from . import abi

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
    """An input or output of a node; `kind` is "reals", "ints" or "mesh", `domain` "vertex", "face", "corner", "joint",
    "influence" or "free"."""

    id: str
    title: str
    doc: str
    is_input: bool
    kind: str
    components: int
    required: bool
    paintable: bool
    default: float | None
    range: tuple | None
    domain: str
    quantity: str
    at_rest: bool
    items: str
    unit: str
    whole: bool


@dataclass(frozen=True)
class Choice:
    """One of the values of a choice parameter."""

    id: str
    title: str
    doc: str


@dataclass(frozen=True)
class Param:
    """A parameter; `kind` is "bool", "int", "real", "choice" or "text". `default` is a number, for a choice or text a string.
    `shown_with` is the id of the choice parameter that decides whether this one applies (see `is_shown`); bit k of
    `shown_bits` stands for its choice k."""

    id: str
    title: str
    doc: str
    kind: str
    default: object
    minimum: float
    maximum: float
    soft_minimum: float
    soft_maximum: float
    step: float
    unit: str
    group: str
    choices: tuple
    shown_with: str
    shown_bits: int
    advanced: bool
    restarts: bool
    files: str


@dataclass(frozen=True)
class NodeKind:
    """A node that the library has."""

    id: str
    title: str
    doc: str
    stateful: bool
    ports: tuple
    params: tuple

    @property
    def inputs(self):
        return tuple(port for port in self.ports if port.is_input)

    @property
    def outputs(self):
        return tuple(port for port in self.ports if not port.is_input)

    def input(self, name):
        return next(port for port in self.inputs if port.id == name)

    def output(self, name):
        return next(port for port in self.outputs if port.id == name)

    def param(self, name):
        return next(param for param in self.params if param.id == name)

    def groups(self):
        """The parameters under their headings, in the library's order."""
        found = {}
        for param in self.params:
            found.setdefault(param.group, []).append(param)
        return found


def text(value):
    return value.decode("utf-8") if value else ""


def describe_all(library):
    """Every node of the library: id -> NodeKind."""
    found = (describe(library, index) for index in range(library.raw.sinew_node_count()))
    return {node.id: node for node in found}


def describe(library, index):
    info = abi.SinewNodeInfo()
    library.call("node_info", index, byref(info))
    params = {}
    for k in range(info.param_count):
        param = describe_param(library, info.id, k)
        params[param.id] = param
    return NodeKind(
        id=text(info.id),
        title=text(info.title),
        doc=text(info.doc),
        stateful=bool(info.stateful),
        ports=tuple(describe_port(library, info.id, k) for k in range(info.port_count)),
        params=tuple(params.values()),
    )


def describe_port(library, node_id, index):
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
    )


def describe_param(library, node_id, index):
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
    )


def describe_choice(library, node_id, param_index, index):
    info = abi.SinewChoiceInfo()
    library.call("choice_info", node_id, param_index, index, byref(info))
    return Choice(id=text(info.id), title=text(info.title), doc=text(info.doc))


def is_shown(kind, param, value_of):
    """Whether a parameter applies at present; `value_of(id)` returns the value of a choice parameter."""
    if not param.shown_with:
        return True
    ids = [choice.id for choice in kind.param(param.shown_with).choices]
    return bool(param.shown_bits >> ids.index(value_of(param.shown_with)) & 1)
