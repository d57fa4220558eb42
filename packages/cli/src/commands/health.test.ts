import { describe, expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { runCli } from '../run-cli.ts';
import { evaluationFolder, saidOnce, type WrittenSample } from './evaluation-folder.fixture.ts';
import { runHealth } from './health.ts';

const options = { training: false, fail: true, json: false };

const samples = (change: (at: number) => Partial<WrittenSample>): WrittenSample[] =>
  Array.from({ length: 10 }, (_, at) => ({
    taskId: `t${at}`,
    reward: at % 2,
    said: saidOnce(`${at}+1?`, `${at + 1}`),
    ...change(at),
  }));

describe('art health', () => {
  it('ends with 0 where nothing is wrong, and says what it could not see', async () => {
    const folder = await evaluationFolder(samples(() => ({})));
    const context = capturedContext({ cwd: folder });
    expect(await runHealth({ ...options, folder: '.' }, context)).toBe(0);
    expect(context.output()).toMatch(
      /^not observed +tools_never_called: no call offered tools to the model$/m,
    );
    expect(context.output()).toMatch(/^healthy +no_model_calls$/m);
    expect(context.output()).toMatch(/\nNo finding, in 10 rollouts\.\n$/);
  });

  it('ends with 1 where agents never asked their model, names samples and says what to do', async () => {
    const folder = await evaluationFolder(samples(() => ({ said: {} })));
    const context = capturedContext({ cwd: folder });
    expect(await runHealth({ ...options, folder }, context)).toBe(1);
    expect(context.output()).toMatch(
      /^error +no_model_calls: 10 of 10 rollouts \(100 %\) ended as ok without .*\n +see +t0#0; t1#0; t2#0\n +do +See whether/,
    );
    const lenient = capturedContext({ cwd: folder });
    expect(await runHealth({ ...options, folder, fail: false, json: true }, lenient)).toBe(0);
    const lines = lenient
      .output()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines[0]).toMatchObject({ event: 'check', check: 'no_model_calls', level: 'error', rollouts: 10 });
    expect(lines.at(-1)).toEqual({ event: 'health', rollouts: 10, worst: 'error' });
  });

  it('takes every threshold as an option', async () => {
    const failed = samples((at) => (at === 3 ? { outcome: 'lost', reward: null } : {}));
    const folder = await evaluationFolder(failed);
    const exits: number[] = [];
    for (const more of [[], ['--max-infrastructure-share', '0.2'], ['--reward-max', '0.5']]) {
      exits.push(await runCli(['health', folder, ...more], capturedContext({ cwd: folder })));
    }
    expect(exits).toEqual([1, 0, 1]);
  });
});
