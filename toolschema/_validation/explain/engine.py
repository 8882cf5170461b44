"""Why an instance is not valid: the classes of python-jsonschema, extended.

They walk the schema and know where they are. Three things differ from the stock
classes, all through `jsonschema.validators.extend`:

* what a keyword decides about one value is asked of the verdict engine, so the
  two cannot disagree about patterns, numbers, equality or formats;
* a subschema is only entered where the verdict engine says that it fails, so
  an explanation costs what is wrong and not what is there;
* the sentence of an error is ours and holds no part of the instance.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterable
from functools import cache
from typing import Any

from referencing import Registry, Resource

from toolschema._json.findings import Finding, Findings
from toolschema._json.pointer import Token
from toolschema._json.stack import with_a_deep_stack
from toolschema._schema.dialect import Dialect, Schema
from toolschema._validation.explain.context import (
    UNDER_WAY,
    DeferredError,
    Errors,
    Explanation,
    Facts,
    KeywordError,
    SpentError,
)
from toolschema._validation.explain.keywords import KEYWORDS
from toolschema._validation.explain.stock import (
    Draft7Validator,
    Draft201909Validator,
    Draft202012Validator,
    ValidationError,
    extend,
    validates,
)
from toolschema._validation.messages import FALSE, UNSATISFIED

Tokens = tuple[Token, ...]

_LOG = logging.getLogger("toolschema")
_STOCK: dict[str, Any] = {
    "2020-12": Draft202012Validator,
    "2019-09": Draft201909Validator,
    "draft-07": Draft7Validator,
}


@cache
def reference_class(dialect: Dialect) -> Any:
    """The class of *dialect*, extended."""
    extended = extend(_STOCK[dialect.name], KEYWORDS[dialect.name])
    extended.__name__ = extended.__qualname__ = _STOCK[dialect.name].__name__
    return extended


@cache
def own_dialect_uri(dialect: Dialect) -> str:
    """A ``$schema`` that leads jsonschema to our class of *dialect*.

    Only private copies of schemas in several dialects declare it: a validator
    chooses its class again at every subschema that has a ``$schema``.
    """
    uri = f"https://toolschema.invalid/dialect/{dialect.name}"
    registered = extend(_STOCK[dialect.name], KEYWORDS[dialect.name])
    registered.META_SCHEMA = {**registered.META_SCHEMA, "$id": uri}
    validates(f"toolschema {dialect.name}")(registered)
    return uri


def reference_validator(
    dialect: Dialect,
    schema: Schema,
    resources: Iterable[tuple[str, Schema, Dialect]],
    facts: Facts,
) -> Any:
    """The validator that explains; it is made once for each definition."""
    pairs: list[tuple[str, Resource[Schema]]] = [
        (uri, own.specification.create_resource(contents)) for uri, contents, own in resources
    ]
    registry: Registry[Schema] = Registry().with_resources(pairs)
    if facts.survey.is_dynamic:
        # jsonschema puts its own metaschemas beside these; without this their
        # anchors would come first, and with them its own class and sentences.
        registry = registry.crawl()
    return reference_class(dialect)(schema, registry=registry, format_checker=facts)


def explain(
    validator: Any, instance: Any, steps: int, *, is_large: bool = False, asks_first: bool = True
) -> Findings:
    """Find what is wrong with *instance*.

    Without *asks_first* everything is walked, so that the answer depends on the
    verdict engine only for what a single keyword decides.

    Raises:
        RecursionError: The caller is so deep in the stack that a thread of its
            own would get further.
    """
    facts: Facts = validator.format_checker
    explanation = Explanation(facts, steps, is_large=is_large, asks_first=asks_first)
    if explanation.is_dynamic or not asks_first:
        # These are walked to the end in one go, and need the stack for it.
        found = with_a_deep_stack(lambda: collect(validator, instance, explanation, is_deep=True))
    else:
        found = collect(validator, instance, explanation, is_deep=False)
    return Findings(found, is_complete=not explanation.is_cut)


def collect(
    validator: Any, instance: Any, explanation: Explanation, *, is_deep: bool
) -> list[Finding]:
    """Make findings of the errors of *instance*, whatever comes between."""
    found: list[Finding] = []
    token = UNDER_WAY.set(explanation)
    try:
        _follow(validator.iter_errors(instance), explanation, found)
    except SpentError:
        pass
    except RecursionError:
        if not is_deep:
            raise
        explanation.is_cut = True
    except Exception as error:  # noqa: BLE001 - a refusal is the only safe answer
        _LOG.error("a call could not be explained: %s", type(error).__name__)
        found.clear()
    except BaseException as error:
        # rpds, below `referencing`, turns an exhausted stack into this, which
        # is not an `Exception`.
        if type(error).__name__ != "PanicException":
            raise
        explanation.is_cut = True
    finally:
        UNDER_WAY.reset(token)
    return found


def _follow(errors: Errors, explanation: Explanation, found: list[Finding]) -> None:
    todo: deque[tuple[Errors, Tokens, Tokens, str]] = deque([(errors, (), (), "")])
    while todo:
        errors, path, schema_path, prefix = todo.popleft()
        for error in errors:
            tokens = *path, *error.absolute_path
            keyword_tokens = *schema_path, *error.absolute_schema_path
            error.message = prefix + error.message
            if isinstance(error, DeferredError):
                todo.append((error.errors(), tokens, keyword_tokens, error.message))
                continue
            found.append(_finding(error, tokens, keyword_tokens))
            explanation.spend(1)


def _finding(error: ValidationError, tokens: Tokens, keyword_tokens: Tokens) -> Finding:
    if error.schema is False:
        return Finding(FALSE, "false", tokens, keyword_tokens)
    if not isinstance(error, KeywordError):
        # A sentence of another class may hold the instance.
        _LOG.error("an error that is not ours was found")
        return Finding(UNSATISFIED, "@disagreement", tokens, keyword_tokens)
    keyword = str(error.validator or "false")
    return Finding(error.message, keyword, tokens, keyword_tokens, error.params)
