import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileJournal, readRun } from '@art/journal';
import { describe, expect, it, vi } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { FakeAgent } from '../fake-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { breakRun, brokenPayloads } from './journaled-run.fixture.ts';
import { type ResumeRunOptions, runResume } from './resume.ts';

async function rig(payloads: readonly object[] = brokenPayloads) {
  const cwd = await temporaryFolder();
  const agent = new FakeAgent();
  await writeFile(join(cwd, 'p.jsonl'), payloads.map((payload) => `${JSON.stringify(payload)}\n`).join(''));
  const context = capturedContext({ cwd });
  const directory = join(cwd, '.art/runs');
  const resume = (options: Partial<ResumeRunOptions> = {}) =>
    runResume({ run: 'r', payloads: 'p.jsonl', storeCheck: true, ...options }, context, agent.connect);
  const lines = async (name: string): Promise<Record<string, unknown>[]> =>
    (await readFile(join(cwd, name), 'utf8'))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { cwd, agent, context, directory, resume, lines };
}

describe('art resume', () => {
  it('runs what is missing, writes it down, and finishes the run', async () => {
    const { agent, context, directory, resume, lines } = await rig();
    const journal = await breakRun(agent, directory, 'r');
    agent.sent.length = 0;
    // Also a machine that pauses answers within it; the item that hangs takes all of it.
    expect(await resume({ out: 'out.jsonl', timeoutMs: 5_000 })).toBe(16);
    const written = await lines('out.jsonl');
    expect(written.map(({ index }) => index).toSorted()).toEqual([2, 3]);
    expect(written.find(({ index }) => index === 3)).toMatchObject({
      runId: 'r',
      outcome: 'ok',
      reward: 4,
      bucket: 'results',
      error: null,
    });
    expect(written.find(({ index }) => index === 2)).toMatchObject({
      outcome: 'timeout',
      reward: null,
      error: { code: 'ART_ROLLOUT_TIMEOUT' },
      document: null,
    });
    // What earlier processes dealt with is neither sent nor written again.
    expect(agent.sent.map(({ n }) => n)).not.toContain(1);
    expect(await readRun(journal, 'r')).toMatchObject({ isFinished: true, acknowledged: 4, openSessions: 0 });
    expect(context.errors()).toMatch(/^First timeout \(rollout 2, session \S+\): ART_ROLLOUT_TIMEOUT: /m);
    expect(context.errors()).toContain(
      'Run r is finished: 2 items, 1 ok; mean reward 4.0 over 1 of 2 (1 timeout).',
    );
    expect(agent.targets[0]).toMatchObject({ bucket: 'results', region: 'us-west-2', credentials: 'aws' });
    expect(await resume()).toBe(0);
    expect(context.errors()).toContain('Run r is finished; all of its items were dealt with.');
    expect(context.output()).toBe('');
  });

  it('does not write a line again that a killed process wrote and could not acknowledge', async () => {
    const { cwd, agent, directory, resume, lines } = await rig();
    const journal = await breakRun(agent, directory, 'r');
    await appendFile(join(cwd, 'out.jsonl'), '{"runId":"other","id":"2","index":2,"outcome":"ok"}\n');
    await appendFile(
      join(cwd, 'out.jsonl'),
      '{"runId":"r","id":"3","index":3,"outcome":"ok","reward":4}\n{"runId":"r","ind',
    );
    expect(await resume({ out: 'out.jsonl', timeoutMs: 60 })).toBe(16);
    const written = await lines('out.jsonl');
    expect(written.map(({ runId, index }) => `${String(runId)} ${String(index)}`)).toEqual([
      'other 2',
      'r 3',
      'r 2',
    ]);
    expect((await readRun(journal, 'r')).isFinished).toBe(true);
  });

  it('acknowledges nothing that it could not write', async () => {
    const { agent, directory, resume, context } = await rig();
    const journal = await breakRun(agent, directory, 'r');
    context.stdout.write = () => {
      throw new Error('disk full');
    };
    await expect(resume({ timeoutMs: 60 })).rejects.toThrow('disk full');
    expect(await readRun(journal, 'r')).toMatchObject({ isFinished: false, acknowledged: 2 });
    expect((await journal.heldBy('r'))?.state).toBeUndefined();
  });

  it('refuses other payloads, a run that is held and one that is not there, before anything is sent', async () => {
    const { agent, directory, resume, cwd } = await rig();
    const journal = await breakRun(agent, directory, 'r');
    agent.sent.length = 0;
    await writeFile(join(cwd, 'others.jsonl'), '{"n":1}\n{"n":3}\n{"hang":true}\n{"n":4}\n');
    await expect(resume({ payloads: 'others.jsonl' })).rejects.toMatchObject({
      code: 'ART_JOURNAL_PAYLOADS_CHANGED',
      message: expect.stringContaining('item "1"') as string,
    });
    await expect(resume({ run: 'none' })).rejects.toMatchObject({ code: 'ART_JOURNAL_NOT_FOUND' });
    await expect(resume({ out: './p.jsonl' })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
      message: expect.stringContaining('--out') as string,
    });
    await expect(resume({ payloads: 'none.jsonl' })).rejects.toMatchObject({ code: 'ART_INVALID_PAYLOAD' });
    const held = await journal.open('r');
    await expect(resume()).rejects.toMatchObject({ code: 'ART_JOURNAL_LOCKED' });
    await held.close();
    expect(agent.sent).toEqual([]);
  });

  it('stops its sessions at Ctrl-C, and says how to continue', async () => {
    const { agent, directory, resume, context } = await rig();
    const journal = await breakRun(agent, directory, 'r');
    agent.stopped.length = 0;
    const running = resume({ out: 'out.jsonl' });
    await vi.waitFor(async () => expect((await readRun(journal, 'r')).rollouts.accepted).toBeGreaterThan(3));
    context.signals.emit('SIGINT', 'SIGINT');
    expect(await running).toBe(130);
    expect(context.errors()).toMatch(/Interrupted after \d item.*"art resume r" continues/);
    expect((await readRun(journal, 'r')).openSessions).toBe(0);
    expect(context.signals.eventNames()).toEqual([]);
  });

  it('writes a row for each group of a run of groups', async () => {
    const { agent, directory, resume, context } = await rig([{ n: 1 }, { n: 2 }]);
    const journal = new FileJournal({ directory });
    const client = agent.client();
    const inputs = [{ n: 1 }, { n: 2 }];
    const options = { maxConcurrentSessions: 4, rolloutsPerInput: 2, advantages: {} };
    for await (const _ of client.runGroups(inputs, { ...options, journal: { journal, runId: 'r' } })) break;
    await client.close();
    expect(await resume()).toBe(0);
    const rows = context
      .output()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const n = Number(row['index']) + 1;
      expect(row).toMatchObject({
        runId: 'r',
        kind: 'complete',
        usable: true,
        rewards: [n, n],
        advantages: [0, 0],
      });
      expect(row['members']).toMatchObject([
        { member: 0, status: 'kept', reward: n, outcome: 'ok', weight: 1 },
        { member: 1, status: 'kept', reward: n, outcome: 'ok', weight: 1 },
      ]);
    }
    expect((await readRun(journal, 'r')).isFinished).toBe(true);
  });

  it('sends what the journal does not keep', async () => {
    const { agent, directory, resume, context } = await rig();
    await breakRun(agent, directory, 'r');
    agent.sent.length = 0;
    const running = resume({
      baseUrl: 'http://127.0.0.1:1/v1',
      set: { temperature: 0.5 },
      concurrency: 3,
    });
    await vi.waitFor(() => expect(agent.sent.length).toBeGreaterThan(0));
    context.signals.emit('SIGINT', 'SIGINT');
    await running;
    expect(agent.sent[0]).toMatchObject({
      _rollout: { base_url: 'http://127.0.0.1:1/v1', temperature: 0.5 },
    });
  });
});
