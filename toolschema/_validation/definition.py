"""What a tool takes: its name, its schemas and how they are held to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING, Any, Generic

from toolschema._json.limits import SCHEMA_LIMITS, Limits
from toolschema._json.plain import NOT_PLAIN, plain, value_findings
from toolschema._json.pointer import Token, join
from toolschema._schema.document import Node, Origin
from toolschema._schema.resources import BASE, Resources, Source, resource_uri
from toolschema._validation.compiled import Compiled, compile_schema
from toolschema._validation.fast import Fast
from toolschema._validation.presentation import Presentation
from toolschema.errors import SchemaFault, ToolSchemaError

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Args = TypeVar("Args", default=dict[str, Any])
else:
    from typing import TypeVar

    Args = TypeVar("Args")

_DERIVED = frozenset({"__weakref__", "_fast", "_presentation", "compiled"})


class ToolDefinition(Generic[Args]):
    """One tool: its name, what it does, and the schema of its arguments.

    Compiled when made; nothing that happens to *parameters* afterwards has any
    effect. Immutable, safe to share between threads; it pickles, copies and
    crosses `fork` and `spawn` by being compiled again.

    ``ToolDefinition[ReadArguments](...)`` with a `typing.TypedDict` gives the
    arguments a type where they come back; the dict itself is plain.

    Args:
        name: Not empty.
        description: What the tool does, for the model.
        parameters: JSON Schema of the arguments; 2020-12 unless ``$schema``
            names 2019-09 or draft-07. A root without ``type`` is fine.
        title: A name for people.
        output: JSON Schema of the result, in the same dialects.
        annotations: Hints about what it does, such as those of an MCP server.
            Never interpreted here.
        extra: What else is to be kept with the tool, such as its icons. The same.
        resources: Schemas that references may lead to, by URI; a relative one
            is beside the tool. Nothing else is ever looked up.
        limits: Bounds of every call.
        hide_undeclared_names: Whether issues hide property names that the
            schema does not declare, because they may be secret.

    Raises:
        ToolSchemaError: A schema cannot be used; it lists every fault.
        TypeError: An argument is of the wrong type.
        ValueError: *name* is empty.

    >>> tool = ToolDefinition("read", "Read a file.", {"required": ["path"]})
    >>> tool.parameters
    {'required': ['path']}
    """

    __slots__ = (
        "__weakref__",
        "_annotations",
        "_extra",
        "_fast",
        "_output",
        "_presentation",
        "compiled",
        "description",
        "hide_undeclared_names",
        "limits",
        "name",
        "source",
        "sources",
        "title",
    )  # fmt: skip

    name: str
    description: str
    title: str | None
    limits: Limits
    hide_undeclared_names: bool
    source: Source
    """The schema of the arguments as it was read. For tools that inspect schemas, as
    `compiled` is; neither is part of the stable interface."""
    compiled: Compiled
    """The compiled schema, and the survey of all it reaches."""
    _output: Source | None
    _annotations: str | None
    _extra: str | None
    sources: Resources
    """What references may lead to, as it was read."""
    _presentation: Presentation
    _fast: Fast

    def __init__(
        self,
        name: str,
        description: str,
        parameters: dict[str, Any],
        *,
        title: str | None = None,
        output: dict[str, Any] | None = None,
        annotations: dict[str, Any] | None = None,
        extra: dict[str, Any] | None = None,
        resources: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        hide_undeclared_names: bool = False,
    ) -> None:
        _check_text("name", name)
        if resources is not None and not isinstance(resources, Mapping):
            raise TypeError(f"resources must be a mapping, not {_kind(resources)}")
        for kept, value in (("annotations", annotations), ("extra", extra)):
            if value is not None and type(value) is not dict:
                raise TypeError(f"{kept} must be dict, not {_kind(value)}")
        label = f'tool "{name}"'
        schemas = [(BASE, label, parameters)]
        if output is not None:
            schemas.append((BASE, f"output of {label}", output))
        schemas.extend((_place(uri), uri, each) for uri, each in (resources or {}).items())
        written = _write(schemas)
        self._set(
            name=name,
            description=description,
            title=title,
            limits=Limits() if limits is None else limits,
            hide_undeclared_names=hide_undeclared_names,
            source=written[0],
            _output=written[1] if output is not None else None,
            _annotations=_json_text(f"annotations of {label}", annotations),
            _extra=_json_text(f"extra of {label}", extra),
            sources=Resources(written[1 if output is None else 2 :]),
        )

    @classmethod
    def _from_source(
        cls, source: Source, resources: Resources, **parts: Any
    ) -> ToolDefinition[Any]:
        """A definition whose schema has already been read."""
        definition = cls.__new__(cls)
        definition._set(source=source, sources=resources, **parts)
        return definition

    def _set(self, **parts: Any) -> None:
        _check_parts(parts)
        source, output = parts["source"], parts["_output"]
        most_text = parts["limits"].max_pattern_text
        compiled = compile_schema(source, parts["sources"], most_text)
        if output is not None:
            compile_schema(output, parts["sources"], most_text, for_arguments=False)
        presentation = Presentation(
            frozenset(compiled.survey.names),
            hides_undeclared=parts["hide_undeclared_names"],
            most=parts["limits"].max_issues,
        )
        fast = Fast(compiled, parts["limits"])
        derived = {"compiled": compiled, "_presentation": presentation, "_fast": fast}
        for name, value in {**parts, **derived}.items():
            object.__setattr__(self, name, value)

    @property
    def validator(self) -> Any:
        """The validator of python-jsonschema for the arguments, made with the definition.

        Its class is that of the schema's dialect (`jsonschema.Draft202012Validator`
        unless ``$schema`` says otherwise), extended so that both engines agree. Of a
        plain JSON value it gives the verdict of `validate_tool_arguments`; limits are
        not applied, the order is the schema's, and its errors hold the instance, as
        those of python-jsonschema do. Its ``schema`` is not to be changed.

        >>> from jsonschema.exceptions import best_match
        >>> tool = ToolDefinition("read", "Read a file.", {"required": ["path"]})
        >>> best_match(tool.validator.iter_errors({})).message
        'must have required properties path'
        """
        return self.compiled.validator

    @property
    def parameters(self) -> dict[str, Any]:
        """The schema of the arguments, as its author wrote it: a fresh copy."""
        schema: dict[str, Any] = json.loads(self.source.text)
        return schema

    @property
    def output(self) -> dict[str, Any] | None:
        """The schema of the result: a fresh copy."""
        return None if self._output is None else json.loads(self._output.text)

    @property
    def annotations(self) -> dict[str, Any] | None:
        """The hints about what it does: a fresh copy."""
        return None if self._annotations is None else json.loads(self._annotations)

    @property
    def extra(self) -> dict[str, Any] | None:
        """What else was kept with the tool: a fresh copy."""
        return None if self._extra is None else json.loads(self._extra)

    @property
    def resources(self) -> dict[str, Any]:
        """What references may lead to, by absolute URI: a fresh copy."""
        return {source.uri: json.loads(source.text) for source in self.sources.sources}

    def schema_fault(self, node: Node, message: str, *below: Token) -> SchemaFault:
        """What is wrong at a node of the survey, with the location in this tool's schema.

        Equal schemas are surveyed once, as the first one's.
        """
        is_own = node.origin == self.compiled.survey.root.origin
        origin = self.source.origin if is_own else node.origin
        return origin.fault(message, *node.location, *below)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def _parts(self) -> dict[str, Any]:
        return {
            name: getattr(self, name) for name in ToolDefinition.__slots__ if name not in _DERIVED
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self._parts())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ToolDefinition):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((self.name, self.source))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"


def _rebuild(cls: type[ToolDefinition[Any]], parts: dict[str, Any]) -> ToolDefinition[Any]:
    return cls._from_source(parts.pop("source"), parts.pop("sources"), **parts)


def _check_parts(parts: Mapping[str, Any]) -> None:
    _check_text("name", parts["name"])
    if not parts["name"]:
        raise ValueError("name must not be empty")
    _check_text("description", parts["description"])
    if parts["title"] is not None:
        _check_text("title", parts["title"])
    if not isinstance(parts["limits"], Limits):
        raise TypeError(f"limits must be Limits, not {_kind(parts['limits'])}")
    if not isinstance(parts["hide_undeclared_names"], bool):
        kind = _kind(parts["hide_undeclared_names"])
        raise TypeError(f"hide_undeclared_names must be bool, not {kind}")


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be str, not {_kind(value)}")


def _kind(value: object) -> str:
    return type(value).__name__


def _place(uri: object) -> str:
    if not isinstance(uri, str):
        raise TypeError(f"resources must be named by URIs, which are str, not {_kind(uri)}")
    try:
        return resource_uri(uri)
    except ValueError:
        fault = SchemaFault(uri, None, "the name of a resource must be a URI (RFC 3986)")
    raise ToolSchemaError([fault])


def _json_text(label: str, value: Any) -> str | None:
    return None if value is None else _write([("", label, value)])[0].text


def _write(schemas: list[tuple[str, str, Any]]) -> list[Source]:
    """Make sources of Python values, and name every part that is not JSON."""
    faults: list[SchemaFault] = []
    written: list[Source] = []
    for uri, label, schema in schemas:
        copy = plain(schema, SCHEMA_LIMITS)
        if copy is NOT_PLAIN:
            faults.extend(
                SchemaFault(label, join(finding.tokens), finding.about("a schema"))
                for finding in value_findings(schema, SCHEMA_LIMITS).found
            )
        else:
            written.append(Source(uri, Origin(label), json.dumps(copy)))
    if faults:
        raise ToolSchemaError(faults)
    return written
