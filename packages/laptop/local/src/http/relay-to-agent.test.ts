import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Session } from '../session/session.ts';
import { deathOf } from './relay-to-agent.ts';

it('tells how a process ended also where this one was held up when it was to hear of that', async () => {
  const ending = new AbortController();
  let exit: string | undefined;
  const session = { ending: ending.signal, info: () => ({ exit, endReason: undefined }) };
  // Immediates run after timers, as what the system has to tell does.
  await turn();
  const death = deathOf(session as unknown as Session, new AbortController().signal, new Error('torn'));
  setImmediate(() => {
    exit = 'exited with code 7';
    ending.abort();
  });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
  expect((await death).message).toContain("The agent's process exited with code 7.");
});
