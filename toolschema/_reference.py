"""Why an instance is not valid, as the classes of python-jsonschema find it.

They walk the schema and know where they are; three things are done otherwise
than there, all through `jsonschema.validators.extend`:

* what a keyword decides about one value is asked of the verdict engine, so the
  two cannot disagree about patterns, numbers, equality or formats;
* a subschema is only entered where the verdict engine says that it fails, so
  an explanation costs what is wrong and not what is there;
* an error carries our own sentence and never a part of the instance.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from jsonschema import Draft7Validator, Draft201909Validator, Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend, validates
from referencing import Registry, Resource

from toolschema._dialect import Dialect, Schema
from toolschema._explanation import Explanation, Facts, Spent, Told
from toolschema._finding import Finding, Findings
from toolschema._keywords import KEYWORDS, LEAVES

_STOCK: dict[str, Any] = {
    "2020-12": Draft202012Validator,
    "2019-09": Draft201909Validator,
    "draft-07": Draft7Validator,
}


@cache
def reference_class(dialect: Dialect) -> Any:
    """The class of *dialect*, extended."""
    return extend(_STOCK[dialect.name], KEYWORDS[dialect.name])


@cache
def own_dialect_uri(dialect: Dialect) -> str:
    """A ``$schema`` that leads jsonschema to our class of *dialect*.

    Only private copies of schemas in several dialects say it: a validator
    looks for its class anew at every subschema that has a ``$schema``.
    """
    uri = f"https://toolschema.invalid/dialect/{dialect.name}"
    registered = extend(_STOCK[dialect.name], KEYWORDS[dialect.name])
    registered.META_SCHEMA = {**registered.META_SCHEMA, "$id": uri}
    validates(f"toolschema {dialect.name}")(registered)
    return uri


def reference_validator(
    dialect: Dialect, schema: Schema, resources: Iterable[tuple[str, Schema, Dialect]]
) -> Any:
    """The validator that explains; it is to be kept with the definition."""
    pairs: list[tuple[str, Resource[Schema]]] = [
        (uri, each.specification.create_resource(contents)) for uri, contents, each in resources
    ]
    registry: Registry[Schema] = Registry().with_resources(pairs)
    return reference_class(dialect)(schema, registry=registry)


def explain(validator: Any, instance: Any, facts: Facts, steps: int) -> tuple[Findings, bool]:
    """Find what is wrong with *instance*; also whether a search was given up."""
    explanation = Explanation(facts, steps)
    found: list[Finding] = []
    try:
        for error in validator.evolve(format_checker=explanation).iter_errors(instance):
            found.append(_finding(error))
            explanation.spend(1)
    except Spent:
        pass
    except RecursionError:
        explanation.is_cut = True
    except BaseException as error:
        # rpds, below `referencing`, turns an exhausted stack into this, which
        # is not an `Exception`.
        if type(error).__name__ != "PanicException":
            raise
        explanation.is_cut = True
    return Findings(found, is_complete=not explanation.is_cut), explanation.exceeded


def _finding(error: ValidationError) -> Finding:
    keyword = str(error.validator or "false")
    value = error.validator_value
    params = value.params if isinstance(value, Told) else {}
    if keyword in LEAVES:
        params = {keyword: value}
    return Finding(
        error.message,
        keyword,
        tuple(error.absolute_path),
        tuple(error.absolute_schema_path),
        params,
    )
