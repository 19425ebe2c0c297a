"""A step's own text, compiled: its prelude, its source, and the expression that the source ends in."""
import _ast
import types

# Flags of compile(): a syntax tree instead of code.
_ONLY_AST = 0x400
# The bits of a code object's flags that "from __future__ import" sets and that later sources inherit.
_FUTURE_FLAGS = 0x1FF0000


class Program:
    """What a step runs, in this order: ``prelude``, ``body``, ``value``. Each is code, or None where there is none."""

    def __init__(self) -> None:
        self.prelude: types.CodeType | None = None
        self.body: types.CodeType | None = None
        self.value: types.CodeType | None = None
        # Why the source is no code. The prelude runs all the same: it comes first.
        self.problem: BaseException | None = None

    def compile_prelude(self, text: str, file_name: str) -> None:
        """Compiles it on its own: it neither takes the session's ``__future__`` imports nor makes any for it."""
        self.prelude = compile(text, file_name, "exec", 0, True)

    def compile_source(self, text: str, file_name: str, flags: int) -> int:
        """Compiles it under the session's ``__future__`` flags. Returns those that later sources inherit."""
        try:
            tree = compile(text, file_name, "exec", _ONLY_AST | flags, True)
            last = tree.body.pop() if tree.body and type(tree.body[-1]) is _ast.Expr else None
            self.body = compile(tree, file_name, "exec", flags, True)
            flags |= self.body.co_flags & _FUTURE_FLAGS
            if last is not None:
                self.value = compile(_ast.Expression(last.value), file_name, "eval", flags, True)
        except BaseException as error:  # noqa: B036 - a source nested too deeply raises what it likes
            self.body, self.problem = None, error
        return flags

    def codes(self) -> list[types.CodeType]:
        """All that will run."""
        return [code for code in (self.prelude, self.body, self.value) if code is not None]
