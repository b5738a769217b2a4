"""Runs what the documentation shows: pages_test.py PROGRAM SOURCE_FOLDER MODULE_FOLDER PAGE.. [unittest options]

Every command of a page ends as it should and prints what the page says; every Python snippet runs; every piece of a job file is one by the schema,
and every complete job is accepted. They run in one folder with examples/ and docs/ and the files of the tutorial (six_axis.urdf, arm.yaml); a command that stands on
several pages runs once.
A command that ends with an error has its exit code in the page: the line `exit code 4` among those that it prints.
"""
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import fragments
import pages

PROGRAM, SOURCE, MODULE = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(3))
PAGES = [name for name in sys.argv if name.endswith(".md")]
sys.argv = [name for name in sys.argv if not name.endswith(".md")]
TUTORIAL = "docs/your_robot.md"
# A study of a thousand robots runs with a few of them.
FEWER_RUNS = ("examples/study_stiffness.yaml", "examples/study_stiffness.yaml --set 'study.sampling={sobol: 8}'")
NOT_RUN = ("c", "cpp", "json", "matlab", "text", "xml", "{toctree}")  # C++ of README.md and own_equations.md has tests of its own


def files(page):
    """Files that a page gives: YAML that starts with a comment of its name."""
    found = {}
    for block in pages.blocks(page):
        name = re.match(r"# ([\w.]+\.yaml)\n", block.text)
        if block.language == "yaml" and name:
            found[name[1]] = block.text + "\n"
    return found


