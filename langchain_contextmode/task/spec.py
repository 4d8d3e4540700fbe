"""A task as the application declares it: typed fields, nodes in order, what depends on what, what tools bring."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any, NoReturn

from pydantic import BaseModel

from langchain_contextmode.errors import ConfigError
from langchain_contextmode.task.extract import check_dates_available
from langchain_contextmode.task.fields import field_of, several
from langchain_contextmode.task.types import FieldSpec, NodeSpec, ToolSource

if TYPE_CHECKING:
    from langchain_contextmode.task.reader import Reader
    from langchain_contextmode.task.types import FieldKind

Transition = Callable[[str, Mapping[str, Any]], str | None]
"""Node and values (JSON) to the next node's name; `None`: the first node that lacks a required field."""


@dataclass(frozen=True)
class TaskSpec:
    """A declared task; build it with `from_model`. Nothing in it changes.

    Attributes:
        name: What the job is called.
        goal: What it is for, in a sentence; shown on the board.
        fields: In the model's order.
        nodes: In the order in which they are passed.
        sources: Field name to the tool result that may fill it.
        repaired: Fields that are emptied when something they depend on changes; others become stale and are asked about.
        transition: The application's rule for the next node; `None`: by required fields.
    """

    name: str
    goal: str
    fields: tuple[FieldSpec, ...]
    nodes: tuple[NodeSpec, ...]
    sources: Mapping[str, ToolSource] = field(default_factory=dict)
    repaired: frozenset[str] = frozenset()
    transition: Transition | None = None
    _readers: Mapping[str, Reader] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_model(
        cls,
        model: type[BaseModel],
        *,
        nodes: Mapping[str, Sequence[str]] | Sequence[NodeSpec],
        name: str = "",
        goal: str = "",
        depends_on: Mapping[str, Sequence[str]] | None = None,
        sources: Mapping[str, ToolSource] | None = None,
        repaired: Sequence[str] = (),
        kinds: Mapping[str, FieldKind] | None = None,
        units: Mapping[str, str] | None = None,
        synonyms: Mapping[str, Mapping[Any, Sequence[str]] | Sequence[str]] | None = None,
        transition: Transition | None = None,
    ) -> TaskSpec:
        """Read the declaration off a Pydantic model.

        Types: `int`, `float`, `Decimal`, `str`, `bool`, `date`, `time`, `datetime`, `timedelta`, `Literal`, `Enum`, a list of these, each
        also optional. Constraints of `Field` (`ge`, `pattern`, ...) and field validators hold; validators of the whole model are not run,
        since a task is mostly incomplete. A list holds at most 50 items.

        Args:
            model: Its fields are the task's.
            nodes: Node name to the fields it requires, in order; or `NodeSpec`s, which carry tags as well.
            name: Empty: the model's name.
            goal: A sentence; empty: the model's docstring, if it has one of its own.
            depends_on: Field to the fields whose change makes it stale.
            sources: Field to a `ToolSource`.
            repaired: Dependent fields that a change empties at once, instead of asking.
            kinds: Field to its kind, where type and name do not say it (`money`, `people`).
            units: Field to its unit or currency.
            synonyms: Field to words that point at it; for a choice, value to the ways people say it.
            transition: Called with node and values after every message that changed something; its failure is in the report.

        Raises:
            ConfigError: The declaration contradicts itself; the message says where.
        """
        _check_model(model)
        _mapping("depends_on", depends_on or {})
        needed = {target: several(names) for target, names in (depends_on or {}).items()}
        built = _nodes(nodes)
        given: dict[str, Any] = {
            "kinds": kinds or {},
            "units": units or {},
            "synonyms": synonyms or {},
            "depends_on": needed,
            "sources": sources or {},
        }
        _check(model, built, given, several(repaired))
        if transition is not None and not callable(transition):
            _wrong(f"transition is a function of node and values, got {transition!r:.60}")
        fields, readers = _fields(model, given)
        own = (model.__doc__ or "").strip().splitlines()
        return cls(
            name or model.__name__,
            goal or (own[0] if own else ""),
            fields,
            built,
            dict(sources or {}),
            frozenset(several(repaired)),
            transition,
            readers,
        )

    def field(self, name: str) -> FieldSpec:
        """Return one field.

        Raises:
            ConfigError: There is no such field.
        """
        for spec in self.fields:
            if spec.name == name:
                return spec
        message = f"The task {self.name!r} has no field {name!r}. Fields: {', '.join(spec.name for spec in self.fields)}."
        raise ConfigError(message)

    @property
    def alike(self) -> tuple[tuple[str, ...], ...]:
        """Words that mean the same: of each field its declared synonyms and its name, of each choice how people say it."""
        fields = (
            spec.cues[: spec.cues.index(said) + 1] for spec in self.fields if (said := spec.name.replace("_", " ").lower()) in spec.cues
        )
        choices = (choice.names for spec in self.fields for choice in spec.choices)
        return tuple(group for group in (*fields, *choices) if len(group) > 1)

    def node(self, name: str) -> NodeSpec | None:
        """Return one node, or `None`."""
        return next((node for node in self.nodes if node.name == name), None)

    def read(self, name: str, raw: Any) -> tuple[Any, str]:
        """Return a field's value as JSON and an empty text, or `None` and why it cannot be this field's value."""
        return self._readers[name].read(raw)

    def read_item(self, name: str, raw: Any) -> tuple[Any, str]:
        """Do the same for one item of a list field."""
        return self._readers[name].read_item(raw)


