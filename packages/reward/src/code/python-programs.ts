/** What both processes know: plain values as JSON, everything else by reference. */
const shared = String.raw`
import json, os, sys, types

source, sink = os.fdopen(3, "r", encoding="utf-8"), os.fdopen(4, "w", encoding="utf-8")
class Ended(BaseException):
    """The other process is gone. No test that expects an error takes that for one."""

# What no value here is of need not be loaded.
kinds = {"D": ("decimal", "Decimal"), "Q": ("fractions", "Fraction"), "e": ("datetime", "timedelta"), "m": ("datetime", "datetime"), "a": ("datetime", "date")}

def is_kind(value, tag):
    module, name = kinds[tag]
    return module in sys.modules and isinstance(value, getattr(sys.modules[module], name))

def send(message):
    sink.write(json.dumps(message) + "\n")
    sink.flush()

def receive():
    line = source.readline()
    if not line.endswith("\n"):
        raise Ended("The program ended before its tests.")
    return json.loads(line)

def encode(value, refer, depth=0):
    again = lambda inner: encode(inner, refer, depth + 1)
    if depth > 200:
        raise ValueError("a value that is nested too deeply")
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return {"i": format(int(value), "x")}
    if isinstance(value, float):
        return {"f": float.__repr__(value)}
    if isinstance(value, complex):
        return {"c": [float.__repr__(value.real), float.__repr__(value.imag)]}
    for tag, kind in (("l", list), ("t", tuple), ("s", set), ("z", frozenset)):
        if isinstance(value, kind):
            return {tag: [again(item) for item in kind.__iter__(value)]}
    if isinstance(value, dict):
        return {"d": [[again(key), again(item)] for key, item in dict.items(value)]}
    if isinstance(value, (bytes, bytearray)):
        return {"b" if isinstance(value, bytes) else "y": bytes(value).hex()}
    if is_kind(value, "D") or is_kind(value, "Q"):
        return {"D" if is_kind(value, "D") else "Q": str(value)}
    if is_kind(value, "e"):
        return {"e": [value.days, value.seconds, value.microseconds]}
    if is_kind(value, "a"):
        return {"m" if is_kind(value, "m") else "a": value.isoformat()}
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return again(value.tolist())
    return refer(value)

def decode(value, resolve):
    if not isinstance(value, dict):
        return value
    again = lambda inner: decode(inner, resolve)
    ((tag, body),) = value.items()
    if tag == "i":
        return int(body, 16)
    if tag == "f":
        return float(body)
    if tag == "c":
        return complex(float(body[0]), float(body[1]))
    if tag in ("l", "t", "s", "z"):
        return {"l": list, "t": tuple, "s": set, "z": frozenset}[tag](again(item) for item in body)
    if tag == "d":
        return {again(key): again(item) for key, item in body}
    if tag in ("b", "y"):
        return (bytes if tag == "b" else bytearray).fromhex(body)
    if tag not in kinds:
        return resolve(tag, body)
    module, name = kinds[tag]
    kind = getattr(__import__(module), name)
    if tag == "e":
        return kind(*body)
    return kind(body) if tag in ("D", "Q") else kind.fromisoformat(body)
`;

