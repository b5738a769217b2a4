"""Many runs of one job: what `tauflex sweep` does, as arrays."""
from __future__ import annotations

import csv
import os
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas


class Sweep(dict):
    """The table of a study: an array per column, by its name, a row per run.

    Numbers that a run does not have are nan; `status` and `message` are texts. `summary` is what
    summary.json says: statistics, influences, yield.
    """

    def __init__(self, table: str | os.PathLike[str], summary: dict[str, Any], text: str) -> None:
        with open(table, newline="") as file:
            rows = list(csv.reader(file))
        for name, *values in zip(*rows):
            self[name] = _array(values)
        self.summary = summary
        self._text = text

    def __str__(self) -> str:
        return self._text

    def to_npz(self, path: str | os.PathLike[str]) -> None:
        """One array per column."""
        np.savez(path, **self)

    def to_dataframe(self) -> pandas.DataFrame:
        """For pandas."""
        import pandas
        return pandas.DataFrame(dict(self))


def _array(values):
    try:
        return np.array([float(value) if value else np.nan for value in values])
    except ValueError:
        return np.array(values)
