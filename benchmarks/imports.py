"""The cost of `import toolschema`, compared with the packages it imports.

    python benchmarks/imports.py

Every import is timed in a fresh interpreter, in interleaved rounds. Where the
format extras of jsonschema are installed, importing jsonschema alone costs a
second or more, and `import toolschema` does not.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile

from measure import Timed, duration

STATEMENTS = {
    "jsonschema, jsonschema_rs, orjson": "import jsonschema, jsonschema_rs, orjson",
    "jsonschema": "import jsonschema",
    "jsonschema_rs": "import jsonschema_rs",
    "orjson": "import orjson",
    "jiter": "import jiter",
    "toolschema": "import toolschema",
}
ALL = next(iter(STATEMENTS))


def seconds(statement: str, cache: str) -> float:
    code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, env=environment
    )
    return float(done.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    taken: dict[str, list[float]] = {name: [] for name in STATEMENTS}
    with tempfile.TemporaryDirectory() as cache:
        for statement in STATEMENTS.values():
            seconds(statement, cache)  # writes Python's cache of compiled modules
        for _ in range(arguments.rounds):
            for name, statement in STATEMENTS.items():
                taken[name].append(seconds(statement, cache))
    timed = {name: Timed(tuple(each)) for name, each in taken.items()}
    print(f"{'median of one import':36}{'':>10}{'ratio':>8}")
    for name, each in timed.items():
        print(f"{name:36}{duration(each.median):>10}{each.ratio(timed[ALL]):8.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