/** Runs the program, and answers calls with values. It learns what it is called with, and nothing else of the tests. */
export const pythonSolution = String.raw`${shared}
import operator

kept, numbers = [], {}

def refer(value):
    if id(value) not in numbers:
        numbers[id(value)] = len(kept)
        kept.append(value)
    return {"coroutine" if isinstance(value, types.CoroutineType) else "ref": numbers[id(value)]}

def resolve(tag, body):
    return callback(body) if tag == "callback" else kept[body]

def callback(number):
    def call(*args):
        send({"callback": number, "args": encode(list(args), refer)})
        message = receive()
        if "error" in message:
            raise RuntimeError(message["error"])
        return decode(message["value"], resolve)
    return call

actions = {
    "call": lambda function, /, *args, **named: function(*args, **named),
    "getattr": getattr, "setattr": setattr, "delattr": delattr, "len": len, "iter": iter, "next": next, "str": str, "repr": repr,
    "bool": bool, "dir": dir, "getitem": operator.getitem, "setitem": operator.setitem, "delitem": operator.delitem,
    "isinstance": isinstance, "await": lambda coroutine: __import__("asyncio").run(coroutine),
}

def described(value):
    if isinstance(value, types.ModuleType):
        return {"module": value.__name__}
    if isinstance(value, type) and issubclass(value, Exception):
        return {"exception": bases(value)}
    return {"value": encode(value, refer)}

def bases(kind):
    return [base.__name__ for base in kind.__mro__]

def changed(args, before):
    after = [encode(value, refer) for value in args]
    is_same = lambda at: after[at] == before[at] or isinstance(before[at], dict) and not {"ref", "callback"}.isdisjoint(before[at])
    return [[at, value] for at, value in enumerate(after) if not is_same(at)]

def run():
    program = receive()["program"]
    wanted = receive()["names"]
    # Like a module: what inspects itself, such as dataclasses, finds it.
    module = type(sys)("solution")
    sys.modules["solution"] = module
    exec(compile(program, "solution.py", "exec"), module.__dict__)
    send({"names": {name: described(module.__dict__[name]) for name in wanted if name in module.__dict__}})
    while True:
        message = receive()
        try:
            if message["do"] == "name":
                reply = described(module.__dict__[message["name"]])
            else:
                before = message["args"]
                args = [decode(value, resolve) for value in before]
                named = {name: decode(value, resolve) for name, value in message["named"].items()}
                value = actions[message["do"]](*args, **named)
                reply = {"value": encode(value, refer), "changed": changed(args, before)}
        except BaseException as error:
            reply = {"error": bases(type(error)), "message": str(error)[:2000]}
        send(reply)

try:
    run()
except Ended:
    pass
`;

