"""Compare this library with its peers: JSON text in, a validated value out.

    python benchmarks/peers.py

For every workload it prints the median time of one call with valid text and with
invalid text, and the ratio to `parse_tool_arguments`. Then it tests what every peer
does and does not do. Before a peer is timed, it must prove that it does the work.
The peers in Node are measured where `npm ci --prefix tests/node` was run.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

try:
    import fastjsonschema
    import jsonschema
    import jsonschema_rs
    import msgspec
    import orjson
    import pydantic
    from measure import Case, duration, measure
    from workloads import DATE, INTEGER, WORKLOADS, Kind, Workload, record

    from toolschema import (
        ToolArgumentsValidationError,
        ToolDefinition,
        check_tool_arguments,
        parse_tool_arguments,
        validate_tool_arguments,
    )
except ModuleNotFoundError as missing:
    sys.exit(f"{missing.name} is not installed; pip install -e '.[bench]'")

ROOT = Path(__file__).parent.parent
PARSE = "parse_tool_arguments"
FAILING = ", failing"
PYDANTIC = "pydantic, TypedDict"
MODEL = "pydantic, model"
PER_CALL = "jsonschema.validate per call"
TYPEBOX = "TypeBox, compiling per call"
NODE_IS_MISSING = "the rows of Node are left out; it takes Node and: npm ci --prefix tests/node"
NOTES = """\
The rows of TypeBox and Ajv are measured by Node in a process of their own, right
after the other rows of the workload; their ratios are of medians, the others of
calls in the same round. validate_tool_arguments is given the decoded value, where
a name that was there twice is lost already. fastjsonschema reads the same schema as
draft-07. pydantic and msgspec read types: typed dicts, so that a dict comes out, and
for pydantic a model, too; for the union msgspec takes structs, which are then made a
dict. Both give floats for numbers and, in the booking, a date for its text; msgspec
drops undeclared names, which the schemas let through. With the failing text each
lists what it finds, which is more or less: in the union, some only say that no branch
fits, some list what every branch asks for.
"""


@dataclass(frozen=True, slots=True)
class Peer:
    """A validator for one workload."""

    accept: Callable[[Any], object]
    """What was checked; or only whether it is valid, where that is all there is."""
    report: Callable[[Any], Sequence[object]]
    """What is wrong."""
    prepare: Callable[[str], object] = str
    """What is done to the text before the time is taken."""


@dataclass(frozen=True, slots=True)
class Observed:
    """The result of a peer for one text."""

    errors: int
    value: object


def refusing(
    accept: Callable[[Any], object],
    refusal: type[Exception],
    errors: Callable[[Any], Sequence[object]] = lambda error: [error],
    prepare: Callable[[str], object] = str,
) -> Peer:
    """A peer that raises an exception with the errors."""

    def report(given: Any) -> Sequence[object]:
        try:
            accept(given)
        except refusal as error:
            return errors(error)
        return ()

    return Peer(accept, report, prepare)


def in_the_kind(kind: Kind) -> ToolDefinition[Any]:
    return ToolDefinition("tool", "What is timed.", kind.schema)


def of_parse(kind: Kind) -> Peer:
    accept = partial(parse_tool_arguments, in_the_kind(kind))
    return refusing(accept, ToolArgumentsValidationError, attrgetter("issues"))


def of_validate(kind: Kind) -> Peer:
    accept = partial(validate_tool_arguments, in_the_kind(kind))
    return refusing(accept, ToolArgumentsValidationError, attrgetter("issues"), json.loads)


def of_check(kind: Kind) -> Peer:
    report = partial(check_tool_arguments, in_the_kind(kind))
    return Peer(lambda text: not report(text), report)


def of_jsonschema(kind: Kind) -> Peer:
    engine = jsonschema.Draft202012Validator
    validator = engine(kind.schema, format_checker=engine.FORMAT_CHECKER)

    def accept(text: str) -> object:
        value = json.loads(text)
        return None if list(validator.iter_errors(value)) else value

    return Peer(accept, lambda text: list(validator.iter_errors(json.loads(text))))


def of_jsonschema_per_call(kind: Kind) -> Peer:
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER

    def accept(text: str) -> object:
        value = json.loads(text)
        jsonschema.validate(value, kind.schema, format_checker=checker)
        return value

    return refusing(accept, jsonschema.ValidationError)


def of_jsonschema_rs(kind: Kind) -> Peer:
    engine = jsonschema_rs.Draft202012Validator(kind.schema, validate_formats=True, offline=True)

    def accept(text: str) -> object:
        value = orjson.loads(text)
        return value if engine.is_valid(value) else None

    return Peer(accept, lambda text: list(engine.iter_errors(orjson.loads(text))))


def of_fastjsonschema(kind: Kind) -> Peer:
    draft_07 = {**kind.schema, "$schema": "http://json-schema.org/draft-07/schema#"}
    check = fastjsonschema.compile(draft_07)
    return refusing(lambda text: check(orjson.loads(text)), fastjsonschema.JsonSchemaException)


def of_pydantic(kind: Kind) -> Peer | None:
    if kind.type is None:
        return None
    # The types themselves are strict; asking for it in every call takes as long.
    accept = pydantic.TypeAdapter(kind.type).validate_json
    return refusing(accept, pydantic.ValidationError, lambda error: error.errors(include_url=False))


def of_pydantic_model(kind: Kind) -> Peer | None:
    """The usual way to use pydantic: the result is an instance of a class."""
    return of_pydantic(replace(kind, type=kind.model))


def of_msgspec(kind: Kind) -> Peer | None:
    if kind.type is None:
        return None
    # A decoder made once is several times faster than `msgspec.json.decode`.
    decode = msgspec.json.Decoder(kind.struct or kind.type, strict=True).decode
    if kind.struct is None:
        return refusing(decode, msgspec.ValidationError)
    return refusing(lambda text: msgspec.to_builtins(decode(text)), msgspec.ValidationError)


PEERS: Mapping[str, Callable[[Kind], Peer | None]] = {
    PARSE: of_parse,
    "validate_tool_arguments": of_validate,
    "check_tool_arguments": of_check,
    "json + jsonschema, cached": of_jsonschema,
    PER_CALL: of_jsonschema_per_call,
    "orjson + jsonschema-rs": of_jsonschema_rs,
    "orjson + fastjsonschema": of_fastjsonschema,
    MODEL: of_pydantic_model,
    PYDANTIC: of_pydantic,
    "msgspec, TypedDict": of_msgspec,
}
"""Each gives nothing for a schema that no type stands for, if types are all it reads."""


@dataclass(frozen=True, slots=True)
class Node:
    """The Node executable, and the folder with the packages."""

    program: str
    folder: Path

    def ask(self, request: Mapping[str, Any]) -> Any:
        source = (ROOT / "benchmarks" / "peers.mjs").read_text(encoding="utf-8")
        ended = subprocess.run(
            [self.program, "--input-type=module", "--eval", source],
            cwd=self.folder,
            input=json.dumps(request),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if ended.returncode:
            sys.exit(f"Node: {ended.stderr}")
        return json.loads(ended.stdout)


def find_node() -> Node | None:
    """Node with the pinned packages, if the tests or the user installed them."""
    program = shutil.which("node")
    pinned = json.loads((ROOT / "tests" / "node" / "package.json").read_bytes())["dependencies"]
    for folder in (ROOT / ".cache" / "node", ROOT / "tests" / "node"):
        if program and all(version_of(folder, name) == pinned[name] for name in pinned):
            return Node(program, folder)
    return None


def version_of(folder: Path, package: str) -> str | None:
    described = folder / "node_modules" / package / "package.json"
    return json.loads(described.read_bytes())["version"] if described.exists() else None


def prove(name: str, peer: Peer, workload: Workload) -> None:
    """Stop unless the peer accepts the valid text and refuses the invalid one."""
    good, bad = peer.prepare(workload.valid), peer.prepare(workload.failing)
    if peer.report(good):
        sys.exit(f"{name} finds something wrong with the valid text")
    value = peer.accept(good)
    plain = json.loads(json.dumps(value, default=as_written))
    if value is not True and plain != json.loads(workload.valid):
        sys.exit(f"{name} does not give back the valid text")
    if not peer.report(bad):
        sys.exit(f"{name} finds nothing wrong with the failing text")


def as_written(value: Any) -> object:
    """Turn models into their fields and dates into strings."""
    is_model = isinstance(value, pydantic.BaseModel)
    return value.model_dump(exclude_unset=True) if is_model else str(value)


@dataclass(frozen=True, slots=True)
class Row:
    """Seconds per call, and the ratios to `parse_tool_arguments`."""

    valid: float
    valid_ratio: float
    failing: float
    failing_ratio: float

    def cells(self) -> list[str]:
        valid = [duration(self.valid), shown(self.valid_ratio)]
        return [*valid, duration(self.failing), shown(self.failing_ratio)]


def shown(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 100 else f"{ratio:,.0f}"


def rows_of(workload: Workload, rounds: int, slice_seconds: float) -> dict[str, Row]:
    cases: dict[str, Case] = {}
    for name, make in PEERS.items():
        peer = make(workload.kind)
        assert peer is not None, "workloads have types"
        prove(name, peer, workload)
        cases[name] = partial(peer.accept, peer.prepare(workload.valid))
        cases[name + FAILING] = partial(peer.report, peer.prepare(workload.failing))
    timed = measure(cases, rounds=rounds, slice_seconds=slice_seconds)
    return {
        name: Row(
            timed[name].median,
            timed[name].ratio(timed[PARSE]),
            timed[name + FAILING].median,
            timed[name + FAILING].ratio(timed[PARSE + FAILING]),
        )
        for name in PEERS
    }


def rows_of_node(
    node: Node, workload: Workload, rounds: int, slice_seconds: float, ours: Row
) -> dict[str, Row]:
    request = {
        "schema": workload.kind.schema,
        "valid": workload.valid,
        "failing": workload.failing,
        "rounds": rounds,
        "slice": slice_seconds,
    }
    rows = {}
    for name, nanoseconds in node.ask(request).items():
        valid, failing = nanoseconds["valid"] / 1e9, nanoseconds["failing"] / 1e9
        rows[name] = Row(valid, valid / ours.valid, failing, failing / ours.failing)
    return rows


@dataclass(frozen=True, slots=True)
class Probe:
    """Text that shows whether a peer has a feature."""

    kind: Kind
    text: str
    shows: Callable[[Observed], bool]


def refused(seen: Observed) -> bool:
    return seen.errors > 0


def is_exact(seen: Observed) -> bool:
    value = seen.value["a"] if isinstance(seen.value, dict) else getattr(seen.value, "a", None)
    return type(value) is int and value == 2**70


ONE = record("One", {"a": INTEGER})
PROBES = {
    "all errors": Probe(
        record("Two", {"a": INTEGER, "b": INTEGER}),
        '{"a": "x", "b": "y"}',
        lambda seen: seen.errors >= 2,
    ),
    "dict out": Probe(ONE, '{"a": 1}', lambda seen: type(seen.value) is dict),
    "formats": Probe(record("Day", {"a": DATE}), '{"a": "2031-02-30"}', refused),
    "exact integers": Probe(ONE, json.dumps({"a": 2**70}), is_exact),
    "duplicate keys": Probe(ONE, '{"a": 1, "a": 2}', refused),
    "2020-12": Probe(
        Kind({"properties": {"a": {"prefixItems": [{"type": "integer"}]}}}), '{"a": ["x"]}', refused
    ),
}


def observed(peer: Peer, text: str) -> Observed:
    given = peer.prepare(text)
    errors = len(peer.report(given))
    return Observed(errors, None if errors else peer.accept(given))


def said(probe: Probe, seen: Observed) -> str:
    if probe.shows is is_exact and seen.value is True:
        return "no value"
    return "yes" if probe.shows(seen) else "no"


def answer(probe: Probe, make: Callable[[Kind], Peer | None]) -> str:
    peer = make(probe.kind)
    return "no schema" if peer is None else said(probe, observed(peer, probe.text))


def probed() -> list[list[str]]:
    return [
        [name, *(answer(probe, make) for probe in PROBES.values())] for name, make in PEERS.items()
    ]


def probed_in_node(node: Node) -> list[list[str]]:
    texts = {
        name: {"schema": probe.kind.schema, "text": probe.text} for name, probe in PROBES.items()
    }
    return [
        [name, *(said(PROBES[each], from_node(seen[each])) for each in PROBES)]
        for name, seen in node.ask({"probes": texts}).items()
    ]


def from_node(seen: Mapping[str, Any]) -> Observed:
    """Read what Node wrote back, so that a rounded number is noticed."""
    return Observed(seen["errors"], seen["value"] and json.loads(seen["value"]))


def bars(read: Mapping[str, Row]) -> list[list[str]]:
    """Those ratios of the smallest call that have a bar."""
    typebox = shown(read[TYPEBOX].valid_ratio) if TYPEBOX in read else "not measured"
    to_model, to_dict = (shown(1 / read[name].valid_ratio) for name in (MODEL, PYDANTIC))
    per_call = shown(read[PER_CALL].valid_ratio)
    article = "article's TypeScript (TypeBox, compiling per call) to parse, read"
    return [
        ["parse to pydantic strict validate_json, model, read", to_model, "< 1 is faster"],
        ["parse to pydantic strict validate_json, TypedDict, read", to_dict, "< 1 is faster"],
        [article, typebox, ">= 15"],
        ["jsonschema.validate per call to parse, read", per_call, ">= 500"],
    ]


def in_columns(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            each.rjust(width) if place else each.ljust(width)
            for place, (each, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def in_markdown(rows: Sequence[Sequence[str]]) -> str:
    rule = ["---", *["---:"] * (len(rows[0]) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:]))


def show(title: str, rows: Sequence[Sequence[str]], *, markdown: bool) -> None:
    print(f"### {title}\n\n{in_markdown(rows)}\n" if markdown else f"{title}\n{in_columns(rows)}\n")
    sys.stdout.flush()


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--slice", type=float, default=0.005, help="seconds per case and round")
    parser.add_argument("--workload", choices=WORKLOADS, help="only this one")
    parser.add_argument("--no-node", action="store_true", help="skip TypeBox and Ajv")
    parser.add_argument("--markdown", action="store_true", help="tables as GitHub shows them")
    return parser.parse_args()


def main() -> int:
    arguments = options()
    node = None if arguments.no_node else find_node()
    if node is None and not arguments.no_node:
        print(NODE_IS_MISSING, file=sys.stderr)
    pace = (arguments.rounds, arguments.slice)
    print_table = partial(show, markdown=arguments.markdown)
    read: dict[str, Row] = {}
    head = ["median of one call", "valid", "ratio", "failing", "ratio"]
    for name in [arguments.workload] if arguments.workload else WORKLOADS:
        workload = WORKLOADS[name]()
        rows = rows_of(workload, *pace)
        if node:
            rows |= rows_of_node(node, workload, *pace, rows[PARSE])
        table = [head, *([each, *row.cells()] for each, row in rows.items())]
        print_table(f"{name}, {len(workload.valid):,} bytes", table)
        if name == "read":
            read = rows
    in_node = probed_in_node(node) if node else []
    print_table("what a peer does not do", [["peer", *PROBES], *probed(), *in_node])
    print(NOTES)
    if read:
        print_table("bars", [["ratio", "is", "bar"], *bars(read)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
