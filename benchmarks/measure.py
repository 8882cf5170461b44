"""Time cases side by side: interleaved rounds, medians, ratios within a round."""

from __future__ import annotations

import statistics
import time
import timeit
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Case = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds per call of one case, round by round."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    def ratio(self, other: Timed) -> float:
        """The median of the ratios per round, as both cases of a round see the same load."""
        pairs = zip(self.seconds, other.seconds, strict=True)
        return statistics.median(one / another for one, another in pairs)


def measure(cases: Mapping[str, Case], *, rounds: int, slice_seconds: float) -> dict[str, Timed]:
    """Time every case for about *slice_seconds* in each of *rounds* rounds."""
    timers = {name: timeit.Timer(case) for name, case in cases.items()}
    counts = {name: _calls(timer, slice_seconds) for name, timer in timers.items()}
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, timer in timers.items():
            taken[name].append(timer.timeit(counts[name]) / counts[name])
    return {name: Timed(tuple(seconds)) for name, seconds in taken.items()}


def _calls(timer: timeit.Timer, slice_seconds: float) -> int:
    """The number of calls that fill a slice; finding it also warms everything up."""
    calls = 1
    while True:
        start = time.perf_counter()
        timer.timeit(calls)
        elapsed = time.perf_counter() - start
        if elapsed >= slice_seconds or calls >= 1_000_000:
            return max(1, round(calls * slice_seconds / elapsed))
        calls *= 4


def duration(seconds: float) -> str:
    """Format seconds in a suitable unit.

    >>> duration(0.0000123)
    '12.3 µs'
    """
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