class Folder:
    """Where the commands of a page run."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="tauflex_docs_"))
        for name in ("examples", "docs"):
            (self.path / name).symlink_to(SOURCE / name)
        shutil.copy(SOURCE / "examples/six_axis.urdf", self.path)
        self.add_files((SOURCE / TUTORIAL).read_text())
        (self.path / "bin").mkdir()
        (self.path / "bin/tauflex").symlink_to(PROGRAM)
        (self.path / "bin/python3").symlink_to(sys.executable)
        (self.path / "tauflex").symlink_to(PROGRAM)
        self.environment = {**os.environ, "PATH": f"{self.path}/bin:{os.environ['PATH']}", "PYTHONPATH": str(MODULE), "MPLBACKEND": "Agg",
                            "PYTHONDONTWRITEBYTECODE": "1"}

    def add_files(self, page):
        for name, text in files(page).items():
            (self.path / name).write_text(text)

    @functools.cache  # a table asks for several lines of one command
    def run(self, command):
        result = subprocess.run(["bash", "-c", command], cwd=self.path, env=self.environment, capture_output=True, text=True, timeout=300)
        return result.returncode, result.stdout + result.stderr


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder, cls.judge = Folder(), fragments.Judge(SOURCE / "docs/job.schema.json")
        cls.addClassCleanup(shutil.rmtree, cls.folder.path, ignore_errors=True)

    def check_command(self, name, command):
        where = f"{name}:{command.line}: {command.text}"
        if command.text.startswith(pages.ELSEWHERE):
            return
        self.assertTrue(command.text.startswith(pages.PROGRAMS), f"{where}: nobody runs this")
        code, printed = self.folder.run(command.text.removeprefix("./").replace(*FEWER_RUNS))
        wanted = [line for line in command.prints if not line.startswith("exit code ")]
        expected = next((int(line.split()[-1]) for line in command.prints if line.startswith("exit code ")), 0)
        self.assertEqual(code, expected, f"{where}\n{printed}")
        left = pages.missing(wanted, printed, command.ordered)
        self.assertIsNone(left, f"{where}\ndoes not print\n  {left}\nbut\n{printed}")

    def check_piece(self, name, block):
        where = f"{name}:{block.line}"
        if re.search(r"^study:", block.text, re.M):
            self.assertIsNone(self.judge.study_fault(block.text), where)
        elif "tauflex: 1" in block.text and "robot:" in block.text:
            (self.folder.path / "of_the_page.yaml").write_text(block.text)
            code, printed = self.folder.run(f"tauflex check of_the_page.yaml # {where}")
            self.assertEqual(code, 0, f"{where}: {printed}")
        else:
            self.assertIsNone(self.judge.fault(block.text), where)

    def check_page(self, name):
        text = (SOURCE / name).read_text()
        self.folder.add_files(text)
        snippets = []
        for block in pages.blocks(text):
            self.assertIn(block.language, ("", "console", "sh", "python", "yaml", *NOT_RUN), f"{name}:{block.line}")
            for command in pages.commands(block):
                self.check_command(name, command)
            if block.language == "yaml" or not block.language and fragments.is_piece(block.text):
                self.check_piece(name, block)
            if block.language == "python":
                snippets.append("\n" * (block.line - 1 - sum(s.count("\n") for s in snippets)) + block.text + "\n")
        for command in pages.rows(text):
            self.check_command(name, command)
        if snippets:
            script = self.folder.path / (pathlib.Path(name).stem + ".py")
            script.write_text("".join(snippets))  # lines have the numbers of the page
            code, printed = self.folder.run(f"cd examples && python3 {script}")
            self.assertEqual(code, 0, f"{name}\n{printed}")


class Matching(unittest.TestCase):
    """That a page which says something else is found."""

    printed = "e12: tool error 0.0038 mm max, 0.0023 mm rms (tolerance 1 mm): proved\n  zeros  -0.6256 +/- 50.03j\n  hand < 1 nm\n  force error 3.6e-14 N"

    def test_words_and_numbers(self):
        for line in ("tool error 0.0038 mm max", "tool error 0.0039 mm max", "zeros -0.6256 +/- 50.03j", "hand < 1 nm", "force error <1e-12 N", "e12: .. 0.0023 mm .. proved"):
            self.assertTrue(pages.matches(line, self.printed), line)
        for line in ("tool error 0.0040 mm max", "tool error 0.0038 m max", "zeros 0.6256", "hand < 0.5 nm", "force error <1e-15 N", "mm rms proved"):
            self.assertFalse(pages.matches(line, self.printed), line)

    def test_order_of_lines(self):
        self.assertIsNone(pages.missing(["proved", "zeros"], self.printed))
        self.assertEqual(pages.missing(["zeros", "proved"], self.printed), "proved")
        self.assertIsNone(pages.missing(["zeros", "proved"], self.printed, ordered=False))
        self.assertEqual(pages.missing(["zeros", "missed"], self.printed, ordered=False), "missed")

    def test_pieces_of_jobs(self):
        judge = fragments.Judge(SOURCE / "docs/job.schema.json")
        for right in ("method: {jets: {tolerance: 1e-9}}", "- {name: rod, distance: {frames: [a, b], length: 250 mm}}", "plant: {stiffness: x0.8}\nplant: {links.hand.mass: 210}"):
            self.assertTrue(fragments.is_piece(right))
            self.assertIsNone(judge.fault(right), right)
        for wrong in ("method: {jets: {tolerence: 1e-9}}", "- {name: rod, distance: {frames: [a], length: 1}}", "controler: {sample: 1}", "task: {hold: {before: -1}}"):
            self.assertIsNotNone(judge.fault(wrong), wrong)
        for other in ("q' = v", "tauflex run a.yaml", "tauflex: arm.yaml:31: 3 outputs but 2 drives", '"drives": {}', "e12: tool error 0.1 mm", "tool: at most 2 m off"):
            self.assertFalse(fragments.is_piece(other), other)

    def test_pieces_of_studies(self):
        judge = fragments.Judge(SOURCE / "docs/job.schema.json")
        for right in ("study:\n  vary: {robot.mass: x0.8..x1.2}", "tauflex: 1\nstudy: {job: a.yaml, sampling: grid, vary: {task.path.duration: {values: [1, 2]}}}"):
            self.assertTrue(fragments.is_piece(right))
            self.assertIsNone(judge.study_fault(right), right)
        for wrong in ("study:\n  vray: {robot.mass: x0.8..x1.2}", "study: {sampling: {sobol: 0}}", "tauflex: 1\nstudy: {job: a.yaml}", "study: {seed: 1}\nkeep: [a]"):
            self.assertIsNotNone(judge.study_fault(wrong), wrong)

    def test_what_is_found_on_a_page(self):
        page = "text\n\n    tauflex run a.yaml   # why\n\n```console\n$ tauflex check a.yaml\na: ready\n...\n```\n\n| what | command | prints |\n| --- | --- | --- |\n| x | `tauflex modes a.yaml` | `3 modes` |\n"
        found = [c for block in pages.blocks(page) for c in pages.commands(block)] + pages.rows(page)
        self.assertEqual([(c.text, c.prints) for c in found],
                         [("tauflex run a.yaml", []), ("tauflex check a.yaml", ["a: ready"]), ("tauflex modes a.yaml", ["3 modes"])])


class Papers(unittest.TestCase):
    """Every point of the five documents is on a page, with a command that the test of that page runs."""

    POINTS = {"moberg": [f"M{i}" for i in range(1, 10)], "isobe": [f"P{i}" for i in range(1, 7)], "two_bars": [f"A{i}" for i in range(1, 6)],
              "tsujita": [f"T{i}" for i in range(1, 5)], "constant_orientation": [f"C{i}" for i in range(1, 5)]}

    def test_every_point_has_a_command(self):
        for page, points in self.POINTS.items():
            text = (SOURCE / f"docs/papers/{page}.md").read_text()
            lines = text.split("\n")
            shown = {lines[row.line - 1].split("|")[1].strip() for row in pages.rows(text) if row.prints}
            for point in points:
                if point not in shown:  # a page that is not written yet says so, row by row
                    row = next((line for line in lines if line.startswith(f"| {point} |")), "")
                    self.assertIn("not on this page yet", row, f"docs/papers/{page}.md: {point} has no command")


def add_page(name):
    setattr(Pages, "test_" + re.sub(r"\W", "_", name), lambda self: self.check_page(name))


for page in PAGES:
    names = sorted(str(p.relative_to(SOURCE)) for p in SOURCE.glob(page))
    assert names, f"there is no page {page}"
    for one in names:
        add_page(one)

if __name__ == "__main__":
    unittest.main()
