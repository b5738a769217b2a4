"""Torques, counters and proofs of the examples are those of torques.json.

Usage: golden_test.py PROGRAM SOURCE_FOLDER EXAMPLE
Tolerances are in the file, with what they were measured by: write.py.
"""
import json
import pathlib
import sys
import unittest

import runs

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
EXAMPLE = sys.argv.pop(1)
GOLDEN = json.loads((SOURCE / "tests/golden/torques.json").read_text())


class Golden(unittest.TestCase):
    def test_the_file_has_all_runs_of_this_example(self):
        written = {(name, run["example"], tuple(run["set"])) for name, run in GOLDEN.items() if run["example"] == EXAMPLE}
        wanted = {(name, example, tuple(overrides)) for name, example, overrides in runs.all_runs(SOURCE) if example == EXAMPLE}
        self.assertTrue(wanted)
        self.assertEqual(written, wanted, "tests/golden/write.py writes the file anew")

    def test_numbers(self):
        for name, golden in GOLDEN.items():
            if golden["example"] == EXAMPLE:
                with self.subTest(name):
                    self.compare(golden, *runs.repeat(PROGRAM, SOURCE, EXAMPLE, golden["set"]))

    def compare(self, golden, code, record, table):
        solution = record["solution"]
        for key in ("method", "order", "steps"):
            self.assertEqual(solution[key], golden[key], key)
        self.assertAlmostEqual(solution["step"], golden["step"], delta=1e-12 * golden["step"])  # a division
        for name, counter in golden["counters"].items():
            self.assertAlmostEqual(solution[name], counter["value"], delta=counter["tolerance"], msg=name)

        columns = {name: runs.sampled(column) for name, column in table.items()}
        self.assertEqual(["t", *golden["columns"]], list(columns))
        wanted = dict(zip(columns, zip(*golden["rows"])))
        for t, was in zip(columns["t"], wanted["t"], strict=True):
            self.assertAlmostEqual(t, was, delta=1e-12)  # s; rounding of times up to 6 s is 1e-15
        for name, limits in golden["columns"].items():
            self.assertAlmostEqual(max(map(abs, table[name])), limits["peak"], delta=limits["tolerance"], msg=f"peak of {name}")
            for t, value, was in zip(columns["t"], columns[name], wanted[name], strict=True):
                self.assertAlmostEqual(value, was, delta=limits["tolerance"], msg=f"{name} at t = {t:g} s")

        self.assertEqual(code, golden["exit code"])
        proof = record["verification"] or {}
        self.assertEqual({name for name in runs.ERRORS if proof.get(name) is not None}, set(golden["errors"]))
        for name, error in golden["errors"].items():
            if error["value"] < 1e-6:  # m, rad or N: the proof's own accuracy counts there
                self.assertLess(proof[name], 2e-6, name)
            else:  # three digits, or what rounding leaves of them
                self.assertAlmostEqual(proof[name], error["value"], delta=max(5e-3 * error["value"], 3 * error["rounding"]), msg=name)


if __name__ == "__main__":
    unittest.main()
