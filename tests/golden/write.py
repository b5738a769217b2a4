"""Writes torques.json anew: write.py PROGRAM SOURCE_FOLDER [EXAMPLE ...], all examples or those that are named. A commit that needs
this says why numbers changed.

Every run is repeated with one number of the job changed by one to three units in its last place. What this does to torques,
counters and errors of the tool is what rounding does to them. Tolerances are three times that, those of torques at
least SHARE of their peak. Torques of difference formulas with a small step carry far more rounding than others.
"""
import json
import pathlib
import sys

import runs


def distance(a, b):
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def entry(program, source, example, overrides):
    code, record, table = runs.repeat(program, source, example, overrides)
    solution, proof = record["solution"], record["verification"] or {}
    changes, rounded = [], []
    for change in runs.last_bits(source, example):
        other = runs.repeat(program, source, example, overrides + [change])
        if other[1]["solution"]["method"] == solution["method"]:
            changes.append(change)
            rounded.append(other)
        else:
            print(f"{example}: {change} changes the method to {other[1]['solution']['method']}", flush=True)
    columns = {}
    for name in table:
        if name == "t":
            continue
        peak = max(map(abs, table[name]))
        rounding = max(distance(table[name], other[name]) for _, _, other in rounded)
        columns[name] = {"peak": peak, "rounding": rounding, "tolerance": max(runs.SHARE * peak, 3 * rounding)}
    counters = {}
    for name in runs.COUNTERS:
        others = [other["solution"][name] for _, other, _ in rounded]
        spread = max(abs(n - solution[name]) for n in others)
        counters[name] = {"value": solution[name], "with rounding": others, "tolerance": 3 * spread}
    errors = {}
    for name in runs.ERRORS:
        if proof.get(name) is not None:
            rounding = max(abs(proof[name] - other["verification"][name]) for _, other, _ in rounded)
            errors[name] = {"value": proof[name], "rounding": rounding}
    return {
        "example": example,
        "set": overrides,
        "rounding measured with": changes,
        "exit code": code,
        **{key: solution[key] for key in ("method", "order", "step", "steps")},
        "counters": counters,
        "columns": columns,
        "errors": errors,
        "rows": [list(row) for row in zip(*(runs.sampled(column) for column in table.values()))],
    }


def text(entries):
    """JSON, one line per value and per row of the table."""
    blocks = []
    for name, fields in entries.items():
        lines = []
        for key, value in fields.items():
            if key == "rows":
                value = "[\n      " + ",\n      ".join(map(json.dumps, value)) + "]"
            elif key in ("counters", "columns", "errors"):
                value = "{\n      " + ",\n      ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()) + "}"
            else:
                value = json.dumps(value)
            lines.append(f"    {json.dumps(key)}: {value}")
        blocks.append(f"  {json.dumps(name)}: {{\n" + ",\n".join(lines) + "}")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


if __name__ == "__main__":
    program, source = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    known = json.loads((source / "tests/golden/torques.json").read_text())
    entries = {}
    for name, example, overrides in runs.all_runs(source):
        if sys.argv[3:] and example not in sys.argv[3:]:
            entries[name] = known[name]
            continue
        entries[name] = entry(program, source, example, overrides)
        worst = max(c["rounding"] / c["peak"] for c in entries[name]["columns"].values())
        print(f"{name}: {entries[name]['method']}, rounding {worst:.1e} of the peak", flush=True)
    (source / "tests/golden/torques.json").write_text(text(entries))
