import { describe, expect, it } from 'vitest';
import { CodeTestsReward, type CodeTestsRewardOptions } from './code-tests-reward.ts';

const tests = 'assert add(2, 3) == 5\nassert add(-1, 1) == 0\n';

async function judge(code: string, options: CodeTestsRewardOptions = {}, test = tests) {
  const remarks: string[] = [];
  const reward = new CodeTestsReward({ timeoutMs: 20_000, ...options });
  const value = await reward.compute(
    { responseText: `Here it is:\n\`\`\`python\n${code}\n\`\`\`\nDone.`, tests: test },
    { remark: (text) => remarks.push(text) },
  );
  return { value, remarks: remarks.join('\n') };
}

describe('CodeTestsReward', () => {
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
