"""Sessions of several steps, each step in a sandbox of its own, that must print what one live interpreter prints."""

SCENARIOS: dict[str, list[str]] = {
    "global_assigned_through_function": ["n = 0\ndef inc():\n    global n\n    n += 1", "inc(); inc()", "inc(); print(n)"],
    "function_sees_later_definition": ["def f(): return later", "later = 5", "print(f())"],
    "redefined_helper_is_seen_by_caller": ["def g(): return 1\ndef f(): return g()", "def g(): return 2", "print(f())"],
    "function_kept_aside_stays_old": ["def f(): return 1\nold = f", "def f(): return 2", "print(old(), f())"],
    "closures_share_a_cell": [
        "def make():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n    def get(): return n\n    return up, get\n"
        "up, get = make()",
        "up(); up()",
        "up(); print(get())",
    ],
    "recursive_closure": [
        "def make():\n    def fact(n): return 1 if n < 2 else n * fact(n - 1)\n    return fact\nf = make()",
        "print(f(6))",
    ],
    "empty_cell": ["def make():\n    def f(): return x\n    return f\n    x = 1\nf = make()", "try: f()\nexcept NameError as e: print(e)"],
    "defaults_are_shared_with_names": ["box = []\ndef f(x, to=box, *, also=box):\n    to.append(x)", "f(1)", "f(2); print(box, f.__kwdefaults__['also'] is box)"],
    "function_attributes": ["def f(): 'doc'\nf.calls = [1]", "f.calls.append(2); print(f.calls, f.__doc__, f.__name__, f.__module__)"],
    "decorated_with_wraps": [
        "import functools\ndef twice(f):\n    @functools.wraps(f)\n    def run(*a): return f(f(*a))\n    return run\n"
        "@twice\ndef inc(x): return x + 1",
        "print(inc(1), inc.__name__, inc.__wrapped__(1))",
    ],
    "lru_cache": ["import functools\n@functools.lru_cache(maxsize=3)\ndef f(x): return [x]", "print(f(1) is f(1), f.cache_parameters())"],
    "partial_and_bound_method": [
        "from functools import partial\nclass A:\n    def m(self, x): return self.k + x\na = A(); a.k = 1\np = partial(a.m, 4); b = a.m",
        "a.k = 10",
        "print(p(), b(1), b.__self__ is a)",
    ],
    "generator_function_and_coroutine": [
        "def g():\n    yield 1\nasync def c(): return 2",
        "import asyncio\nprint(list(g()), asyncio.run(c()))",
    ],
    "lambda_in_container": ["ops = {'sq': lambda x: x * x, 'l': [lambda: 1]}", "print(ops['sq'](3), ops['l'][0]())"],
    "annotations": ["x: int = 1\ndef f(a: str, b: 'int' = 2) -> list: pass", "print(__annotations__, f.__annotations__)"],
    "future_annotations_stay_on": ["from __future__ import annotations", "def f(a: nowhere): pass", "print(f.__annotations__)"],
    "isinstance_across_steps": ["class A: pass\nx = A()", "y = A(); print(isinstance(x, A), type(x) is type(y))"],
    "class_attribute_changed_later": ["class A: k = 1\nx = A()", "A.k = 2", "print(x.k)"],
    "class_and_name_share_a_list": ["reg = []\nclass A: r = reg", "A.r.append(1)", "reg.append(2); print(A.r, A.r is reg)"],
    "old_class_outlives_its_name": ["class A:\n    def f(self): return 1\na = A(); b = A()", "del A", "print(a.f(), type(a) is type(b))"],
    "class_executed_again": ["class A: v = 1\na = A()", "class A: v = 2\nb = A()", "print(a.v, b.v, type(a) is type(b), isinstance(a, A))"],
    "inheritance_and_super": [
        "class A:\n    def f(self): return 'A'\nclass B(A):\n    def f(self): return super().f() + 'B'\n"
        "class C(B):\n    def f(self): return super().f() + __class__.__name__\nc = C()",
        "print(c.f(), [k.__name__ for k in C.__mro__])",
    ],
    "method_taken_from_class_first": ["class A:\n    def f(self): return __class__.__name__\nf = A.f\na = A()\ndel A", "print(f(a), f is type(a).f)"],
    "slots_private_and_inherited": [
        "class A:\n    __slots__ = ('x', '__p')\n    def __init__(self): self.x = 1; self.__p = 2\n    def p(self): return self.__p\n"
        "class B(A):\n    __slots__ = ['y']\nb = B(); b.y = 3",
        "print(b.x, b.p(), b.y, hasattr(b, '__dict__'), B.__slots__)",
    ],
    "property_classmethod_staticmethod": [
        "class A:\n    _v = 1\n    @property\n    def v(self): return self._v\n    @v.setter\n    def v(self, n): self._v = n\n"
        "    @classmethod\n    def make(cls): return cls()\n    @staticmethod\n    def s(): return 9\na = A()",
        "a.v = 5; print(a.v, A.make().v, A.s(), a.s())",
    ],
    "cached_property": [
        "import functools\nclass A:\n    @functools.cached_property\n    def p(self): print('made'); return 1\na = A()\n_ = a.p",
        "print(a.p, A().p)",
    ],
    "descriptor_with_set_name": [
        "class D:\n    def __set_name__(self, owner, name): self.name = name\n    def __get__(self, o, t=None): return self.name\n"
        "class A:\n    field = D()",
        "print(A().field)",
    ],
    "abstract_class_and_metaclass": [
        "import abc\nclass M(type):\n    def __new__(m, n, b, d, **k):\n        c = super().__new__(m, n, b, d); c.made = len(n); return c\n"
        "class I(abc.ABC):\n    @abc.abstractmethod\n    def f(self): ...\nclass K(I):\n    def f(self): return 1\nclass Z(metaclass=M): pass",
        "try: I()\nexcept TypeError: print('abstract')\nprint(K().f(), Z.made, type(Z) is M, isinstance(K(), I))",
    ],
    "subclass_hook_runs_once": [
        "class Base:\n    all = []\n    def __init_subclass__(cls, **k): super().__init_subclass__(**k); Base.all.append(cls.__name__)\n"
        "class X(Base): pass",
        "class Y(Base): pass",
        "print(Base.all)",
    ],
    "mutual_class_references": ["class A: pass\nclass B(A): pass\nA.child = B; A.inst = B()", "print(A.child is B, type(A.inst) is B)"],
    "enum_and_flag": [
        "import enum\nclass C(enum.Enum):\n    R = 1\n    G = 'g'\n    A = 1\n    def low(self): return self.name.lower()\n"
        "class F(enum.Flag):\n    X = enum.auto()\n    Y = enum.auto()\nclass P(enum.IntEnum):\n    ONE = 1\nx = C.R; f = F.X | F.Y; d = {C.G: 1}",
        "print(x is C.R, C(1), C.A is C.R, x.low(), f, F.X in f, d[C.G], P.ONE + 1, list(C))",
    ],
    "enum_with_init": [
        "import enum\nclass P(enum.Enum):\n    E = (1, 2)\n    def __init__(self, m, r): self.m = m; self.r = r\n    @property\n"
        "    def s(self): return self.m + self.r\n    @classmethod\n    def first(cls): return cls.E",
        "print(P.E.s, P.first(), P((1, 2)) is P.E)",
    ],
    "dataclasses": [
        "import dataclasses\n@dataclasses.dataclass(order=True)\nclass D:\n    a: int\n    b: list = dataclasses.field(default_factory=list)\n"
        "@dataclasses.dataclass(frozen=True, slots=True)\nclass S:\n    x: int = 1\nd = D(1); s = S(2)",
        "print(d, D(1) == d, D(0) < d, s, dataclasses.asdict(d), [f.name for f in dataclasses.fields(D)], dataclasses.replace(s, x=5), hash(s) == hash(S(2)))",
    ],
    "named_tuples": [
        "import collections, typing\nP = collections.namedtuple('P', 'x y', defaults=[2])\nclass Q(typing.NamedTuple):\n    a: int\n"
        "    b: str = 'b'\n    def f(self): return self.a\np = P(1); q = Q(3)",
        "print(p, p._replace(x=5), P._fields, P(9), q, q.f(), q._asdict(), isinstance(p, tuple))",
    ],
    "typing_constructs": [
        "from typing import *\nT = TypeVar('T')\nclass Box(Generic[T]):\n    def __init__(self, v: T): self.v = v\n"
        "U = NewType('U', int)\nclass TD(TypedDict):\n    k: int\nclass Pr(Protocol):\n    def f(self) -> int: ...\nA = Optional[List[int]]\nb = Box[int](3)",
        "print(b.v, U(4), TD(k=1), A, T, Box[str]('s').v, Box.__parameters__ == (T,))",
    ],
    "builtin_subclasses": [
        "import collections\nclass D(dict): pass\nclass L(list): pass\nclass S(str): pass\nclass E(Exception):\n"
        "    def __init__(self, a, b): super().__init__(a); self.b = b\nd = D(a=1); d.z = 5; l = L([1]); l.q = l; s = S('x'); e = E(1, 2)\n"
        "dd = collections.defaultdict(lambda: 7)",
        "print(d, d.z, l, l.q is l, s, type(s).__name__, e.b, e.args, dd['q'], repr(e))",
    ],
    "instance_with_getattr": [
        "class A:\n    def __init__(self): self._d = {'k': 1}\n    def __getattr__(self, n): return self._d[n]\na = A()",
        "print(a.k)",
    ],
    "instance_with_new_and_frozen_setattr": [
        "class A:\n    def __new__(cls, v): return super().__new__(cls)\n    def __init__(self, v): object.__setattr__(self, 'v', v)\n"
        "    def __setattr__(self, n, v): raise TypeError\na = A(4)",
        "print(a.v)",
    ],
    "own_reduce_and_state": [
        "class A:\n    def __init__(self, v): self.v = v\n    def __reduce__(self): return (A, (self.v,))\n"
        "class B:\n    def __getstate__(self): return [self.m]\n    def __setstate__(self, s): self.m = s[0]\na = A(1); b = B(); b.m = 2",
        "print(a.v, b.m)",
    ],
    "aliases_and_shared_parts": ["a = [1]; b = a; s = [0]; c = {'s': s}; d = [s]; del s", "b.append(2); c['s'].append(1)", "print(a, a is b, d, c['s'] is d[0])"],
    "alias_broken_later": ["a = [1]; b = a", "b = [9]", "a.append(2); print(a, b)"],
    "self_reference": ["l = []; l.append(l); d = {}; d['d'] = d\nclass N: pass\nn = N(); n.me = n", "print(l[0] is l, d['d'] is d, n.me is n)"],
    "order_of_names": ["b = 1; a = 2", "c = 3", "print([n for n in globals() if len(n) == 1])"],
    "deleted_stays_deleted": ["a = 1; b = 2", "del a", "print('a' in globals(), b)"],
    "shadowed_builtin": ["len = lambda x: 99", "print(len([]), end=' ')\ndel len", "print(len([1]))"],
    "modules_by_name": ["import os.path as p, json as j\nfrom math import sqrt, pi\nimport xml.etree.ElementTree as ET", "print(p.join('a', 'b'), j.dumps(1), sqrt(4), ET.Element('a').tag)"],
    "module_made_by_hand": ["import types\nm = types.ModuleType('dyn'); m.v = 1; m.f = lambda: 5", "print(m.v, m.f())"],
    "iterators_keep_their_place": ["import itertools\ni = iter([1, 2, 3]); next(i); c = itertools.count(5); next(c)", "print(next(i), next(c))"],
    "locks_events_queues": [
        "import threading, queue\nclass S:\n    def __init__(self): self.l = threading.Lock(); self.n = 0\n    def hit(self):\n        with self.l: self.n += 1; return self.n\n"
        "s = S(); r = threading.RLock(); e = threading.Event(); e.set(); q = queue.Queue(); q.put(1); c = threading.Condition()",
        "with r, c: print(s.hit(), e.is_set(), q.get(timeout=1))",
    ],
    "context_variable_and_thread_local": [
        "import contextvars, threading\nv = contextvars.ContextVar('v', default=3); w = contextvars.ContextVar('w'); w.set([1]); t = threading.local(); t.x = 5",
        "print(v.get(), w.get(), t.x)",
    ],
    "weak_references": [
        "import weakref\nclass A: pass\na = A(); w = weakref.ref(a); d = weakref.WeakValueDictionary(k=a); k = weakref.WeakKeyDictionary(); k[a] = 1; g = weakref.ref(A())",
        "print(w() is a, d['k'] is a, k[a], g())",
    ],
    "singledispatch": ["import functools\n@functools.singledispatch\ndef f(x): return 'o'\n@f.register\ndef _(x: int): return 'i'", "@f.register\ndef _(x: str): return 's'", "print(f(1), f('a'), f(1.5))"],
    "caught_exception": ["try: int('x')\nexcept ValueError as ex: e = ex\ntry: open('/no')\nexcept OSError as ex: o = ex", "print(repr(e), o.filename, o.errno, o)"],
    "exception_with_cause": ["try:\n    try: 1 / 0\n    except ZeroDivisionError as z: raise KeyError('k') from z\nexcept KeyError as ex: e = ex", "print(repr(e), repr(e.__cause__), e.__cause__ is e.__context__)"],
    "exception_keeps_partial_effects": ["a = [1]", "a.append(2)\nb = 5\nraise ValueError", "print(a, b)"],
    "exit_keeps_state": ["a = 1", "a = 2\nraise SystemExit(3)", "print(a)"],
    "standard_streams": ["import sys\nout = sys.stdout; p = print", "print(out is sys.stdout); p('hi', file=out)"],
    "environment_and_path": ["import os, sys\nos.environ['FOO'] = '1'; os.environ.pop('HOME', None); sys.path.append('/zz'); sys.path.insert(0, '/aa'); os.chdir('/usr')", "import os, sys\nprint(os.environ.get('FOO'), os.environ.get('HOME'), sys.path[0], sys.path[-1], os.getcwd())"],
    "recursion_limit": ["import sys\nsys.setrecursionlimit(1234)", "import sys\nprint(sys.getrecursionlimit())"],
    "random_stream_continues": ["import random\nrandom.seed(3); a = random.random()", "x = 1", "import random\nprint(random.random())"],
    "decimal_context": ["import decimal\ndecimal.getcontext().prec = 5", "import decimal\nprint(decimal.Decimal(1) / 3)"],
    "user_pickle_of_own_class": ["import pickle\nclass A:\n    v = 3\nb = pickle.dumps(A())", "import pickle\nprint(pickle.loads(b).v)"],
    "source_of_old_function": ["def f(x):\n    return x + 1", "y = 1", "import inspect\nprint(inspect.getsource(f))"],
    "hash_is_stable": ["h = hash('abc'); s = {'a', 'b', 'c', 'dd', 'eee', 'ffff'}", "print(hash('abc') == h, sorted(s))"],
    "regex_date_path_decimal": ["import re, datetime, pathlib, fractions, uuid\nr = re.compile('a+'); d = datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc); p = pathlib.Path('/a/b'); f = fractions.Fraction(1, 3); u = uuid.UUID(int=5)", "print(r.match('aa').group(), d, p.name, f, u)"],
    "main_module_itself": ["import __main__ as m, sys\nx = 1", "m.y = 2\nprint(y, m.x, m is sys.modules['__main__'], m.__dict__ is globals())"],
    "eval_and_exec_of_names": ["k1 = 5; k2 = 6\nexec('z = k1')", "print(eval('k' + str(2)), globals()['k1'], z)"],
    "class_with_star_imports": ["from math import *", "print(sqrt(4), pi)"],
    "logging": ["import logging, sys\nlogging.basicConfig(level=logging.DEBUG, format='%(message)s', stream=sys.stdout)\nlog = logging.getLogger('x')", "import logging\nlogging.getLogger('x').debug('seen')\nprint(logging.getLogger().level, len(logging.getLogger().handlers), log.name)"],
    "patched_library": ["import json\njson.dumps = lambda o: 'patched'", "import json\nprint(json.dumps(1))"],
}
