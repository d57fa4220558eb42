import { describe, expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import type { SelfProcess } from '../cli-context.ts';
import { runGateways } from './run-gateways.ts';

type Ending = Awaited<SelfProcess['ended']>;

/** Two gateways, the second of which ends so; the first ends when it is told to. */
async function run(second: Ending) {
  const context = capturedContext();
  const ended: number[] = [];
  let started = 0;
  const startSelf = (): SelfProcess => {
    const index = started;
    started += 1;
    const { promise, resolve } = Promise.withResolvers<Ending>();
    if (index === 1) resolve(second);
    return {
      ended: promise,
      end: () => {
        ended.push(index);
        resolve({ code: 0, signal: null, lastedMs: 5_000 });
      },
    };
  };
  const code = await runGateways(2, { port: 9_090 }, { ...context, startSelf });
  return { code, ended, errors: context.errors() };
}

describe('runGateways', () => {
  it.each<[string, Ending, number]>([
    [
      'Gateway 1 ended 400 ms after its start by SIGKILL. One that cannot start ends them all: see what it said above, mend that and start them again.\n',
      { code: null, signal: 'SIGKILL', lastedMs: 400.2 },
      3,
    ],
    [
      'Gateway 1 ended 1500 ms after its start with exit code 3. One that cannot start ends them all: see what it said above, mend that and start them again.\n',
      { code: 3, signal: null, lastedMs: 1_500 },
      3,
    ],
    [
      'Gateway 1 ended 10 ms after its start with exit code 1. One that cannot start ends them all: see what it said above, mend that and start them again.\n',
      { code: 1, signal: null, lastedMs: 10 },
      1,
    ],
  ])('ends all where one cannot start, and says: %s', async (errors, second, code) => {
    expect(await run(second)).toEqual({ code, ended: [0], errors });
  });
});
