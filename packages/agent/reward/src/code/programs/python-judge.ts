import { pythonValues } from './python-values.ts';

/** Holds the tests and compares. Nothing of the program runs here: what arrives are values, and references that it asks about. */
export const pythonJudge = String.raw`${pythonValues}
import builtins, dis, traceback

verdict = os.fdopen(5, "w", encoding="utf-8")
tests = sys.stdin.read()
used = False

class Broken(BaseException):
    """The tests want something that cannot be done, whatever the program is."""

class Malformed(BaseException):
    """The program wrote something into its channel that is no answer. No test that expects an error takes that for one."""

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
    if isinstance(value, types.CoroutineType):
        raise TypeError("The program gave a coroutine, which was passed on before it was awaited.")
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

def read(step):
    """What the program wrote, read under guard."""
    try:
        return step()
    except Exception as error:
        raise Malformed(f"The program wrote what is no value: {type(error).__name__}") from None

def answer():
    message = read(receive)
    if type(message) is not dict:
        raise Malformed("The program wrote what is no message.")
    return message

def do(action, /, *args, **named):
    global used
    used = True
    send({
        "do": action, "args": [encode(value, refer) for value in args],
        "named": {name: encode(value, refer) for name, value in named.items()},
    })
    message = answer()
    while "callback" in message:
        send(called_back(message))
        message = answer()
    if "error" in message:
        raise read(lambda: raised(message["error"], message.get("message", ""), action))
    # What the program changed in a list, it changed in a copy.
    for at, value in read(lambda: [(known_index(at, args), decode(value, resolve)) for at, value in message.get("changed", [])]):
        update(args[at], value)
    return read(lambda: decode(message["value"], resolve))

def known_index(at, among):
    if type(at) is not int or not 0 <= at < len(among):
        raise IndexError("no such argument")
    return at

def called_back(message):
    function = read(lambda: callbacks[known_index(message["callback"], callbacks)])
    args = read(lambda: list(decode(message["args"], resolve)))
    try:
        return {"value": encode(function(*args), refer)}
    except (Exception, Broken) as error:
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

def raised(names, message, action):
    """An error of the program, as one of its kind that this process knows. Never one that would end the judge."""
    # Only the step of an iterator may end it. Elsewhere it would end what goes through the test's cases, such as all(map(...)), as if all had passed.
    kind = StopIteration if action == "next" and names[0] == "StopIteration" else kind_of(names)
    error = Exception.__new__(kind)
    error.args = (message,)
    return error

def kind_of(names):
    if names and names[0] in known:
        return known[names[0]]
    for name in names:
        kind = getattr(builtins, name, None)
        if isinstance(kind, type) and issubclass(kind, Exception):
            return RuntimeError if issubclass(kind, (StopIteration, StopAsyncIteration)) else kind
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
        names = [str(each) for each in description["exception"]]
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
        # A name that the program does not define stays unknown to it.
        if name not in defined:
            raise AttributeError(name)
        return ask_name(name)

def loaded_in(code):
    """The names that the code reads without an object before them."""
    names = {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_NAME", "LOAD_GLOBAL")}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= loaded_in(constant)
    return names

defined = {}

def ask_name(name):
    send({"do": "name", "name": name})
    message = answer()
    if "error" in message:
        raise AttributeError(name)
    return read_description(name, message)

def read_description(name, description):
    try:
        if "asked" in description:
            return ask_name(name)
        return described(name, description)
    except AttributeError:
        raise
    except Exception as error:
        raise Malformed(f"The program wrote what is no value: {type(error).__name__}") from None

def judge():
    try:
        compiled = compile(tests, "tests.py", "exec")
    except (SyntaxError, ValueError) as error:
        end(broken=f"The tests do not compile: {error}")
    wanted = {name for name in names_in(compiled) if not hasattr(builtins, name)}
    names = {"__name__": "solution"}
    sys.modules["solution"] = Solution("solution")
    try:
        send({"run": True})
        defined.update(read(lambda: dict(answer()["names"])))
        for name in wanted & defined.keys():
            try:
                names[name] = read_description(name, defined[name])
            except AttributeError:
                pass
        exec(compiled, names)
    except Broken as error:
        end(broken=str(error))
    except Malformed as error:
        end(failed=str(error))
    except SystemExit as error:
        if error.code not in (None, 0):
            end(failed=f"The tests ended with {error.code}.")
    except Ended as error:
        end(failed=str(error), ended=True)
    except BaseException as error:
        end(failed="".join(traceback.format_exception(type(error), error, error.__traceback__.tb_next)))
    if not used:
        missing = sorted(name for name in loaded_in(compiled) if name not in names and not hasattr(builtins, name))
        if missing:
            end(failed=f"The program does not define {', '.join(missing)}.")
        end(broken="The tests ended without a call of the program, so they check nothing.")
    end(passed=True)

judge()
`;
