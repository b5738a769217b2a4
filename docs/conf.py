# The site of the documentation: Sphinx reads these settings. tools/build_site builds it; see there what it adds to the pages of this folder.
import os

project = "tauflex"
author = "the authors of tauflex"
copyright = "the authors of tauflex, Apache-2.0"
version = release = os.environ.get("TAUFLEX_VERSION", "")
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
smartquotes = False  # "--json" stays as it is
highlight_language = "none"  # indented blocks are formulas, YAML and commands
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "none"
html_theme = "furo"
html_title = f"tauflex {version}"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["_static"]
html_css_files = ["tauflex.css"]


def plain_docstring(app, what, name, thing, options, lines):
    """Docstrings are plain text: a paragraph stays one, what follows it with columns or indented code is shown as it stands."""
    first = lines.index("") if "" in lines else len(lines)
    rest = lines[first + 1:]
    columns = any("  " in line.strip() or line.startswith("    ") for line in rest)
    lines[:] = [line.replace("_ ", "\\_ ").replace("_,", "\\_,") for line in (lines[:first] if columns else lines)]
    if columns:
        lines += ["", "::", ""] + ["    " + line for line in rest]


def setup(app):
    app.connect("autodoc-process-docstring", plain_docstring)
