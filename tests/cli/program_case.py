"""What tests of the program share: it is called in a folder of its own.

Usage of each of them: NAME_test.py PROGRAM SOURCE_FOLDER [unittest options]
"""
import csv
import json
import os
import pathlib
import re
import signal
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
SANITIZED = bool(os.environ.get("SANITIZED"))  # the program was built with the sanitizers


def example(name):
    """An example with one line in the place of the comment it starts with, so that lines keep their numbers whatever that says."""
    return re.sub(r"\A(#.*\n)+", "#\n", (SOURCE / f"examples/{name}.yaml").read_text())


E12 = example("e12_bdf")


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tauflex_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def call(self, *arguments, env=None):
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, **(env or {})}, timeout=600)

    def job(self, text=E12, name="arm.yaml"):
        path = self.folder / name
        path.write_text(text)
        return name

    def refused(self, text, code, *parts, options=()):
        """Running this job ends with `code` and one sentence that holds all parts. Where it has no answer (4) a report shows why; else
        nothing is written."""
        result = self.call("run", self.job(text), "-o", "result", *options)
        sentence = result.stderr.strip()
        self.assertEqual(result.returncode, code, result)
        if code == 4:
            said, sentence = sentence.split("\n", 1)
            self.assertEqual(said, "written to result")
            self.assertIn('"outcome":"failed"', (self.folder / "result/scene.json").read_text())
            shutil.rmtree(self.folder / "result")
        self.assertEqual(len(sentence.splitlines()), 1, sentence)
        self.assertTrue(sentence.startswith("tauflex: "), sentence)
        for part in parts:
            self.assertIn(part, sentence)
        self.assertFalse((self.folder / "result").exists())
        self.assertEqual(result.stdout, "")

    def changed(self, old, new):
        self.assertIn(old, E12)
        return E12.replace(old, new, 1)
