/** Code that both processes share: plain values travel as JSON, everything else by reference. */
export const pythonValues = String.raw`
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
