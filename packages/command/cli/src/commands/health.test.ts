import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { runCli } from '../run-cli.ts';
import { evaluationFolder, saidOnce, type WrittenSample } from './evaluation-folder.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
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

  describe.each(['rollouts of art invoke', 'groups', 'art collect', 'art train'] as const)(
    'of %s',
    (kind) => {
      it('finds what is wrong, and nothing where nothing is', async () => {
        const exits: [number, string[]][] = [];
        for (const isSick of [true, false]) {
          const path = await recordedRun(kind, isSick);
          const context = capturedContext({ cwd: path });
          const code = await runCli(['health', path, '--training', '--json'], context);
          const checks = context
            .output()
            .trimEnd()
            .split('\n')
            .map(
              (line) => JSON.parse(line) as { check: string; state: string; event: string; rollouts: number },
            );
          expect(checks.at(-1)).toMatchObject({ event: 'health', rollouts: 8 });
          exits.push([code, checks.filter(({ state }) => state === 'finding').map(({ check }) => check)]);
        }
        expect(exits).toEqual([
          [1, expect.arrayContaining(['no_model_calls'])],
          [0, []],
        ]);
      });
    },
  );

  it('says what it accepts, of anything else', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'empty'));
    await writeFile(join(folder, 'notes.txt'), 'hello\n');
    await writeFile(join(folder, 'payloads.jsonl'), '{"prompt":"a"}\n');
    for (const wrong of ['empty', 'notes.txt', 'payloads.jsonl', 'missing']) {
      const context = capturedContext({ cwd: folder });
      expect(await runCli(['health', wrong], context)).toBe(2);
      expect(context.errors()).toMatch(
        /ART_INVALID_OPTION.*art eval.*art train.*art collect.*art invoke --out/s,
      );
      expect(context.errors()).toContain(wrong);
    }
    // A loop that keeps no rollouts.
    await writeFile(join(folder, 'empty', 'learn.jsonl'), '{"step":1}\n');
    const context = capturedContext({ cwd: folder });
    expect(await runCli(['health', 'empty'], context)).toBe(2);
    expect(context.errors()).toContain('rollouts.jsonl');
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

/** Four groups of two. Those of a sick run have never called their model. */
async function recordedRun(
  kind: 'rollouts of art invoke' | 'groups' | 'art collect' | 'art train',
  isSick: boolean,
): Promise<string> {
  const folder = await temporaryFolder();
  const outcome = (group: number, member: number) => ({
    outcome: 'ok',
    reward: member,
    error: null,
    sessionId: `s${group}-${member}`,
    modelCalls: isSick ? 0 : 2,
    failedCalls: 0,
    trainedTokens: isSick ? 0 : 5,
  });
  const places = [0, 1, 2, 3].flatMap((group) => [0, 1].map((member) => [group, member] as const));
  const items = places.map(([group, member]) => ({
    schema: 'art.rollout.v1',
    runId: 'one',
    id: `${group}-${member}`,
    inputId: `i${group}`,
    ...outcome(group, member),
  }));
  const groups = [0, 1, 2, 3].map((group) => ({
    schema: 'art.group.v1',
    id: `g${group}`,
    inputId: `i${group}`,
    members: [0, 1].map((member) => ({ member, status: 'kept', ...outcome(group, member) })),
  }));
  const lines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  switch (kind) {
    case 'rollouts of art invoke':
      await writeFile(join(folder, 'results.jsonl'), lines(items));
      return join(folder, 'results.jsonl');
    case 'groups':
      await writeFile(join(folder, 'results.jsonl'), lines(groups));
      return join(folder, 'results.jsonl');
    case 'art train':
      await writeFile(join(folder, 'metrics.jsonl'), '{"step":1}\n');
      await writeFile(join(folder, 'rollouts.jsonl'), lines(items));
      return folder;
    case 'art collect':
      await mkdir(join(folder, 'requests', 'r'), { recursive: true });
      await writeFile(join(folder, 'requests', 'r', 'request.json'), '{}');
      for (const [at, group] of groups.entries())
        await writeFile(
          join(folder, 'requests', 'r', `${at}.json`),
          snakeCased(JSON.stringify({ ...group, event: 'group' })),
        );
      return folder;
  }
}

function snakeCased(text: string): string {
  return text.replaceAll(/"\w+":/g, (name) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
}
