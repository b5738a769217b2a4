"""The rules of the house, and that the checks which guard them can fail: checks_test.py SOURCE_FOLDER"""
import pathlib
import re
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

    def test_files_that_include_each_other_are_found(self):
        # a.hpp -> b.hpp, b.cpp -> c.hpp, c.cpp -> a.hpp: no header includes itself, the files do
        for name, included in (("a.hpp", "math/b"), ("b.cpp", "math/c"), ("c.cpp", "math/a"), ("d.cpp", "math/a")):
            (self.folder / "math").mkdir(exist_ok=True)
            (self.folder / "math" / name).write_text(f'#include "tauflex/{included}.hpp"\n')
        (self.folder / "math/b.hpp").write_text("#pragma once\n")
        (self.folder / "math/c.hpp").write_text("#pragma once\n")
        result = run(sys.executable, SOURCE / "tools/check_layers.py", self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "these files include each other in a circle: math/a, math/b, math/c\n")

    def test_a_file_and_its_header_are_no_cycle(self):
        (self.folder / "math").mkdir()
        (self.folder / "math/a.hpp").write_text("#pragma once\n")
        (self.folder / "math/a.cpp").write_text('#include "tauflex/math/a.hpp"\n')
        result = run(sys.executable, SOURCE / "tools/check_layers.py", self.folder)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_nobody_right_of_mechanics_asks_for_the_kind_of_robot(self):
        result = run(sys.executable, SOURCE / "tools/check_kinds.py", SOURCE / "src/tauflex")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_a_question_for_the_kind_of_robot_is_found(self):
        (self.folder / "solvers").mkdir()
        (self.folder / "solvers/knows.cpp").write_text("if (robot.rotors() > 0) return;\n")
        (self.folder / "solvers/says.cpp").write_text("// rotors() in a comment\n")
        asked = ["for (auto& s : robot.springs().joint)", "robot.actuation().elastic", "robot.actuation().hardening", "robot.tree().beams",
                 "if (link.beam)", "link->beam", "robot.nv() == robot_.tree_nv()", "a(nq_ != n_)", "robot.coordinates().quaternions.empty()"]
        for i, question in enumerate(asked):
            (self.folder / f"solvers/asks{i}.cpp").write_text(question + ";\n")
        result = run(sys.executable, SOURCE / "tools/check_kinds.py", self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertIn("knows.cpp:1", result.stdout)
        self.assertNotIn("says.cpp", result.stdout)
        for i, question in enumerate(asked):
            self.assertIn(f"asks{i}.cpp:1", result.stdout, question)

    def test_sizes(self):
        result = run(sys.executable, SOURCE / "tools/check_sizes.py", SOURCE / "src/tauflex")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_a_long_file_and_long_functions_are_found(self):
        lines = lambda count: "  work();\n" * count
        (self.folder / "math").mkdir()
        (self.folder / "math/long.hpp").write_text("// text\n" * 401)
        (self.folder / "math/functions.cpp").write_text(
            "namespace tauflex {\n\n"
            "const char* brace = \"{\";  // {\n"
            "constexpr int numbers[count(70)] = {\n" + "  1,\n" * 70 + "};\n\n"
            "void enough() {\n" + lines(58) + "}\n\n"
            "template <class S>\n"
            "S Thing::too_long(int a,\n"
            "                  int b) const {\n" + lines(57) + "}\n\n"
            "class Thing {\n"
            "  int inside() {\n"
            "    const auto part = [&] {\n" + lines(70) + "    };\n"
            "    return part();\n"
            "  }\n"
            "};\n\n}  // namespace tauflex\n")
        result = run(sys.executable, SOURCE / "tools/check_sizes.py", self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout.replace(f"{self.folder}/", "").splitlines(), [
            "math/functions.cpp:138: Thing::too_long has 61 lines, more than 60",
            "math/functions.cpp:201: inside has 75 lines, more than 60",
            "math/long.hpp has 401 lines, more than 400"])

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

    def test_examples_start_with_what_where_from_and_what_to_look_at(self):
        examples = sorted(p for p in (SOURCE / "examples").iterdir() if p.suffix in (".yaml", ".urdf"))
        self.assertGreater(len(examples), 30)
        for path in examples:
            lines = [re.sub(r"^(#|<!--|\s)\s*|\s*-->$", "", line) for line in path.read_text().splitlines() if not line.startswith("<?xml")]
            with self.subTest(example=path.name):
                self.assertRegex(lines[0], r"^[A-Z0-9].{20,}[.]$")  # the line of `tauflex examples`
                self.assertRegex(lines[1], r"^From: .{5,}[.]$")
                self.assertRegex(lines[2], r"^Look at: .{10,}[.]$")

    def test_cmake_stays_short(self):
        self.assertLess(len((SOURCE / "CMakeLists.txt").read_text().splitlines()), 200)


if __name__ == "__main__":
    unittest.main()
