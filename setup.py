"""The compiled part of the Python module for pip: built by CMake, in build/wheel or where TAUFLEX_BUILD says that a build is."""
import os
import pathlib
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class CMakeModule(build_ext):
    def build_extension(self, extension):
        folder = pathlib.Path(os.environ.get("TAUFLEX_BUILD", ROOT / "build/wheel")).resolve()
        if not (folder / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DTAUFLEX_PYTHON=ON",
                            f"-DPython_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "tauflex_python"], check=True)
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        [built] = (folder / "python/tauflex").glob("_tauflex*.so")
        if built.name != target.name:
            raise RuntimeError(f"{folder} was built for another Python: {built.name}, not {target.name}")
        shutil.copy(built, target)


setup(ext_modules=[Extension("tauflex._tauflex", sources=[])], cmdclass={"build_ext": CMakeModule})
