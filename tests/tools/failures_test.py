"""Codes of refusals: each phrase stands in a sentence of the sources, each code on the page, and every ProblemError has one.

Usage: failures_test.py SOURCE_FOLDER"""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))


def literals(text):
    """Texts in quotes, those that follow each other as one."""
    joined = re.sub(r'"\s*\n\s*"', "", text)
    return [match.group(1) for match in re.finditer(r'"((?:[^"\\\n]|\\.)*)"', joined)]


SOURCES = {path: path.read_text() for path in sorted((ROOT / "src").rglob("*.cpp")) + sorted((ROOT / "python/bindings").glob("*.cpp"))
           if path.name != "failures.cpp"}
TABLE = re.findall(r'\{(\d+),\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\}', re.sub(r'"\s*\n\s*"', "", (ROOT / "src/tauflex/base/failures.cpp").read_text()))
PAGE = (ROOT / "docs/failures.md").read_text()


class Failures(unittest.TestCase):
    def test_the_table_is_read(self):
        self.assertGreater(len(TABLE), 60)
        numbers = [int(number) for number, _, _ in TABLE]
        self.assertEqual(len(numbers), len(set(numbers)))
        for family in (400, 500, 600):  # one for whatever no phrase fits, and it comes last
            of_family = [entry for entry in TABLE if int(entry[0]) // 100 * 100 == family]
            self.assertEqual((int(of_family[-1][0]), of_family[-1][1]), (family, ""))

    def test_codes_of_the_table_are_those_of_the_page(self):
        self.assertEqual(re.findall(r"^### TF-(\d+): (.*)$", PAGE, re.M), sorted((number, title) for number, _, title in TABLE))
        for section in PAGE.split("\n### ")[1:]:
            cause, cure = section.partition("\n\n")[2].split("\n\n*What to do:* ")
            self.assertTrue(cause.strip() and cure.strip(), section)

    def test_every_phrase_stands_in_a_sentence(self):
        sentences = [text for source in SOURCES.values() for text in literals(source)]
        for number, phrase, _ in TABLE:
            self.assertTrue(any(phrase in sentence for sentence in sentences), f"TF-{number}: no sentence says '{phrase}' any more")

    def test_every_problem_error_has_a_code(self):
        phrases = [phrase for number, phrase, _ in TABLE if phrase and number.startswith("4")]
        for path, source in SOURCES.items():
            for match in re.finditer(r"throw ProblemError\((.*?)\);\n", source, re.S):
                said = " ".join(literals(match.group(1)))
                if len(said) < 20:  # passes another sentence on
                    continue
                with self.subTest(said=said):
                    self.assertTrue(any(phrase in said for phrase in phrases), f"{path.relative_to(ROOT)}: '{said}' has no code")


if __name__ == "__main__":
    unittest.main()
