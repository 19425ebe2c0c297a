"""What tools are made of in a sandbox. Its text is part of a session's first prelude; nothing of it
runs here.

What steps reach must not look up names by text, nor look at all variables: such steps load all that
their session has."""


class _StepwellTool:
    """Stands in for smolagents' Tool, which sandboxes don't have."""

    is_initialized = False
    output_schema = None

    def __init__(self, *args, **kwargs):
        self.is_initialized = False

    def setup(self):
        self.is_initialized = True

    def forward(self, *args, **kwargs):
        raise NotImplementedError(
            f"tool {getattr(self, 'name', type(self).__name__)!r} has no forward method"
        )

    def __call__(self, *args, sanitize_inputs_outputs=False, **kwargs):
        if not self.is_initialized:
            self.setup()
        if len(args) == 1 and not kwargs and isinstance(args[0], dict):
            if all(name in self.inputs for name in args[0]):
                args, kwargs = (), args[0]
        return self.forward(*args, **kwargs)


class _StepwellAnnotation:
    """Means nothing: takes the place of what only annotations use."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, item):
        return self

    def __or__(self, other):
        return self

    __ror__ = __or__

    def __call__(self, *args, **kwargs):
        return self


def _stepwell_make_tool(definition, values, by_constructor):
    """A tool of a class with its attributes or its constructor's arguments, or of a function with
    its description."""
    if isinstance(definition, type):
        if by_constructor:
            return definition(**values)
        tool = definition.__new__(definition)
    else:
        kind = type(definition.__name__, (_StepwellTool,), {"forward": staticmethod(definition)})
        tool = kind()
    tool.__dict__.update(values)
    return tool


def _stepwell_require(wanted):
    """Raises where modules are missing. ``wanted`` has what wants them, and for each name the
    modules it may mean."""
    import importlib.metadata
    import importlib.util

    def is_there(candidates):
        for name in candidates:
            try:
                if importlib.util.find_spec(name) is not None:
                    return True
            except (ImportError, ValueError):
                pass
            try:
                importlib.metadata.version(name)
                return True
            except (importlib.metadata.PackageNotFoundError, ValueError):
                pass
        return False

    missing = [[who, candidates[0]] for who, candidates in wanted if not is_there(candidates)]
    if missing:
        import json

        raise _StepwellMissingPackages(json.dumps(missing))


class _StepwellMissingPackages(ImportError):
    """Its message is a JSON array of what wants a package, and the package."""
