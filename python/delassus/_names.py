"""Names of arguments: an unknown one is an error that suggests the nearest known one."""

import difflib
import enum
import functools
import inspect


def nearest(name, names):
    """The name that is most similar to a mistyped one; None if none is."""
    return next(iter(difflib.get_close_matches(name, list(names), 1)), None)


def unknown(where, name, names):
    """The TypeError of an argument that `where` does not have."""
    near = nearest(name, names)
    return TypeError(
        f"{where} has no argument {name!r}; " + (f"did you mean {near!r}?" if near else f"it has {', '.join(names)}")
    )


def _suggesting(function):
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return function  # it knows its own names
    names = [p.name for p in parameters if p.kind is not p.VAR_POSITIONAL and p.name not in ("self", "cls")]
    where = f"delassus.{function.__qualname__.removesuffix('.__init__')}"

    @functools.wraps(function)
    def call(*arguments, **named):
        for name in named:
            if name not in names:
                raise unknown(where, name, names)
        return function(*arguments, **named)

    return call


def suggest(thing):
    """The same function, or class with all of its public methods, whose unknown arguments are such errors."""
    if inspect.isfunction(thing):
        return _suggesting(thing)
    if inspect.isclass(thing) and not issubclass(thing, (Exception, enum.Enum)):
        for name, member in list(vars(thing).items()):
            if name.startswith("_") and name != "__init__":
                continue
            if inspect.isfunction(member):
                setattr(thing, name, _suggesting(member))
            elif isinstance(member, classmethod):
                setattr(thing, name, classmethod(_suggesting(member.__func__)))
    return thing
