import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreJournal } from '@art/journal';
import { FileResultStore } from '@art/store';
import { describe, expect, it } from 'vitest';
import { journalArgument } from '../arguments/journal-argument.ts';
import { capturedContext } from '../captured-context.fixture.ts';
import { agentArn, FakeAgent } from '../fake-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { breakRun, finishRun } from './journaled-run.fixture.ts';
import { runRuns } from './runs.ts';

describe('art runs', () => {
  it('lists runs, the oldest first, from a folder below the journal too', async () => {
    const cwd = await temporaryFolder();
    const directory = join(cwd, '.art/runs');
    const agent = new FakeAgent();
    await finishRun(agent, directory, 'first');
    const journal = await breakRun(agent, directory, 'second');
    const held = await journal.open('second');
    const context = capturedContext({ cwd: directory });
    expect(await runRuns({ json: false }, context)).toBe(0);
    const [head, first, second, ...rest] = context.output().split('\n');
    expect(head).toMatch(/^RUN +STATE +KIND +CREATED \(UTC\) +TOTAL +DONE +OK +FAILED +OPEN +SIZE +HOLDER$/);
    expect(first).toMatch(
      /^first +finished +batch +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +2 +2 +1 +1 +0 +[\d.]+ k?B +-$/,
    );
    expect(second).toMatch(new RegExp(`^second +held +batch .* 4 +2 .*${process.pid}@`));
    expect(rest).toEqual(['']);
    await held.close();
  });

  it('tells programs everything, and of a run that cannot be read', async () => {
    const cwd = await temporaryFolder();
    const directory = join(cwd, 'elsewhere');
    await finishRun(new FakeAgent(), directory, 'r');
    await finishRun(new FakeAgent(), directory, 'bad');
    await writeFile(join(directory, 'bad/000001.jsonl'), 'not a record\n');
    const context = capturedContext({ cwd });
    expect(await runRuns({ journal: { kind: 'folder', directory: 'elsewhere' }, json: true }, context)).toBe(
      3,
    );
    expect(JSON.parse(context.output())).toEqual({
      runId: 'r',
      state: 'finished',
      kind: 'batch',
      createdAtMs: expect.any(Number),
      lastAtMs: expect.any(Number),
      total: 2,
      done: 2,
      ok: 1,
      failed: 1,
      openSessions: 0,
      agentRuntimeArn: agentArn,
      expId: 'try',
      bucket: 'results',
      holder: null,
      sizeBytes: expect.any(Number),
    });
    expect(context.errors()).toMatch(/^Run bad cannot be read: .+\n$/);
  });

  it('reads a journal in a store of files', async () => {
    const root = await temporaryFolder();
    const agent = new FakeAgent();
    const journal = new StoreJournal({
      store: new FileResultStore({ root }),
      bucket: 'journals',
      commitIntervalMs: 0,
    });
    const client = agent.client();
    const options = { maxConcurrentSessions: 1, journal: { journal, runId: 'stored' } };
    for await (const { outcome } of client.runBatch([{ n: 1 }], options)) expect(outcome.kind).toBe('ok');
    await client.close();
    const context = capturedContext({ cwd: root });
    const place = journalArgument(`file://${root}#journals`);
    expect(await runRuns({ journal: place, json: true }, context)).toBe(0);
    expect(JSON.parse(context.output())).toMatchObject({
      runId: 'stored',
      state: 'finished',
      sizeBytes: null,
    });
  });

  it('says where it looked', async () => {
    const cwd = await temporaryFolder();
    const context = capturedContext({ cwd });
    expect(await runRuns({ json: false }, context)).toBe(0);
    expect(context.output()).toBe('');
    expect(context.errors()).toBe(
      `No runs in ${join(cwd, '.art/runs')}. Name another place with --journal.\n`,
    );
  });
});
