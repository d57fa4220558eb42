import { deepEqual, equal, ok } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseInvocationState, type InvocationState } from '@art/protocol';
import { rip, sessionHeader } from '../../test-app.fixture.ts';

const invocationsEach = 12;
const longestMs = 40;

interface Agent {
  process: ChildProcess;
  url: string;
}

/** How the invocations were found after the kills. */
export interface KillTally {
  completed: number;
  interrupted: number;
  not_found: number;
}

/**
 * Kills an agent by SIGKILL at random instants while it starts, runs and records invocations, and looks at every one of them
 * afterwards: it is completed with its own result, interrupted, or not found; and no handler ever ran twice.
 * @param random from 0 to 1
 * @throws AssertionError with the invocation
 */
export async function killAgent(instants: number, random: () => number): Promise<KillTally> {
  const room = await mkdtemp(join(tmpdir(), 'art-kill-'));
  const runsFile = join(room, 'runs');
  await writeFile(runsFile, '');
  const tally: KillTally = { completed: 0, interrupted: 0, not_found: 0 };
  let agent = await startAgent(room, runsFile);
  try {
    for (let instant = 0; instant < instants; instant += 1) {
      const ids = Array.from({ length: invocationsEach }, (_, index) => `i${instant}-${index}`);
      const sent = ids.map((id) => sendSome(agent, id, random));
      await sleep(random() * longestMs * 8);
      agent.process.kill('SIGKILL');
      await once(agent.process, 'close');
      const told = await Promise.all(sent);

      agent = await startAgent(room, runsFile);
      for (const [index, id] of ids.entries()) {
        const state = await ask(agent, rip('get', id), id);
        ok(state !== undefined && state.status !== 'in_progress', `${id} is ${state?.status}`);
        tally[state.status] += 1;
        checkResult(id, state);
        // What was said before the kill still holds.
        const before = told[index];
        if (before?.status === 'completed') deepEqual(state, before, `${id} was completed before`);
        if (before?.status === 'in_progress') ok(state.status !== 'not_found', `${id} was accepted before`);
        const runs = await runsOf(runsFile, id);
        ok(runs <= 1, `${id} ran ${runs} times`);
        if (state.status === 'completed') equal(runs, 1, `${id} is completed and never ran`);
        if (state.status === 'not_found') equal(runs, 0, `${id} is not found and ran`);
        // Started once more it runs if and only if nothing is known of it.
        const again = await ask(agent, rip('start', id, { text: id, ms: 0 }), id);
        checkResult(id, again);
        equal(again?.status, state.status === 'not_found' ? 'completed' : state.status, `${id} once more`);
        equal(await runsOf(runsFile, id), state.status === 'not_found' ? 1 : runs, `runs of ${id}`);
      }
    }
  } finally {
    agent.process.kill('SIGKILL');
    await rm(room, { recursive: true, force: true, maxRetries: 10 });
  }
  return tally;
}

function checkResult(id: string, state: InvocationState | undefined): void {
  if (state?.status === 'completed') deepEqual(state.result, { id, text: id }, `the result of ${id}`);
}

async function runsOf(file: string, id: string): Promise<number> {
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line === id).length;
}

/** Starts an invocation, some of them twice, in the foreground or background. The last state that came before the kill. */
async function sendSome(
  agent: Agent,
  id: string,
  random: () => number,
): Promise<InvocationState | undefined> {
  await sleep(random() * longestMs);
  const start = rip('start', id, { text: id, ms: random() * longestMs }, random() < 0.5);
  const starts = Array.from({ length: random() < 0.3 ? 2 : 1 }, () =>
    ask(agent, start, id).catch(() => undefined),
  );
  return (await Promise.all(starts)).find((state) => state !== undefined);
}

async function ask({ url }: Agent, payload: object, id: string): Promise<InvocationState | undefined> {
  const answer = await fetch(`${url}/invocations`, {
    method: 'POST',
    headers: sessionHeader,
    body: JSON.stringify(payload),
  });
  return parseInvocationState(await answer.text(), id);
}

async function startAgent(room: string, runsFile: string): Promise<Agent> {
  const child = spawn(
    process.execPath,
    ['--conditions=@art/source', join(import.meta.dirname, 'agent.fixture.ts')],
    {
      env: { ...process.env, ART_TEST_STATE_DIR: join(room, 'state'), ART_TEST_RUNS: runsFile },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url === undefined) continue;
    child.stdout.resume();
    return { process: child, url };
  }
  throw new Error('The agent ended before it listened');
}
