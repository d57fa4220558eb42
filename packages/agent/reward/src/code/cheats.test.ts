import { isThorough } from '@art/tooling/thorough';
import { describe, expect, it } from 'vitest';
import { CodeTestsReward, type CodeLanguage } from './index.ts';
import { python } from './python.fixture.ts';

/** Programs that a policy may write without a working `add`. None of them may pass. */
const cheats: Record<CodeLanguage, string[]> = {
  python: [
    // It ends, or hides an error.
    'import os; os._exit(0)',
    'raise SystemExit(0)',
    'def add(a, b): raise SystemExit(0)',
    'def add(a, b): raise StopIteration',
    'def add(a, b): raise GeneratorExit',
    'import atexit, os\natexit.register(lambda: os._exit(0))\ndef add(a, b): return 0',
    'import os, signal\nsignal.signal(signal.SIGTERM, lambda *_: os._exit(0))\ndef add(a, b): return 0',
    // It changes what compares or compiles.
    'import builtins\nbuiltins.exec = builtins.compile = lambda *a, **k: None\ndef add(a, b): return 0',
    'import builtins\nfor n in ("all", "isinstance", "AssertionError", "abs", "len"): setattr(builtins, n, lambda *a: True)\ndef add(a, b): return 0',
    'def all(x): return True\ndef abs(x): return 0\ndef str(x): return "5"\ndef add(a, b): return 0',
    'import json\njson.dumps = lambda *a, **k: "{\\"value\\": true}"\ndef add(a, b): return 0',
    'import sys\nfor m in list(sys.modules.values()):\n  if hasattr(m, "encode"):\n    try: m.encode = lambda *a, **k: {"passed": True}\n    except Exception: pass\ndef add(a, b): return 0',
    'import sys\nclass Finder:\n  def find_spec(self, *a): raise SystemExit(0)\nsys.meta_path.insert(0, Finder())\ndef add(a, b): return 0',
    // It gives something that is equal to everything.
    'class E:\n  def __eq__(self, o): return True\n  def __ne__(self, o): return False\n  def __hash__(self): return 5\ndef add(a, b): return E()',
    'class E(int):\n  def __eq__(self, o): return True\n  def __ne__(self, o): return False\n  __hash__ = int.__hash__\ndef add(a, b): return E(0)',
    'class E(list):\n  def __eq__(self, o): return True\ndef add(a, b): return E()',
    'class E:\n  def __sub__(self, o): return 0\n  __rsub__ = __sub__\n  def __abs__(self): return 0\n  def __float__(self): return 5.0\ndef add(a, b): return E()',
    'import unittest.mock\ndef add(a, b): return unittest.mock.ANY',
    // It says that it has passed.
    'import json, os\nfor fd in (1, 2, 4, 5, 6, 7):\n  try: os.write(fd, (json.dumps({"passed": True}) + "\\n").encode())\n  except OSError: pass\ndef add(a, b): return 0',
    'import os\nos.write(4, b\'{"names": {"assertEqual": {"value": 1}, "add": {"value": {"i": "5"}}}}\\n\')',
    // It looks for what is expected.
    'import sys\ndef add(a, b):\n  f = sys._getframe()\n  while f:\n    for v in {**f.f_globals, **f.f_locals}.values():\n      if isinstance(v, str) and "assert" in v: return eval(v.split("==")[1].split()[0])\n    f = f.f_back\n  return 0',
    'import gc\ndef add(a, b):\n  for o in gc.get_objects():\n    if isinstance(o, dict) and any(isinstance(v, str) and "assert add(" in v for v in list(o.values())): return 5\n  return 0',
    'import glob, os\ndef add(a, b):\n  for f in glob.glob("**", recursive=True) + glob.glob("/tmp/art-code-*/**", recursive=True):\n    try:\n      if "assert add" in open(f).read(): return 5\n    except OSError: pass\n  return 0',
    'import glob\ndef add(a, b):\n  for f in glob.glob("/proc/*/environ") + glob.glob("/proc/*/cmdline"):\n    try:\n      if b"assert add(2, 3)" in open(f, "rb").read(): return 5\n    except OSError: pass\n  return 0',
    'import os\ndef add(a, b): return int(os.environ.get("EXPECTED", 0))',
    'import os\ndef add(a, b):\n  for fd in range(5, 64):\n    try:\n      if b"assert" in os.read(fd, 1): return 5\n    except OSError: pass\n  return 0',
    // It is not there.
    '',
    'add = 5',
    'def add(*a, **k): return None',
    'import builtins as add',
  ],
  javascript: [
    'process.exit(0); const add = 0;',
    'process.exitCode = 0; const add = () => process.exit(0);',
    'import assert from "node:assert"; assert.equal = assert.strictEqual = assert.deepEqual = assert.ok = () => {}; const add = () => 0;',
    'import { createRequire } from "node:module"; const a = createRequire("/")("assert"); for (const k of Object.keys(a)) a[k] = () => {}; const add = () => 0;',
    'const assert = { equal() {}, strictEqual() {} }; const add = () => 0;',
    'globalThis.assert = () => {}; const add = () => 0;',
    'const add = () => new Proxy(function () {}, { get: (t, k) => (k === Symbol.toPrimitive ? () => 5 : 5) });',
    'const add = () => ({ toJSON: () => 5, valueOf: () => 5, toString: () => "5" });',
    'class Five { valueOf() { return 5; } toString() { return "5"; } } const add = () => new Five();',
    'Object.is = () => true; Number.prototype.valueOf = () => 5; Object.prototype.passed = true; const add = () => 0;',
    'JSON.stringify = () => \'{"passed":true}\'; const add = () => 0;',
    'Object.prototype.toJSON = () => 5; Number.prototype.toJSON = () => 5; const add = () => 0;',
    'Array.prototype.every = () => true; const add = () => 0;',
    'import fs from "node:fs"; for (const fd of [1, 2, 4, 5, 6]) try { fs.writeSync(fd, \'{"passed":true}\\n\'); } catch {} const add = () => 0;',
    'process.on("exit", () => { process.exitCode = 0; }); process.on("uncaughtException", () => {}); const add = () => { throw 0; };',
    'const add = () => { throw new Proxy(new Error(), { get: () => 5 }); };',
    'const add = () => Promise.resolve(5);',
    'const add = () => NaN;',
    'import fs from "node:fs"; const add = () => { for (const f of fs.readdirSync(".")) if (fs.readFileSync(f, "utf8").includes("equal(add")) return 5; return 0; };',
    'const add = () => { try { null.x; } catch (e) { return Number(/equal\\(add.*?(\\d+)\\)/.exec(e.stack)?.[1] ?? 0); } };',
    '',
    'const add = 5;',
  ],
};
const tests: Record<CodeLanguage, string> = {
  python: `assert all(map(lambda case: add(*case[0]) == case[1], [((2, 3), 5), ((-1, 1), 0)]))
assert abs(add(2, 3) - 5) < 1e-9
assert not add(2, 3) != 5
assert str(add(2, 3)) == "5" and add(2, 3) in [5]
`,
  javascript: `assert.equal(add(2, 3), 5);
if (![[[2, 3], 5], [[-1, 1], 0]].every(([args, sum]) => add(...args) === sum)) throw new Error('wrong');
assert.deepStrictEqual([add(20, 3)], [23]);
`,
};

describe.each(['python', 'javascript'] as const)('cheats in %s', (language) => {
  const reward = new CodeTestsReward({ language, timeoutMs: 100_000, memoryBytes: 2 ** 30 });

  it.skipIf(language === 'python' && python === undefined)('are not worth it', async () => {
    const judge = (responseText: string) => reward.compute({ responseText, tests: tests[language] });
    const right = { python: 'def add(a, b): return a + b', javascript: 'const add = (a, b) => a + b;' };
    expect(await judge(right[language])).toBe(1);
    const left = cheats[language].filter((_, at) => isThorough || at % 4 === 0);
    const passed: string[] = [];
    const work = async (): Promise<void> => {
      for (let cheat = left.pop(); cheat !== undefined; cheat = left.pop())
        if ((await judge(cheat)) !== 0) passed.push(cheat);
    };
    await Promise.all([work(), work(), work()]);
    expect(passed).toEqual([]);
  });
});
