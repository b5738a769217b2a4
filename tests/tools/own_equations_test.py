"""The program of docs/own_equations.md: the page quotes it and what it prints."""
import pathlib
import subprocess
import sys

program, root = sys.argv[1], pathlib.Path(sys.argv[2])
page = (root / "docs/own_equations.md").read_text()
printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
blocks = page.split("```")
assert (root / "docs/own_equations.cpp").read_text().strip() in page, "the page quotes another program"
assert printed.strip() in [block.strip() for block in blocks], f"the page shows another output than\n{printed}"