/** Holds the tests and compares. Nothing of the program runs here: what arrives are values, and references that it asks about. */
export const pythonJudge = String.raw`${shared}
import builtins, traceback

verdict = os.fdopen(5, "w", encoding="utf-8")
tests = sys.stdin.read()
used = False

class Broken(BaseException):
    """The tests want something that cannot be done, whatever the program is."""

def end(**result):
    sys.stdout.flush()
    sys.stderr.flush()
    verdict.write(json.dumps(result) + "\n")
    verdict.flush()
    os._exit(0)

callbacks = []

def refer(value):
    if type(value) is Remote:
        return {"ref": value._number}
    if callable(value):
        callbacks.append(value)
        return {"callback": len(callbacks) - 1}
    raise Broken(f"The tests pass an object of {type(value).__name__} to the program. Pass values or functions.")

remotes = {}

def resolve(tag, body):
    if tag not in ("ref", "coroutine") or type(body) is not int:
        raise ValueError("no value")
    remote = remotes.setdefault(body, Remote(body))
    return awaited(remote) if tag == "coroutine" else remote

async def awaited(remote):
    return do("await", remote)

def do(action, /, *args, **named):
    global used
    used = True
    send({
        "do": action, "args": [encode(value, refer) for value in args],
        "named": {name: encode(value, refer) for name, value in named.items()},
    })
    message = receive()
    while "callback" in message:
        send(called_back(message))
        message = receive()
    if "error" in message:
        names = message["error"]
        # Of a call it would end what goes through the test's cases, such as all(map(...)), as if all had passed.
        if action != "next" and "StopIteration" in names:
            names = ["RuntimeError"]
        raise raised(names, message.get("message", ""))
    # What the program changed in a list, it changed in a copy.
    for at, value in message.get("changed", []):
        update(args[at], decode(value, resolve))
    return decode(message["value"], resolve)

def called_back(message):
    try:
        args = decode(message["args"], resolve)
        return {"value": encode(callbacks[message["callback"]](*args), refer)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}

def update(old, new):
    if type(old) is not type(new) or old is new:
        return
    if isinstance(old, (list, bytearray)):
        old[:] = new
    elif isinstance(old, (dict, set)):
        old.clear()
        old.update(new)

known = {}

def raised(names, message):
    """An error of the program, as one of its kind that this process knows. Never one that would end the judge."""
    kind = kind_of(names)
    error = Exception.__new__(kind)
    error.args = (message,)
    return error

def kind_of(names):
    if names and names[0] in known:
        return known[names[0]]
    for name in names:
        kind = getattr(builtins, name, None)
        if isinstance(kind, type) and issubclass(kind, Exception):
            return kind
    return Exception

class Remote:
    """An object of the program. It is equal to itself alone, as what it says about its equality is its own word."""
    __slots__ = ("_number",)

    def __init__(self, number):
        object.__setattr__(self, "_number", number)

    def __getattr__(self, name):
        if name.startswith("__array"):
            raise AttributeError(name)
        return do("getattr", self, name)

    def __setattr__(self, name, value):
        do("setattr", self, name, value)

    def __delattr__(self, name):
        do("delattr", self, name)

    def __call__(self, *args, **named):
        return do("call", self, *args, **named)

    def __getitem__(self, key):
        return do("getitem", self, key)

    def __setitem__(self, key, value):
        do("setitem", self, key, value)

    def __delitem__(self, key):
        do("delitem", self, key)

    def __len__(self):
        return checked(do("len", self), int)

    def __bool__(self):
        return checked(do("bool", self), bool)

    def __str__(self):
        return checked(do("str", self), str)

    def __repr__(self):
        return checked(do("repr", self), str)

    def __dir__(self):
        return do("dir", self)

    def __iter__(self):
        steps = do("iter", self)
        while True:
            try:
                item = do("next", steps)
            except StopIteration:
                return
            yield item

    def __next__(self):
        return do("next", self)

    def __contains__(self, wanted):
        return any(item is wanted or item == wanted for item in self)

    def __enter__(self):
        return do("getattr", self, "__enter__")()

    def __exit__(self, kind, error, trace):
        return do("getattr", self, "__exit__")(None, None, None)

    def __instancecheck__(self, value):
        return type(value) is Remote and do("isinstance", value, self)

def checked(value, kind):
    if type(value) is not kind:
        raise TypeError(f"Expected {kind.__name__} of the program.")
    return value

def names_in(code):
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= names_in(constant)
    return names

def described(name, description):
    if "exception" in description:
        names = description["exception"]
        known[name] = type(name, (kind_of(names[1:]),), {})
        return known[name]
    if "module" in description:
        # Its own copy, and under its own name: "import os as math" brings no other judge of numbers.
        if description["module"] != name or name not in sys.stdlib_module_names:
            raise AttributeError(name)
        return __import__(name)
    return decode(description["value"], resolve)

class Solution(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        global used
        used = True
        send({"do": "name", "name": name})
        message = receive()
        if "error" in message:
            raise AttributeError(name)
        return described(name, message)

def judge():
    try:
        compiled = compile(tests, "tests.py", "exec")
    except (SyntaxError, ValueError) as error:
        end(broken=f"The tests do not compile: {error}")
    wanted = sorted(name for name in names_in(compiled) if not hasattr(builtins, name))
    names = {"__name__": "solution"}
    sys.modules["solution"] = Solution("solution")
    try:
        send({"names": wanted})
        for name, description in receive()["names"].items():
            try:
                if name in wanted:
                    names[name] = described(name, description)
            except AttributeError:
                pass
        exec(compiled, names)
    except Broken as error:
        end(broken=str(error))
    except SystemExit as error:
        if error.code not in (None, 0):
            end(failed=f"The tests ended with {error.code}.")
    except Ended as error:
        end(failed=str(error), ended=True)
    except BaseException as error:
        end(failed="".join(traceback.format_exception(type(error), error, error.__traceback__.tb_next)))
    if not used:
        end(broken="The tests ended without a call of the program, so they check nothing.")
    end(passed=True)

judge()
`;
