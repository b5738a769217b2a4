"""The site: it builds without a warning, every link resolves, no page asks the network: site_test.py PROGRAM SOURCE_FOLDER MODULE_FOLDER OUT_FOLDER"""
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

PROGRAM, SOURCE, MODULE, OUT = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(4))
# Elements that fetch what they name when a page opens; <a> does not.
FETCHES = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data", "embed": "src", "video": "src", "audio": "src"}


class Page(html.parser.HTMLParser):
    """Links, places and fetched files of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places, self.fetched = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if values.get("id"):
            self.places.add(values["id"])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in FETCHES and values.get(FETCHES[tag]):
            self.fetched.append(values[FETCHES[tag]])


def broken(folder):
    """Sentences about links that lead nowhere and files that the network would have to give."""
    pages = {path: Page(path.read_text()) for path in folder.rglob("*.html")}
    for path, page in pages.items():
        name = path.relative_to(folder)
        for link in page.links + page.fetched:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.fetched and parts.scheme != "data":
                    yield f"{name} fetches {link}"
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{name}: {link} leads nowhere"
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].places:
                yield f"{name}: {link} names no place of its page"
    for path in folder.rglob("*.css"):
        for link in re.findall(r"(?:url\(|@import )['\"]?((?:https?:)?//[^'\")]*)", path.read_text()):
            yield f"{path.relative_to(folder)} fetches {link}"


def build(source, out):
    return subprocess.run([source / "tools/build_site", "-o", out, "--program", PROGRAM, "--module", MODULE], capture_output=True, text=True)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.built = build(SOURCE, OUT)

    def test_builds_without_warnings(self):
        self.assertEqual(self.built.returncode, 0, self.built.stdout + self.built.stderr)
        self.assertEqual(self.built.stderr, "")

    def test_every_link_resolves_and_nothing_is_fetched(self):
        self.assertEqual(list(broken(OUT)), [])

    def test_pages_are_there(self):
        for name in ("index", "your_robot", "reading_a_result", "choosing", "papers/moberg", "papers/isobe", "reference/job", "reference/study", "reference/python", "reference/cpp",
                     "notebooks/stiffness", "theory/problem", "architecture"):
            self.assertTrue((OUT / f"{name}.html").is_file(), name)
        self.assertIn("gear_ratio", (OUT / "reference/job.html").read_text())
        self.assertIn("mass_matrix", (OUT / "reference/python.html").read_text())
        self.assertIn("struct Solution", re.sub(r"<[^>]*>", "", (OUT / "reference/cpp.html").read_text()))
        for figure in ("postures", "moberg_e12", "tsujita"):
            self.assertTrue(list(OUT.rglob(f"{figure}.svg")), figure)


class Faults(unittest.TestCase):
    """That what is wrong is found."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tauflex_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def test_links(self):
        (self.folder / "a.html").write_text('<h1 id="here">x</h1><a href="#here">1</a><a href="b.html#there">2</a><a href="c.html">3</a><a href="https://a.org">4</a>'
                                            '<script src="https://b.org/x.js"></script><img src="no.png">')
        (self.folder / "b.html").write_text("<p>")
        (self.folder / "c.css").write_text("@import 'https://c.org/font.css';")
        self.assertEqual(sorted(broken(self.folder)), ["a.html fetches https://b.org/x.js", "a.html: b.html#there names no place of its page", "a.html: c.html leads nowhere",
                                                       "a.html: no.png leads nowhere", "c.css fetches https://c.org/font.css"])

    def test_a_notebook_that_fails(self):
        notebook = self.folder / "wrong.ipynb"
        notebook.write_text('{"cells": [{"cell_type": "code", "source": ["x = 1"]}, {"cell_type": "code", "source": ["assert x == 2"]}]}')
        result = subprocess.run([sys.executable, SOURCE / "tools/run_notebook.py", notebook], capture_output=True, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("wrong.ipynb, cell 2 failed", result.stderr)


if __name__ == "__main__":
    unittest.main()
