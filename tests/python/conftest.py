import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pytest_addoption(parser):
    parser.addoption("--module", required=True, help="folder that holds the package tauflex")
    parser.addoption("--program", required=True, help="the program tauflex")
    parser.addoption("--loop", help="the program rnea_loop, which measures the same in C++")


def pytest_configure(config):
    sys.path.insert(0, config.getoption("--module"))


@pytest.fixture
def program(request):
    return request.config.getoption("--program")


@pytest.fixture
def examples():
    return ROOT / "examples"


@pytest.fixture
def loop(request):
    path = request.config.getoption("--loop")
    if not path:
        pytest.skip("run by ctest, which builds the C++ loop")
    return path
