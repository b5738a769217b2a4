"""help(tauflex) is enough to get going: what it shows runs, and every name has its sentence."""
import re
import textwrap

import tauflex


def test_the_code_of_the_docstring_runs(monkeypatch):
    import matplotlib

    matplotlib.use("Agg")
    blocks = re.findall(r"(?:^    .*\n|^\n)+", tauflex.__doc__, re.M)
    space = {}
    for block in blocks:
        exec(compile(textwrap.dedent(block), "help(tauflex)", "exec"), space)  # its own assertions and errors
    assert space["result"].success and space["softer"].success
    assert abs(space["softer"].u).max() != abs(space["result"].u).max()


def test_every_name_has_a_docstring():
    for name in tauflex.__all__:
        thing = getattr(tauflex, name)
        if name != "__version__" and not (isinstance(thing, type) and issubclass(thing, Exception)):
            assert thing.__doc__, name
            for member, value in vars(thing).items() if isinstance(thing, type) else ():
                if not member.startswith("_"):
                    assert value.__doc__, f"{name}.{member}"
