"""The snippets of the documentation run, one after the other."""
import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("page", ["python.md"])
def test_snippets_run(page, examples, monkeypatch, tmp_path):
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(examples)
    text = (DOCS / page).read_text().replace("/tmp/", f"{tmp_path}/")
    snippets = re.findall(r"```python\n(.*?)```", text, re.S)
    assert snippets
    space = {}
    for snippet in snippets:
        exec(compile(snippet, page, "exec"), space)  # its own assertions and errors
    assert space["mine"].success and space["fitted"].success and not space["refused"].success
