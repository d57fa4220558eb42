import { existsSync, readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ArtInside, ArtProcess, runArt } from '../art-process.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import type { RunReport } from './runs.ts';

const slow = { interval: 50 };

describe('art invoke --payloads, runs, stop, resume and gc', () => {
  it('survive the kill of a run: nothing lost, nothing doubled, no session left', async () => {
    const cwd = await temporaryFolder();
    const art = (...argv: string[]) => runArt(cwd, ...argv);
    const lines = (): { index: number; outcome: string }[] =>
      existsSync(join(cwd, 'out.jsonl'))
        ? readFileSync(join(cwd, 'out.jsonl'), 'utf8')
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line) as { index: number; outcome: string })
        : [];
    const reportOf = async (): Promise<RunReport> => {
      const { code, output } = await art('runs', '--json');
      expect(code).toBe(0);
      return JSON.parse(output) as RunReport;
    };
    await copyFile(join(import.meta.dirname, '../test-agents/storing-agent.mjs'), join(cwd, 'agent.mjs'));
    await writeFile(join(cwd, 'p.jsonl'), '{"n":0}\n{"hang":true}\n{"n":2}\n{"fail":"boom"}\n');
    const dev = new ArtInside(cwd, 'dev', 'agent.mjs', '--port', '0', '--no-watch', '--json');
    await dev.event('ready');

    const journal = ['--journal', '.art/runs', '--run', 'step-1'];
    const files = ['--payloads', 'p.jsonl', '--out', 'out.jsonl'];
    const first = new ArtProcess(cwd, 'invoke', ...files, ...journal);
    await dev.event('log', ({ line }) => line === 'got {"hang":true}');
    await vi.waitFor(() => expect(lines()).toHaveLength(3), slow);
    // A session is stopped after its line is written.
    await vi.waitFor(async () => expect(await reportOf()).toMatchObject({ openSessions: 1 }), slow);
    const refused = await art('stop', 'step-1');
    expect(refused).toMatchObject({
      code: 3,
      errors: expect.stringMatching(new RegExp(`ART_JOURNAL_LOCKED.*process ${first.child.pid} .*--force`)),
    });
    first.child.kill('SIGKILL');
    await first.finished;
    expect(await reportOf()).toMatchObject({
      runId: 'step-1',
      state: 'open',
      total: 4,
      openSessions: 1,
      holder: { pid: first.child.pid, state: 'dead' },
    });

    const stopped = await art('stop', '--all');
    expect(stopped).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^step-1 {2}item 1 .* stopped\n$/),
    });
    await dev.event('session_ended', ({ reason }) => reason === 'stopped');
    expect(await art('gc', '--older-than', '0s')).toMatchObject({
      code: 0,
      output: expect.stringContaining('kept run step-1: it is not finished'),
    });

    await writeFile(join(cwd, 'others.jsonl'), '{"n":0}\n{"hang":true}\n{"n":3}\n{"fail":"boom"}\n');
    expect(await art('resume', 'step-1', '--payloads', 'others.jsonl')).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/ART_JOURNAL_PAYLOADS_CHANGED.*item "2"/),
    });
    const resumed = await art('resume', 'step-1', ...files, '--timeout-ms', '1000');
    expect(resumed).toMatchObject({
      code: 16,
      output: '',
      errors: expect.stringContaining('Run step-1 is finished'),
    });
    expect(
      lines()
        .map(({ index }) => index)
        .toSorted(),
    ).toEqual([0, 1, 2, 3]);
    expect(Object.fromEntries(lines().map(({ index, outcome }) => [index, outcome]))).toEqual({
      0: 'ok',
      1: 'timeout',
      2: 'ok',
      3: 'agent_error',
    });
    expect(await reportOf()).toMatchObject({ state: 'finished', done: 4, openSessions: 0, holder: null });

    expect((await art('gc', '--older-than', '0s')).output).toMatch(/^removed run step-1 /);
    expect(await art('runs')).toMatchObject({
      code: 0,
      output: '',
      errors: expect.stringContaining('No runs in'),
    });
    dev.kill('SIGINT');
    expect((await dev.finished).code).toBe(0);
    const sessionsOf = (name: 'session_started' | 'session_ended'): string[] =>
      dev.events.flatMap((event) => (event.event === name ? [event.sessionId] : []));
    const ended = sessionsOf('session_ended');
    // On a busy machine the time of the last rollout may be over before its session starts.
    expect(ended.length).toBeGreaterThanOrEqual(4);
    expect(ended).toEqual(expect.arrayContaining(sessionsOf('session_started')));
  });
});
