"""Names, stubs and docstrings: what editors and help() show."""
import ast
import inspect
import pathlib

import pytest
import tauflex
from tauflex import _tauflex

STUBS = ast.parse(pathlib.Path(tauflex.__file__).with_name("_tauflex.pyi").read_text())


def stubbed(nodes):
    names = set()
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
    return names


def public(thing):
    return {name for name in vars(thing) if not name.startswith("_")}


def test_stubs_say_all_that_the_module_has():
    assert stubbed(STUBS.body) - {"__version__"} == public(_tauflex)
    for node in STUBS.body:
        if isinstance(node, ast.ClassDef) and not issubclass(getattr(_tauflex, node.name), Exception):
            assert stubbed(node.body) - {"__init__"} == public(getattr(_tauflex, node.name)), node.name


def functions():
    for name in tauflex.__all__:
        thing = getattr(tauflex, name)
        if inspect.isclass(thing) and not issubclass(thing, Exception) and thing is not tauflex.Robot:
            yield from ((f"{name}.{key}", value) for key, value in vars(thing).items() if inspect.isfunction(value) or isinstance(value, property))
        elif inspect.isfunction(thing) and name not in ("sin", "cos", "sqrt", "exp", "log", "tanh"):
            yield name, thing


@pytest.mark.parametrize("name,function", list(functions()))
def test_everything_is_annotated_and_explained(name, function):
    function = function.fget if isinstance(function, property) else function
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty, name
    for parameter in list(signature.parameters.values()):
        assert parameter.name in ("self", "_") or parameter.annotation is not inspect.Parameter.empty, f"{name}: {parameter.name}"
    assert name.partition(".")[2].startswith("_") or function.__doc__, name


@pytest.mark.parametrize("name", sorted(public(tauflex.Robot)))
def test_the_robot_is_explained(name):
    assert getattr(tauflex.Robot, name).__doc__
