import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { evaluationFolder, saidOnce } from './evaluation-folder.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { runExport } from './export.ts';

describe('art export', () => {
  it('writes the good samples of an evaluation without tokens, and says what it left out', async () => {
    const folder = await evaluationFolder([
      { taskId: 'a', said: saidOnce('1+1?', '2') },
      { taskId: 'b', reward: 0, said: saidOnce('2+2?', '5') },
      { taskId: 'c', said: undefined },
    ]);
    const context = capturedContext({ cwd: folder });
    expect(await runExport({ run: '.', format: 'openai', minReward: 1, out: 'a.jsonl' }, context)).toBe(0);
    expect(readFileSync(join(folder, 'a.jsonl'), 'utf8')).toBe(
      '{"messages":[{"role":"user","content":"1+1?"},{"role":"assistant","content":"2"}]}\n',
    );
    expect(context.errors()).toBe(
      `Rollouts: 3. Lines: 1. Left out:
  reward below --min-reward: 1
  no call of a model on record (a gateway has to see the calls: "art eval" with --base-url, "art invoke" with --gateway): 1
`,
    );
    const again = runExport({ run: '.', format: 'openai', minReward: 1, out: 'a.jsonl' }, context);
    await expect(again).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
  });

  it('says where no call is of an agent that was chosen', async () => {
    const folder = await evaluationFolder([{ taskId: 'a', said: saidOnce('1+1?', '2') }]);
    const context = capturedContext({ cwd: folder });
    const code = await runExport(
      { run: '.', format: 'openai', minReward: 1, trainLabel: ['critc'] },
      context,
    );
    expect([code, context.errors()]).toEqual([
      3,
      'Rollouts: 1. Lines: 0. Left out:\n  no call of an agent that --train-model, --train-label and --lineage choose: 1\n',
    ]);
  });

  it('pairs samples of a task that were recorded far apart, each by its latest line', async () => {
    const folder = await evaluationFolder([
      { taskId: 'a', sample: 0, reward: 0, said: saidOnce('1+1?', '3') },
      { taskId: 'b', said: saidOnce('2+2?', '4') },
      { taskId: 'a', sample: 1, reward: 0.5, said: saidOnce('1+1?', 'two?') },
      { taskId: 'a', sample: 1, reward: 1, said: saidOnce('1+1?', '2') },
    ]);
    const context = capturedContext({ cwd: folder });
    expect(await runExport({ run: folder, format: 'dpo' }, context)).toBe(0);
    expect(JSON.parse(context.output())).toEqual({
      prompt: [{ role: 'user', content: '1+1?' }],
      chosen: [{ role: 'assistant', content: '2' }],
      rejected: [{ role: 'assistant', content: '3' }],
    });
  });

  it('takes the rollouts of a training run and of art invoke, and says what it takes', async () => {
    const folder = await temporaryFolder();
    const line = {
      schema: 'art.rollout.v1',
      id: 'a#0',
      inputId: 'a',
      outcome: 'ok',
      reward: 1,
      conversation: saidOnce('1+1?', '2'),
    };
    await writeFile(join(folder, 'metrics.jsonl'), '{"step":1}\n');
    await writeFile(join(folder, 'rollouts.jsonl'), `${JSON.stringify(line)}\n{"schema":"art.ro`);
    for (const run of ['.', 'rollouts.jsonl']) {
      const context = capturedContext({ cwd: folder });
      expect(await runExport({ run, format: 'trl', minReward: 1 }, context)).toBe(0);
      expect(context.errors()).toMatch(/rollouts\.jsonl: left out 17 bytes, a line that is not whole/);
      expect(JSON.parse(context.output())).toEqual({
        messages: [
          { role: 'user', content: '1+1?' },
          { role: 'assistant', content: '2' },
        ],
      });
    }
    const nothing = runExport({ run: 'nothing', format: 'atif' }, capturedContext({ cwd: folder }));
    await expect(nothing).rejects.toThrow(/Expected `run` to be a folder of "art eval".* got "nothing"/);
  });

  it('leaves no file behind where it was ended, and says where no rollout fits', async () => {
    const folder = await evaluationFolder([{ taskId: 'a', said: saidOnce('1+1?', '2') }]);
    const context = capturedContext({ cwd: folder });
    const stdout = { write: () => void context.signals.emit('SIGINT', 'SIGINT') };
    const ended = runExport({ run: folder, format: 'atif' }, { ...context, stdout });
    context.signals.emit('SIGINT', 'SIGINT');
    expect(await ended).toBe(130);
    const none = capturedContext({ cwd: folder });
    expect(await runExport({ run: folder, format: 'trl', minReward: 2, out: 'x.jsonl' }, none)).toBe(3);
    expect(existsSync(join(folder, 'x.jsonl'))).toBe(false);
    await expect(runExport({ run: folder, format: 'trl' }, none)).rejects.toThrow(/minReward/);
  });
});
