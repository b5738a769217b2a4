"""The rules of the house, and that the checks which guard them can fail: checks_test.py SOURCE_FOLDER"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True)


class Checks(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tauflex_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def test_layers(self):
        result = run(sys.executable, SOURCE / "tools/check_layers.py", SOURCE / "src/tauflex")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_a_layer_that_looks_to_its_right_is_found(self):
        (self.folder / "math").mkdir()
        (self.folder / "math/wrong.hpp").write_text('#pragma once\n#include "tauflex/model/robot.hpp"\n')
        result = run(sys.executable, SOURCE / "tools/check_layers.py", self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertIn("wrong.hpp:2: math must not include model", result.stdout)

    def test_references(self):
        result = run(sys.executable, SOURCE / "tools/check_references.py", SOURCE)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_a_reference_to_nothing_is_found(self):
        (self.folder / "docs").mkdir()
        (self.folder / "docs/references.bib").write_text("@book{Known2000,\n}\n")
        (self.folder / "src").mkdir()
        (self.folder / "src/a.cpp").write_text("// [Unknown2001, eq. (3)]\n")
        result = run(sys.executable, SOURCE / "tools/check_references.py", self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertIn("a.cpp:1: [Unknown2001] is not in docs/references.bib", result.stdout)
        self.assertIn("Known2000 is cited nowhere", result.stdout)

    def test_theory_numbers_exist(self):
        result = run(sys.executable, SOURCE / "tools/check_theory.py", SOURCE)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_sources_are_formatted(self):
        files = [p for folder in ("src", "tests", "benchmarks") for p in (SOURCE / folder).rglob("*.[ch]pp")]
        result = run("clang-format", "--dry-run", "-Werror", f"--style=file:{SOURCE / '.clang-format'}", *files)
        self.assertEqual(result.returncode, 0, result.stderr[:2000])

    def test_cmake_stays_short(self):
        self.assertLess(len((SOURCE / "CMakeLists.txt").read_text().splitlines()), 200)


if __name__ == "__main__":
    unittest.main()
