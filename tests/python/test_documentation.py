"""Everything public is documented and annotated, and help() has it."""

import inspect
import pydoc

import delassus as dls
import pytest

PUBLIC = [
    getattr(dls, name)
    for name in dls.__all__
    if inspect.isclass(getattr(dls, name)) or inspect.isfunction(getattr(dls, name))
]


def parts(thing):
    yield thing
    if (
        inspect.isclass(thing)
        and thing.__module__.startswith("delassus")
        and not issubclass(thing, (Exception, dls.Outcome))
    ):
        for name, member in vars(thing).items():
            if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, (property, classmethod))):
                yield getattr(member, "fget", None) or getattr(member, "__func__", member)


@pytest.mark.parametrize("thing", PUBLIC, ids=lambda t: t.__name__)
def test_documented(thing):
    assert pydoc.render_doc(thing)
    assert inspect.getdoc(thing), thing
    for part in parts(thing):
        if inspect.isfunction(part) and part.__name__ not in ("keys", "name", "<lambda>"):
            assert inspect.getdoc(part) or "Answer" in part.__qualname__, part.__qualname__
            unknown = [
                p.name
                for p in inspect.signature(part).parameters.values()
                if p.annotation is p.empty
                and p.name not in ("self", "cls", "value", "values")
                and p.kind is not p.VAR_KEYWORD
            ]
            assert not unknown, f"{part.__qualname__}: {unknown}"


def test_all_is_all():
    public = {n for n in vars(dls) if not n.startswith("_") and not inspect.ismodule(getattr(dls, n))}
    assert public == set(dls.__all__)


def test_the_first_example():
    import doctest

    assert doctest.testmod(dls).failed == 0 and doctest.testmod(dls).attempted == 3
