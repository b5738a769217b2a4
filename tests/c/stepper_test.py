"""The C program steps through E12 and its torques are those of `tauflex invert` by the same formula; the program of docs/controllers.md
does the same: stepper_test.py PROGRAM TAUFLEX SOURCE LIBRARY"""
import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path

program, tauflex, source, library = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
examples = source / "examples"
steps = subprocess.run([program, examples / "e12.yaml", examples / "e12_nonminimum.yaml", examples / "payload_friction.yaml"], stdout=subprocess.PIPE, text=True, check=True).stdout
rows = [[float(x) for x in line.split()] for line in steps.splitlines()]
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([tauflex, "invert", examples / "e12.yaml", "--set", "method={bdf: {order: 4, step: 0.001}}", "-o", folder],
                   check=True, capture_output=True)
    with open(Path(folder) / "trajectory.csv") as file:
        table = list(csv.DictReader(file))
assert len(rows) == 300 and len(table) == 301, (len(rows), len(table))
peak = max(abs(float(row["u.upper"])) for row in table)
assert peak > 1e5
for (t, upper, fore), row in zip(rows, table[1:]):
    assert abs(t - float(row["t"])) < 1e-12
    # the step differs in its last bit, and torques amplify that by h^-3: 1e-5 of the peak
    assert abs(upper - float(row["u.upper"])) < 1e-5 * peak, (t, upper, row["u.upper"])
    assert abs(fore - float(row["u.fore"])) < 1e-5 * peak, (t, fore, row["u.fore"])



def said_by(code):
    """What a program of a page prints, among the examples."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "arm.c").write_text(code)
        subprocess.run(["cc", "-std=c99", "-pedantic", "-Wall", "-Werror", "arm.c", f"-I{source / 'c'}", f"-L{library.parent}",
                        f"-Wl,-rpath,{library.parent}", "-ltauflex_c", "-o", "arm"], cwd=folder, check=True)
        return subprocess.run([Path(folder) / "arm"], cwd=examples, check=True, capture_output=True, text=True).stdout


whole, with_preview = re.findall(r"```c\n(.*?)```", (source / "docs" / "controllers.md").read_text(), re.S)
said = said_by(whole)
numbers = [float(x) for x in re.fullmatch(r"upper (\S+) N m, fore (\S+) N m\n", said).groups()]
assert all(abs(a - b) < 1 for a, b in zip(numbers, rows[-1][1:])), (said, rows[-1])
# the preview that the page's comment says, and an error that is known
seconds = re.search(r"&seconds\); +/\* (\S+) \*/", with_preview).group(1)
said_with_preview = said_by('#include <stdio.h>\n#include <tauflex.h>\nint main(void) {\n' + with_preview
                            + 'printf("%.4f %d\\n", seconds, error[0] >= 0 && u[0] != 0);\nreturn 0;\n}\n')
assert said_with_preview == f"{seconds} 1\n", (said_with_preview, seconds)
print(f"c.stepper: {len(rows)} steps, peak {peak:.6g} N m")
