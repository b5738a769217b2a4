#!/usr/bin/env python3
"""Runs a notebook and fails where a cell does: run_notebook.py notebook.ipynb [--page page.md]

The code cells are run one after the other in this Python, without Jupyter; the last expression of a cell is shown as there, and so are figures of
matplotlib. --page writes text, code and what they gave as a page, with its pictures beside it.
"""
import argparse
import ast
import contextlib
import io
import json
import pathlib
import sys
import traceback

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def run_cell(source, space, name):
    """What a cell prints and shows; its last expression counts as shown."""
    printed = io.StringIO()
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), space)
        value = eval(compile(ast.Expression(last.value), name, "eval"), space) if last else None
        if value is not None and not isinstance(value, plt.Figure) and not source.rstrip().endswith(";"):
            print(value)
    return printed.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebook", type=pathlib.Path)
    parser.add_argument("--page", type=pathlib.Path)
    options = parser.parse_args()
    space, page = {"__name__": "__main__"}, []
    for number, cell in enumerate(json.loads(options.notebook.read_text())["cells"], 1):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            page.append(source)
        if cell["cell_type"] != "code":
            continue
        name = f"{options.notebook.name}, cell {number}"
        try:
            printed = run_cell(source, space, name)
        except Exception:
            traceback.print_exc()
            sys.exit(f"{name} failed")
        page.append(f"```python\n{source}\n```")
        if printed.strip():
            page.append(f"```text\n{printed.rstrip()}\n```")
        for figure in plt.get_fignums():
            if options.page:
                picture = f"{options.page.stem}_{number}_{figure}.png"
                plt.figure(figure).savefig(options.page.parent / picture, dpi=110, bbox_inches="tight")
                page.append(f"![Figure of cell {number}]({picture})")
            plt.close(figure)
    if options.page:
        options.page.parent.mkdir(parents=True, exist_ok=True)
        options.page.write_text("\n\n".join(page) + "\n")


if __name__ == "__main__":
    main()
