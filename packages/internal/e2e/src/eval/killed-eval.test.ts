import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRunRecord, type ResultsRecord } from '@art/eval/records';
import { startLocalRuntime } from '@art/local';
import { eventually } from '@art/tooling/eventually';
import { expect, it, onTestFinished } from 'vitest';
import { nodeOptions, runArt, samplesOf, startArt } from './art-eval.fixture.ts';

const agent = join(import.meta.dirname, 'noting-agent.fixture.ts');
const count = 9;

it(
  'art eval on AgentCore, killed at several points: every attempt runs once, every sample counts once, and no session stays behind',
  { timeout: 240_000 },
  async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'art-eval-killed-'));
    onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
    const notes = join(cwd, 'notes');
    await writeFile(notes, '');
    const tasks = Array.from({ length: count }, (_, at) => ({ id: `t${at}`, payload: { id: `t${at}` } }));
    await writeFile(join(cwd, 'tasks.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
    // It stands for AWS: its sessions and results outlive the process that asked for them.
    const local = await startLocalRuntime({
      agents: {
        noting: { command: [process.execPath, agent], env: { NOTES: notes, NODE_OPTIONS: nodeOptions } },
      },
      warmPoolSize: 2,
      s3: { autoCreateBuckets: true },
    });
    onTestFinished(() => local.close());
    const endpoint = ['--endpoint', local.endpoint];
    const agentCore = ['--agent-runtime-arn', local.arnOf('noting'), '--bucket', 'results'];
    const first = [...agentCore, '--tasks', 'tasks.jsonl', '--concurrency', '3', '--out', 'run', ...endpoint];
    // One that is told to stop is answered at once, and ends a moment later.
    const openSessions = () =>
      local.sessions().filter(({ state }) => state === 'starting' || state === 'ready');
    const linesOfNotes = async (): Promise<string[]> =>
      (await readFile(notes, 'utf8')).split('\n').filter((line) => line !== '');

    const killedWhen: (() => Promise<void>)[] = [
      // Requests are on their way, and nobody has answered.
      async () => expect(openSessions().length).toBeGreaterThan(0),
      // Agents work.
      async () => expect((await linesOfNotes()).some((line) => line.startsWith('begun'))).toBe(true),
      // Results are there, and some are written down.
      async () => {
        expect((await samplesOf(join(cwd, 'run'))).length).toBeGreaterThan(1);
        expect(openSessions().length).toBeGreaterThan(0);
      },
    ];
    for (const [life, isSo] of killedWhen.entries()) {
      const child = startArt(cwd, 'eval', ...(life === 0 ? first : ['--resume', 'run', ...endpoint]));
      await eventually(async () => {
        expect((await readRunRecord(join(cwd, 'run'))).processes).toHaveLength(life + 1);
        await isSo();
      });
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    const before = await samplesOf(join(cwd, 'run'));
    expect(before.length).toBeLessThan(count);
    expect(await readdir(join(cwd, 'run'))).toContain('journal');

    const last = await runArt(cwd, 'eval', '--resume', 'run', ...endpoint, '--json');
    expect(last).toMatchObject({ code: 0 });
    const results = JSON.parse(last.output) as ResultsRecord;
    expect(results).toMatchObject({ isComplete: true, outcomes: { ok: count }, mean: { value: 1 } });
    const after = await samplesOf(join(cwd, 'run'));
    expect(after.map(({ id }) => id).toSorted()).toEqual(tasks.map(({ id }) => `${id}#0`).toSorted());
    expect(after.slice(0, before.length)).toEqual(before);
    const noted = (await linesOfNotes()).map((line) => line.split(' '));
    for (const word of ['begun', 'done']) {
      const sessions = noted.filter(([first]) => first === word).map(([, , session]) => session);
      expect(sessions).toEqual([...new Set(sessions)]);
    }
    for (const { taskId, attempts, sessionId } of after) {
      const [last, ...recalled] = attempts.toReversed();
      expect(last).toMatchObject({ outcome: 'ok', sessionId });
      const done = noted
        .filter(([word, id]) => word === 'done' && id === taskId)
        .map(([, , session]) => session);
      expect(done).toContain(sessionId);
      // One that was called off may have finished while its session was stopped, and no other one.
      expect(recalled.map((attempt) => attempt.sessionId)).toEqual(
        expect.arrayContaining(done.filter((session) => session !== sessionId)),
      );
    }
    expect(openSessions()).toEqual([]);
    expect((await readRunRecord(join(cwd, 'run'))).processes).toHaveLength(4);
    // All of its rounds are over, and nothing is left to stop.
    expect(await readdir(join(cwd, 'run'))).not.toContain('journal');
  },
);
