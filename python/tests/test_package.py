# SPDX-License-Identifier: Apache-2.0
"""The package is what its documentation and its stubs say."""
import ast
import builtins
import doctest
import importlib
import inspect
import pathlib
import re

import pytest

import gonogo
from gonogo import _native

HERE = pathlib.Path(gonogo.__file__).parent
#: What the extension holds of robots, in the builds that have them.
ROBOTS = {"Episode", "FinishedStudy", "Query", "Sight", "Snapshot", "World", "branches", "check", "collect", "confirm", "controllers",
          "study"}
with_robots = pytest.mark.skipif(not _native.HAS_ROBOTS, reason="built without robots")
without_robots = pytest.mark.skipif(_native.HAS_ROBOTS, reason="built with robots")


@pytest.mark.parametrize("name", ["_progress", "_protocol", "_table", "_audit",
                                  pytest.param("_study", marks=with_robots), pytest.param("_world", marks=with_robots)])
def test_examples_in_docstrings_run(name, source, tmp_path, monkeypatch):
    monkeypatch.chdir(source)
    module = importlib.import_module("gonogo." + name)
    finder, runner = doctest.DocTestFinder(exclude_empty=True), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    examples = 0
    for test in finder.find(module, extraglobs={}):
        test.globs["folder"] = tmp_path / test.name  # where the example keeps its run
        test.globs.update({"__name__": "__main__"})
        examples += len(test.examples)
        runner.run(test)
    assert examples > 0 and runner.failures == 0


def test_everything_public_is_documented():
    for name in gonogo.__all__:
        if name != "__version__":
            assert inspect.getdoc(getattr(gonogo, name)), name


@without_robots
def test_without_robots_what_needs_them_is_refused_by_name():
    for name in gonogo._ROBOTS:
        with pytest.raises(ImportError, match=rf"gonogo\.{name} is about simulated robots.*pip install gonogo-sim"):
            getattr(gonogo, name)
    with pytest.raises(ImportError, match="gonogo-sim"):
        from gonogo import study  # noqa: F401
    with pytest.raises(AttributeError, match="no attribute 'Worlds'"):
        gonogo.Worlds


def public_functions():
    """Every function and method somebody may call, by name."""
    for name in gonogo.__all__:
        value = getattr(gonogo, name)
        if inspect.isclass(value):
            members_ = inspect.getmembers(value, lambda member: inspect.isfunction(member) or inspect.ismethod(member))
            yield from ((f"{name}.{inner}", method) for inner, method in members_ if not inner.startswith("_"))
        elif inspect.isfunction(value):
            yield name, value


def test_no_argument_has_the_name_of_a_builtin():
    taken = {(name, argument) for name, function in public_functions() for argument in inspect.signature(function).parameters
             if hasattr(builtins, argument)}
    assert taken == set()
    with_arguments = [node for node in ast.walk(ast.parse((HERE / "_native.pyi").read_text())) if isinstance(node, ast.FunctionDef)]
    assert {argument.arg for node in with_arguments for argument in node.args.args + node.args.kwonlyargs if hasattr(builtins, argument.arg)} == set()


def test_every_learner_is_documented(source):
    allowed = next(row["allowed"] for row in gonogo.protocol_keys() if row["key"] == "learner.kind")
    learners = re.findall(r"`(\w+)`", allowed)
    assert len(learners) >= 5
    page = (source / "docs/howto/python.md").read_text()
    for learner in learners:
        assert f'"{learner}" ' in gonogo.audit.__doc__, learner
        assert f"| `{learner}` |" in page, learner


def stubs_of_this_build():
    """The statements of the stubs, without those of robots where there are none."""
    for node in ast.parse((HERE / "_native.pyi").read_text()).body:
        if _native.HAS_ROBOTS or getattr(node, "name", "") not in ROBOTS:
            yield node


def test_the_version_is_that_of_the_library():
    assert f'project(gonogo VERSION {gonogo.__version__} ' in (pathlib.Path(__file__).parents[2] / "CMakeLists.txt").read_text()


def members(cls):
    return {name for name in vars(cls) if not name.startswith("_")}


def test_the_stubs_name_what_the_extension_holds():
    functions, classes, values = set(), {}, set()
    for node in stubs_of_this_build():
        if isinstance(node, ast.FunctionDef):
            functions.add(node.name)
        elif isinstance(node, ast.ClassDef):
            classes[node.name] = {inner.name for inner in node.body if isinstance(inner, ast.FunctionDef) and inner.name[0] != "_"}
        elif isinstance(node, ast.AnnAssign):
            values.add(node.target.id)
    found = {name: value for name, value in vars(_native).items() if not name.startswith("_")}
    assert functions == {name for name, value in found.items() if callable(value) and not inspect.isclass(value)}
    assert set(classes) == {name for name, value in found.items() if inspect.isclass(value)}
    assert values - {"__version__"} == {name for name, value in found.items() if not callable(value)}
    for name, inner in classes.items():
        assert inner == members(found[name]), name


def test_arguments_in_the_stubs_are_those_of_the_extension():
    def check(node, function, skip):
        names = [argument.arg for argument in node.args.args][skip:]
        signature = function.__doc__.splitlines()[0]
        for name in names:
            assert f"{name}:" in signature, (node.name, name, signature)
        assert signature.count(": ") >= len(names)

    for node in stubs_of_this_build():
        if isinstance(node, ast.FunctionDef):
            check(node, getattr(_native, node.name), 0)
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_") and not any(
                        isinstance(d, ast.Name) and d.id == "property" for d in inner.decorator_list):
                    static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in inner.decorator_list)
                    check(inner, getattr(getattr(_native, node.name), inner.name), 0 if static else 1)


def test_the_package_says_that_it_is_typed():
    assert (HERE / "py.typed").exists()
