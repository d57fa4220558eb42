import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { agentArn, FakeAgent } from '../fake-agent.fixture.ts';
import type { BatchRunOptions } from '../invoke/invoke-options.ts';
import { reportError } from '../report-error.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { runBatch } from './invoke-batch.ts';
import { runRuns } from './runs.ts';

async function rig(lines: string) {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'p.jsonl'), lines);
  const agent = new FakeAgent();
  const context = capturedContext({ cwd });
  const options: BatchRunOptions = {
    payloads: 'p.jsonl',
    arn: agentArn,
    bucket: 'results',
    expId: 'try',
    concurrency: 2,
    timeoutMs: 100_000,
    storeCheck: true,
  };
  const run = (chosen: Partial<BatchRunOptions> = {}) =>
    runBatch({ ...options, ...chosen }, context, agent.connect);
  const rows = () =>
    context
      .output()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { cwd, agent, context, run, rows };
}

const journal = { kind: 'folder', directory: '.art/runs' } as const;

describe('art invoke --payloads', () => {
  it('writes a line an item, and tells at the end what came of them', async () => {
    const { agent, context, run, rows } = await rig('{"n":1}\n{"n":0}\n');
    expect(await run({ set: { temperature: 0.5 } })).toBe(0);
    expect(rows().toSorted((a, b) => Number(a['index']) - Number(b['index']))).toMatchObject([
      {
        runId: expect.stringMatching(/^\d{8}-\d{6}-[0-9a-f]{6}$/) as string,
        index: 0,
        outcome: 'ok',
        reward: 1,
      },
      {
        id: '1',
        index: 1,
        attempts: [{ outcome: 'ok' }],
        outcome: 'ok',
        reward: 0,
        document: { rewards: 0 },
      },
    ]);
    expect(agent.sent[0]).toMatchObject({ _rollout: { exp_id: 'try', temperature: 0.5 } });
    expect(context.errors()).toMatch(
      /^Run \S+ is finished: 2 items, 2 ok; mean reward 0\.5 over 2 of 2\.\n$/,
    );
  });

  it('counts what is ok without a reward by what is wrong with it', async () => {
    const { context, run, rows } = await rig('{"n":1}\n{"n":"good"}\n{"n":[]}\n{"n":[]}\n');
    expect(await run()).toBe(0);
    expect(context.errors()).toContain(
      '4 items, 1 ok; mean reward 1.0 over 1 of 4 (2 ok with an empty list of rewards, 1 ok with rewards that are no number).',
    );
    const problems = rows().map((row) => (row['rewardProblem'] as { kind: string } | null)?.kind);
    expect(problems.toSorted()).toEqual(['empty', 'empty', 'not_a_number', undefined]);
  });

  it('records the run, and says by its exit code that not all went well', async () => {
    const { cwd, context, run } = await rig('{"n":1}\n{"fail":"x"}\n');
    expect(await run({ journal, run: 'step-1', out: 'out.jsonl' })).toBe(16);
    expect(context.output()).toBe('');
    expect(context.errors()).toContain(`Run step-1 of 2 payloads, recorded in ${join(cwd, '.art/runs')}.`);
    expect(await runRuns({ json: true }, context)).toBe(0);
    expect(JSON.parse(context.output())).toMatchObject({
      runId: 'step-1',
      state: 'finished',
      ok: 1,
      failed: 1,
    });
    await expect(run({ journal, run: 'step-1' })).rejects.toMatchObject({ code: 'ART_JOURNAL_EXISTS' });
  });

  it('tells the first error of each kind while it continues, and of how many a mean is', async () => {
    const { context, run } = await rig(
      '{"fail":"bug 1"}\n{"fail":"bug 2"}\n{"n":1}\n{"_bad":1,"unstarted":true}\n',
    );
    expect(await run({ concurrency: 1 })).toBe(16);
    const told = context.errors().split('\n');
    expect(told.filter((line) => line.startsWith('First agent_error'))).toEqual([
      expect.stringMatching(/^First agent_error \(rollout 0, session \S+\): ART_AGENT_ERROR: .*bug 1$/),
    ]);
    expect(told.filter((line) => line.startsWith('First rejected'))).toHaveLength(1);
    expect(context.errors()).toContain('mean reward 1.0 over 1 of 4 (2 agent_error, 1 rejected).');
  });

  it('ends a run whose sessions do not start, tells why, and leaves it to be resumed', async () => {
    const { agent, context, run } = await rig('{"unstarted":true}\n'.repeat(20));
    const failure = run({ journal, run: 'step-1', out: 'out.jsonl' });
    await expect(failure).rejects.toMatchObject({ code: 'ART_TOO_MANY_FAILURES' });
    const error: unknown = await failure.catch((caught: unknown) => caught);
    expect(reportError(error, context, false)).toBe(3);
    expect(agent.sent.length).toBeLessThan(10);
    expect(context.errors()).toMatch(/^First rejected .*: ART_RUNTIME_REJECTED: the image is missing$/m);
    expect(context.errors()).toContain('Once it is mended, "art resume step-1" continues.');
    expect(context.errors()).toMatch(
      /ART_TOO_MANY_FAILURES: .*first 5 sessions .*the image is missing\. Mend it/,
    );
    expect(await runRuns({ json: true }, context)).toBe(0);
    expect(JSON.parse(context.output())).toMatchObject({
      runId: 'step-1',
      state: 'open',
      done: 0,
      openSessions: 0,
    });
  });

  it('ends a run of which too many fail', async () => {
    const { run, rows } = await rig('{"fail":"x"}\n'.repeat(6));
    await expect(run({ maxFailures: 2, concurrency: 1 })).rejects.toThrow(
      /3 of 3 rollouts failed, more than maxFailures 2/,
    );
    expect(rows()).toHaveLength(3);
  });

  it('stops its sessions at Ctrl-C', async () => {
    const { agent, context, run } = await rig('{"hang":true}\n{"hang":true}\n{"n":1}\n');
    const running = run({ journal, run: 'step-1' });
    await vi.waitFor(() => expect(agent.sent).toHaveLength(2));
    context.signals.emit('SIGTERM', 'SIGTERM');
    expect(await running).toBe(143);
    expect(agent.stopped).toHaveLength(2);
    expect(context.errors()).toContain(
      'Interrupted after 0 items. The sessions were stopped; "art resume step-1" continues.',
    );
  });

  it.each<[string, string, Partial<BatchRunOptions>, string]>([
    ['a line that is no object', '{"n":1}\n7\n', {}, 'ART_INVALID_PAYLOAD'],
    ['an output that is the input', '{"n":1}\n', { out: './p.jsonl' }, 'ART_INVALID_OPTION'],
  ])('refuses %s before anything is sent', async (_, lines, chosen, code) => {
    const { agent, run } = await rig(lines);
    await expect(run(chosen)).rejects.toMatchObject({ code });
    expect(agent.sent).toEqual([]);
  });
});