def _fields(model: type[BaseModel], given: Mapping[str, Any]) -> tuple[tuple[FieldSpec, ...], dict[str, Reader]]:
    """Return the model's fields, and what reads a value of each."""
    pairs = {
        key: field_of(
            key,
            model,
            kind=given["kinds"].get(key),
            unit=given["units"].get(key, ""),
            words=given["synonyms"].get(key, ()),
            depends_on=given["depends_on"].get(key, ()),
        )
        for key in model.model_fields
    }
    if any(spec.kind in {"date", "datetime"} for spec, _ in pairs.values()):
        check_dates_available()
    return tuple(spec for spec, _ in pairs.values()), {key: reader for key, (_, reader) in pairs.items()}


def _nodes(nodes: Any) -> tuple[NodeSpec, ...]:
    if isinstance(nodes, Mapping):
        built = [NodeSpec(name, several(requires or ())) for name, requires in nodes.items()]
    elif isinstance(nodes, Sequence) and not isinstance(nodes, str):
        built = list(nodes)
    else:
        built = []
    if not built:
        _wrong("nodes names at least one node: {'collect': ['destination'], 'pay': []}")
    for node in built:
        if not isinstance(node, NodeSpec) or not isinstance(node.name, str) or not node.name.strip():
            _wrong(f"a node is a NodeSpec with a name, got {node!r:.60}")
    names = [node.name for node in built]
    if len(set(names)) != len(names):
        _wrong(f"two nodes share a name among {', '.join(names)}")
    return tuple(built)


def _check_model(model: Any) -> None:
    if not isinstance(model, type) or not issubclass(model, BaseModel):
        _wrong(f"the declaration of the fields is a Pydantic model, got {model!r:.60}")
    if not model.__pydantic_complete__ and not model.model_rebuild(raise_errors=False):
        _wrong(f"{model.__name__} has annotations that cannot be resolved; import their types at run time, or call model_rebuild()")


def _check(model: type[BaseModel], nodes: Sequence[NodeSpec], given: Mapping[str, Any], repaired: Sequence[str]) -> None:
    """Make sure that everything names fields of the model, and that no dependency is circular."""
    names = frozenset(model.model_fields)
    for what, used in given.items():
        _mapping(what, used)
        _known(what, used, names)
    for node in nodes:
        _known(f"node {node.name!r}", several(node.requires), names)
    for target, needed in given["depends_on"].items():
        _known(f"depends_on[{target!r}]", needed, names)
    _acyclic(given["depends_on"])
    for target in repaired:
        if target not in given["depends_on"]:
            _wrong(f"repaired names {target!r}, which depends on nothing")
    for target, source in given["sources"].items():
        if not isinstance(source, ToolSource) or not source.tool or not source.path:
            _wrong(f"sources[{target!r}] is a ToolSource(tool, path), got {source!r:.60}")


def _mapping(what: str, given: Any) -> None:
    if not isinstance(given, Mapping):
        _wrong(f"{what} is a mapping from field to what is said of it, got {given!r:.60}")


def _known(what: str, used: Any, names: frozenset[str]) -> None:
    for name in used:
        if name not in names:
            _wrong(f"{what} names {name!r}, which is no field of the model ({', '.join(sorted(names))})")


def _acyclic(depends_on: Mapping[str, Sequence[str]]) -> None:
    try:
        TopologicalSorter(depends_on).prepare()
    except CycleError as error:
        _wrong(f"depends_on goes round in a circle: {' -> '.join(map(str, error.args[1]))}")


def _wrong(why: str) -> NoReturn:
    message = f"TaskSpec: {why}."
    raise ConfigError(message)
