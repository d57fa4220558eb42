import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isRunning } from '@art/tooling/is-running';
import { sayMissing } from '@art/tooling/say-missing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CodeTestsReward, type CodeTestsRewardOptions } from './code-tests-reward.ts';
import { findInterpreter } from './interpreter.ts';
import { isolationFor } from './isolation.ts';
import { python } from './python.fixture.ts';
import { runJudged } from './run-judged.ts';

const isolates = python !== undefined && (await isolationFor(python.program, python.folders)) !== undefined;
if (process.platform === 'linux' && python !== undefined && !isolates)
  sayMissing('no user namespaces on this machine, so what keeps judged programs from it is not tested');

const tests = 'assert add(2, 3) == 5\nassert add(-1, 1) == 0\n';

async function judge(code: string, options: CodeTestsRewardOptions = {}, test = tests) {
  const remarks: string[] = [];
  const reward = new CodeTestsReward({ timeoutMs: 100_000, ...options });
  const value = await reward.compute(
    { responseText: `Here it is:\n\`\`\`python\n${code}\n\`\`\`\nDone.`, tests: test },
    { remark: (text) => remarks.push(text) },
  );
  return { value, remarks: remarks.join('\n') };
}

describe.skipIf(python === undefined)('CodeTestsReward', () => {
  it('gives 1 for Python that passes its tests, and 0 with the reason for what does not', async () => {
    expect(await judge('def add(a, b):\n    return a + b')).toEqual({ value: 1, remarks: '' });
    const wrong = await judge('def add(a, b):\n    return a - b');
    expect(wrong.value).toBe(0);
    expect(wrong.remarks).toContain('AssertionError');
    expect((await judge('def add(')).remarks).toContain('SyntaxError');
  });

  it('judges JavaScript', async () => {
    const options = { language: 'javascript' } as const;
    const test = 'import assert from "node:assert"; assert.equal(add(2, 3), 5);';
    expect((await judge('const add = (a, b) => a + b;', options, test)).value).toBe(1);
    expect((await judge('const add = (a, b) => a;', options, test)).value).toBe(0);
  });

  it('does not take an early end with success for success', async () => {
    for (const code of [
      'import os; os._exit(0)',
      'import sys; sys.exit(0)',
      'print("passed")\nraise SystemExit',
    ])
      expect(await judge(code)).toMatchObject({ value: 0 });
  });

  it('bounds time, memory and output, and kills what was started', async () => {
    const child = 'import subprocess, sys\nsubprocess.Popen([sys.executable, "-c", "while True: pass"])\n';
    const endless = await judge(`${child}while True: pass`, { timeoutMs: 500 });
    expect(endless).toMatchObject({ value: 0, remarks: expect.stringContaining('too long') as string });
    const talker = await judge('while True: print("x" * 1000)', { outputBytes: 10_000 });
    expect(talker.remarks).toContain('wrote too much');
    expect(talker.remarks.length).toBeLessThan(3_000);
    if (process.platform === 'linux') {
      const greedy = await judge('x = bytearray(10**9)\ndef add(a, b): return a + b', { memoryBytes: 300e6 });
      expect(greedy).toMatchObject({ value: 0, remarks: expect.stringContaining('MemoryError') as string });
    }
  });

  it('shows nothing of this process to the program', async () => {
    process.env['ART_TEST_SECRET'] = 'secret';
    const code = 'import os\nassert "ART_TEST_SECRET" not in os.environ\ndef add(a, b): return a + b';
    expect((await judge(code)).value).toBe(1);
    delete process.env['ART_TEST_SECRET'];
  });

  it.each<[string, string, string]>([
    ['mutation', 'def sort(l): l.sort()', 'a = [3, 1]\nsort(a)\nassert a == [1, 3]'],
    [
      'kinds',
      'def same(x): return x',
      'import math, decimal\nv = [1, 2.5, None, True, "é", b"a", (1, [2]), {3}, {1: (2,)}, 2**80, decimal.Decimal("0.1"), 1j]\nassert same(v) == v and type(same((1,))) is tuple\nassert math.isnan(same(math.nan)) and same(math.inf) == math.inf',
    ],
    [
      'classes',
      'class Stack:\n  def __init__(self, *items, size=9): self.items = list(items); self.size = size\n  def push(self, x): self.items.append(x); return self\n  def pop(self): return self.items.pop()\n  def __len__(self): return len(self.items)\n  def __getitem__(self, i): return self.items[i]',
      's = Stack(1, size=3)\nassert s.push(2).push(7).pop() == 7 and len(s) == 2 and s[0] == 1 and s.size == 3\nassert isinstance(s, Stack) and not isinstance(3, Stack) and list(s) == [1, 2] and 2 in s\ns.size = 4\nassert s.size == 4 and s != Stack(1, 2)',
    ],
    [
      'errors',
      'class Odd(ValueError): pass\ndef half(x):\n  if x % 2: raise Odd(f"{x} is odd")\n  return x // 2',
      'try:\n  half(3)\n  assert False\nexcept Odd as e:\n  assert str(e) == "3 is odd" and isinstance(e, ValueError)\nassert half(4) == 2',
    ],
    [
      'callbacks',
      'def apply(f, xs): return [f(x) for x in xs]',
      'assert apply(lambda x: x * 2, [1, 2]) == [2, 4]\nassert apply(len, ["ab"]) == [2]',
    ],
    [
      'generators',
      'def count():\n  n = 0\n  while True:\n    yield n\n    n += 1',
      'import itertools\nassert list(itertools.islice(count(), 3)) == [0, 1, 2]\ng = count()\nassert next(g) == 0 and next(g) == 1',
    ],
    [
      'coroutines',
      'import asyncio\nasync def later(x):\n  await asyncio.sleep(0)\n  return x',
      'import asyncio\nassert asyncio.run(later(3)) == 3',
    ],
    [
      'its own check',
      'import math\nfrom typing import List\ndef area(r: float) -> float: return math.pi * r * r',
      'def check(candidate):\n  assert abs(candidate(1) - math.pi) < 1e-9\ncheck(area)\nfrom solution import area as a\nimport solution\nassert a(0) == solution.area(r=0) == 0',
    ],
    [
      'dataclasses',
      'from dataclasses import dataclass\n@dataclass\nclass P:\n  x: int\n  y: int = 2\ndef make(): return P(1)\nLIMIT = 7',
      'p = make()\nassert (p.x, p.y, LIMIT) == (1, 2, 7) and repr(p) == "P(x=1, y=2)" and vars(p) == {"x": 1, "y": 2}',
    ],
    [
      'unittest',
      'def add(a, b): return a + b',
      'import unittest\nclass T(unittest.TestCase):\n  def test(self): self.assertEqual(add(1, 2), 3)\nresult = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(T))\nassert result.wasSuccessful() and result.testsRun == 1',
    ],
  ])('judges Python by %s', async (_name, code, test) => {
    expect(await judge(code, {}, test)).toEqual({ value: 1, remarks: '' });
  });

  it.each<[string, string, string]>([
    [
      'mutation',
      'const sort = (list) => void list.sort();',
      'const a = [3, 1]; sort(a); assert.deepEqual(a, [1, 3]);',
    ],
    [
      'kinds',
      'function same(x) { return x; }',
      'const v = [1, -0, NaN, null, undefined, 10n, "é", new Map([[1, new Set([2])]]), new Date(5), /a/g, { a: [{}] }]; assert.deepStrictEqual(same(v), v);',
    ],
    [
      'classes',
      'export class Point { #hidden = 1; constructor(x) { this.x = x; } move(by) { this.x += by; return this; } get twice() { return this.x * 2; } *[Symbol.iterator]() { yield this.x; } }',
      'const p = new Point(1); assert.equal(p.move(2).move(1).x, 4); assert.equal(p.twice, 8); assert.ok(p instanceof Point); assert.deepEqual(p, { x: 4 }); assert.notDeepEqual(p, { x: 5 }); assert.deepEqual([...p], [4]); p.x = 9; assert.equal(p.x, 9);',
    ],
    [
      'errors',
      'class Odd extends RangeError {}\nconst half = (x) => { if (x % 2) throw new Odd(x + " is odd"); return x / 2; };',
      'assert.throws(() => half(3), { message: "3 is odd" }); assert.throws(() => half(3), RangeError); assert.throws(() => half(3), Odd); assert.equal(half(4), 2);',
    ],
    [
      'callbacks',
      'const apply = (f, xs) => xs.map((x) => f(x));',
      'assert.deepEqual(apply((x) => x * 2, [1, 2]), [2, 4]);',
    ],
    [
      'promises',
      'const later = async (x) => { await new Promise((r) => setTimeout(r, 1)); if (x < 0) throw new TypeError("no"); return x; };',
      'import assert from "node:assert/strict"; assert.deepEqual(await Promise.all([later(1), later(2)]), [1, 2]); await assert.rejects(later(-1), TypeError);',
    ],
    [
      'node:test',
      'const add = (a, b) => a + b;',
      'import { test } from "node:test"; test("adds", () => assert.equal(add(1, 2), 3));',
    ],
  ])('judges JavaScript by %s', async (_name, code, test) => {
    expect(await judge(code, { language: 'javascript' }, test)).toEqual({ value: 1, remarks: '' });
  });

  it('takes failed tests of node:test for failed', async () => {
    const test = 'import { test } from "node:test"; test("adds", () => assert.equal(add(1, 2), 3));';
    expect((await judge('const add = () => 0;', { language: 'javascript' }, test)).value).toBe(0);
  });

  it.each<[CodeTestsRewardOptions, string]>([
    [{}, 'assert add(2, 3) = 5'],
    [{}, 'assert 2 + 3 == 5'],
    [{}, 'def test_add():\n  assert add(2, 3) == 5'],
    [{}, 'class A: pass\nadd(A(), 3)'],
    [{ language: 'javascript' }, 'assert.equal(add(2, 3), 5'],
    [{ language: 'javascript' }, 'assert.equal(2 + 3, 5);'],
  ])('refuses, with %j, the tests %j, which judge nothing', async (options, test) => {
    const code = options.language === 'javascript' ? 'const add = () => 0;' : 'def add(a, b): pass';
    await expect(judge(code, options, test)).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
  });

  // What only a machine with namespaces can do.
  it.runIf(process.platform === 'linux' && isolates)('keeps this machine from programs', async () => {
    const probe = `import os, pathlib, socket, sys
def probe(secret):
  seen = []
  for path in (secret, "/etc/passwd", "/proc/1/environ", "/root/.ssh", "/home"):
    if os.path.exists(path): seen.append(path)
  for path in ("/usr/art", sys.prefix + "/art", os.path.dirname(sys.executable) + "/art"):
    try: pathlib.Path(path).write_text("x"); seen.append("wrote " + path)
    except OSError: pass
  for path in ("/dev/null", "/usr"):
    try: os.chmod(path, os.stat(path).st_mode); seen.append("changed " + path)
    except OSError: pass
  open("/dev/null", "w").write("x")
  # Within its root in memory it may do as it likes.
  pathlib.Path("/etc/ld.so.cache").write_text("x")
  try: socket.create_connection(("127.0.0.1", int(open(secret).read())), 1); seen.append("network")
  except OSError: pass
  return seen, os.getpid() < 10, sorted(os.environ)`;
    const folder = await mkdtemp(join(tmpdir(), 'secret-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const secret = join(folder, 'secret');
    await writeFile(secret, '1');
    const test = `seen, is_alone, names = probe(${JSON.stringify(secret)})
assert seen == [] and is_alone, seen
assert not set(names) - {"HOME", "TMPDIR", "PATH", "LANG", "LC_CTYPE", "PWD", "OLDPWD", "SHLVL", "_"}, names`;
    const before = await readFile('/etc/ld.so.cache').catch(() => undefined);
    expect(await judge(probe, { isolation: 'required', network: 'off' }, test)).toEqual({
      value: 1,
      remarks: '',
    });
    expect(await readFile('/etc/ld.so.cache').catch(() => undefined)).toEqual(before);
    await rm(dirname(secret), { recursive: true });
  });

  const daemon = (pidFile: string): string => `import os, time
if os.fork() == 0:
  os.setsid()
  if os.fork() == 0:
    with open(${JSON.stringify(`${pidFile}.part`)}, "w") as file: file.write(str(os.getpid()))
    os.rename(${JSON.stringify(`${pidFile}.part`)}, ${JSON.stringify(pidFile)})
    while True: time.sleep(1)
  os._exit(0)
while not os.path.exists(${JSON.stringify(pidFile)}): time.sleep(0.01)
def add(a, b): return a + b`;

  it('kills what left its group, and the first process of a namespace that wants to live on', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pids-'));
    const interpreter = await findInterpreter('python', undefined, 512e6);
    const limits = { timeoutMs: 20_000, memoryBytes: 512e6, outputBytes: 65_536 };
    const pidFile = join(folder, 'pid');
    const judged = { program: daemon(pidFile), tests, interpreter, isolation: undefined, network: true };
    expect(await runJudged(judged, limits, undefined)).toMatchObject({ kind: 'passed' });
    const pid = Number(await readFile(pidFile, 'utf8'));
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
    if (isolates) {
      const marker = `art-${process.pid}-${Math.random()}`;
      const clinging = `import ctypes, os, time
ctypes.CDLL(None).prctl(1, 0)
try: os.setsid()
except OSError: pass
def add(a, b):
  if os.fork() == 0: os.execvp("sleep", ["sleep", "1000", "${marker}"])
  return a + b`;
      await judge(clinging, { isolation: 'required' });
      await vi.waitFor(async () => {
        const { stdout } = await promisify(execFile)('ps', ['ax', '-o', 'args=']);
        expect(stdout.includes(marker)).toBe(false);
      });
    }
    await rm(folder, { recursive: true });
  });

  it('refuses, where it is wanted, to judge what it cannot isolate, and warns otherwise', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const path = process.env['PATH'];
    // A machine without unshare, asked about an interpreter that was not tried before.
    const { program } = await findInterpreter('python', undefined, 512e6);
    const folder = await mkdtemp(join(tmpdir(), 'bin-'));
    await symlink(program, join(folder, 'python3'));
    process.env['PATH'] = folder;
    const command = join(folder, 'python3');
    try {
      for (const options of [{ isolation: 'required' }, { network: 'off' }] as const)
        await expect(judge('def add(a, b): return a + b', { ...options, command })).rejects.toMatchObject({
          code: 'ART_JUDGE_FAILED',
          message: expect.stringContaining('best-effort') as string,
        });
      expect(warn).not.toHaveBeenCalled();
      expect((await judge('def add(a, b): return a + b', { command })).value).toBe(1);
      expect(warn).toHaveBeenCalledExactlyOnceWith(
        expect.stringContaining('with the rights of this process'),
        { code: 'ART_CODE_NOT_ISOLATED' },
      );
    } finally {
      process.env['PATH'] = path;
      warn.mockRestore();
      await rm(folder, { recursive: true });
    }
  });

  it('throws where nothing can be run, which is no 0', async () => {
    await expect(judge('x', { command: 'no-such-python' })).rejects.toMatchObject({
      code: 'ART_JUDGE_FAILED',
    });
  });

  it('ends with its signal', async () => {
    const controller = new AbortController();
    const judging = new CodeTestsReward().compute(
      { responseText: 'while True: pass', tests },
      { signal: controller.signal },
    );
    controller.abort(new Error('enough'));
    await expect(judging).rejects.toThrow('enough');
  });
});
