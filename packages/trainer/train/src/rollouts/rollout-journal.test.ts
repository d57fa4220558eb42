import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '@art/ground';
import { FileJournal } from '@art/journal';
import type { AgentRuntime } from '@art/protocol';
import { type GroupOptions, RolloutClient } from '@art/rollout';
import { expect, it, onTestFinished } from 'vitest';
import { bed, run } from '../loop/loop-bed.fixture.ts';
import { train } from '../loop/train.ts';

/** A runtime whose sessions work until they are stopped, and a journal beside it. */
async function openBed() {
  const folder = await mkdtemp(join(tmpdir(), 'art-rollout-journal-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const journal = new FileJournal({ directory: join(folder, 'journal') });
  const sessions = new Map<string, PromiseWithResolvers<never>>();
  const stops: string[] = [];
  const runtime: AgentRuntime = {
    isLocal: true,
    invoke: ({ sessionId }) => {
      const work = Promise.withResolvers<never>();
      sessions.set(sessionId, work);
      return work.promise;
    },
    stop: (sessionId) => {
      stops.push(sessionId);
      sessions.get(sessionId)?.reject(new Error('stopped'));
      return Promise.resolve({ kind: 'stopped' });
    },
  };

  /** Begins a group of two under a name in a process that is killed meanwhile. @returns its sessions */
  const kill = async (runId: string): Promise<string[]> => {
    const main = join(import.meta.dirname, 'killed-rollouts.fixture.ts');
    const child = spawn(process.execPath, ['--conditions=@art/source', main, journal.directory, runId], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    const own: string[] = [];
    for await (const [sessionId] of on(child, 'message', { close: ['exit'] }))
      if (own.push(sessionId as string) === 2) break;
    child.kill('SIGKILL');
    await exited;
    return own;
  };

  /** Begins a group of two under a name. @returns its sessions, and what lets go of them while they work */
  const begin = async (runId: string) => {
    const client = new RolloutClient({ runtime, onWarning: () => undefined });
    onTestFinished(() => client.close());
    const left = new AbortController();
    const groups = client.runGroups([{ key: 1 }], {
      rolloutsPerInput: 2,
      maxConcurrentSessions: 2,
      journal: { journal, runId },
      detachSignal: left.signal,
    });
    const before = sessions.size;
    const ended = groups.next().catch(() => undefined);
    await expect.poll(() => sessions.size).toBe(before + 2);
    const leave = async (): Promise<void> => {
      left.abort();
      await ended;
    };
    return { own: [...sessions.keys()].slice(before), leave };
  };
  return { journal, runtime, stops, kill, begin, directory: join(folder, 'run') };
}

it('stops what the rollouts of a killed process left, and nothing of other runs in the same journal', async () => {
  const { journal, runtime, stops, kill, begin, directory } = await openBed();
  const killed = await kill('train-run-1795000000000');
  const other = await begin('train-run-2-1795000000000');
  await other.leave();
  // Of another folder with the same name, whose process lives.
  const living = await begin('train-run-1795000000001');
  const { options } = await bed({ directory, steps: 1, rolloutJournal: { journal, runtime } });
  await run(options);
  expect(killed).toHaveLength(2);
  expect(stops.toSorted()).toEqual(killed.toSorted());
  expect(await journal.list()).toEqual(['train-run-1795000000001', 'train-run-2-1795000000000']);
  await living.leave();
});

/** Time that passes as soon as somebody waits for it. */
function hurriedClock(onWait: (nowMs: number) => void): Clock {
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    epochMs: () => 1_795_000_000_000 + nowMs,
    after: (delayMs, wake) => {
      const timer = setImmediate(() => {
        nowMs += delayMs;
        onWait(nowMs);
        wake();
      });
      return () => clearImmediate(timer);
    },
  };
}

it('asks again for a session whose invocation was still on its way when it was to be stopped', async () => {
  const { journal, runtime, stops, begin, directory } = await openBed();
  const killed = await begin('train-run-1795000000000');
  await killed.leave();
  let hasArrived = false;
  const late: AgentRuntime = {
    ...runtime,
    stop: (sessionId) =>
      hasArrived ? runtime.stop(sessionId) : Promise.resolve({ kind: 'not_found' as const }),
  };
  const clock = hurriedClock((nowMs) => (hasArrived ||= nowMs >= 20_000));
  const { options } = await bed({ directory, steps: 1, clock, rolloutJournal: { journal, runtime: late } });
  await run(options);
  expect(stops.toSorted()).toEqual(killed.own.toSorted());
  expect(await journal.list()).toEqual([]);
});

it('asks in the next process for what the one before could not wait for', async () => {
  const { journal, runtime, stops, begin, directory } = await openBed();
  const killed = await begin('train-run-1795000000000');
  await killed.leave();
  const unknown = { ...runtime, stop: () => Promise.resolve({ kind: 'not_found' as const }) };
  const broken = new AbortController();
  const never = { ...systemClock, after: () => () => undefined };
  const first = await bed({
    directory,
    steps: 9,
    clock: never,
    signal: broken.signal,
    rolloutJournal: { journal, runtime: unknown },
  });
  for await (const _ of train(first.options)) {
    broken.abort(new Error('killed'));
    break;
  }
  expect(stops).toEqual([]);
  const clock = hurriedClock(() => undefined);
  const second = await bed({ directory, steps: 2, clock, rolloutJournal: { journal, runtime } });
  await run(second.options);
  expect(stops.toSorted()).toEqual(killed.own.toSorted());
});

it('tries a stop again whose connection was reset', async () => {
  const { journal, runtime, stops, begin, directory } = await openBed();
  const killed = await begin('train-run-1795000000000');
  await killed.leave();
  let calls = 0;
  const resetting: AgentRuntime = {
    ...runtime,
    stop: (sessionId) => {
      calls += 1;
      if (calls <= 3) return Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
      return runtime.stop(sessionId);
    },
  };
  const clock = hurriedClock(() => undefined);
  const { options } = await bed({
    directory,
    steps: 1,
    clock,
    rolloutJournal: { journal, runtime: resetting },
  });
  await run(options);
  expect(stops.toSorted()).toEqual(killed.own.toSorted());
  expect(await journal.list()).toEqual([]);
});

it('keeps the name of a session that could not be stopped, for the next process', async () => {
  const { journal, runtime, begin, directory } = await openBed();
  const killed = await begin('train-run-1795000000000');
  await killed.leave();
  const refused = { ...runtime, stop: () => Promise.reject(new Error('no route to AgentCore')) };
  const notices: string[] = [];
  const rolloutJournal = { journal, runtime: refused };
  const { options } = await bed({
    directory,
    steps: 1,
    rolloutJournal,
    onNotice: (told) => notices.push(told),
  });
  await run(options);
  expect(notices.join(' ')).toContain(killed.own[0]!);
  expect(await journal.list()).toEqual(['train-run-1795000000000']);
});

it('records the rollouts under the name of the folder, acknowledged by the loop alone', async () => {
  const { journal, runtime, directory } = await openBed();
  const given: GroupOptions[] = [];
  const { options, client } = await bed({ directory, steps: 1, rolloutJournal: { journal, runtime } });
  const seen: typeof client.runGroups = (inputs, choices) => {
    given.push(choices as GroupOptions);
    return client.runGroups(inputs, choices);
  };
  await run({ ...options, client: { runGroups: seen } });
  expect(given).toMatchObject([
    { acknowledge: 'explicit', journal: { runId: expect.stringMatching(/^train-run-\d+$/) as string } },
  ]);
});
