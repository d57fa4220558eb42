import { SeededRandom } from '../seeded-random.ts';

/**
 * Task of an agent: `work` and return; `fail` with an error; `crash` the process in its first attempt; leave a promise behind that rejects
 * (`stray`); `block` the event loop; return something `large`.
 */
export type ChaosTask = 'work' | 'fail' | 'crash' | 'stray' | 'block' | 'large';

export interface ChaosPayload {
  round: number;
  n: number;
  do: ChaosTask;
  /** How long it takes. */
  ms: number;
}

const tasks: readonly [ChaosTask, ...ChaosTask[]] = [
  'work',
  'work',
  'work',
  'work',
  'work',
  'work',
  'fail',
  'crash',
  'stray',
  'block',
  'large',
];

/** The same for the same seed and round. */
export function chaosPayloads(seed: number, round: number, count: number): ChaosPayload[] {
  const random = new SeededRandom(seed, 'payloads', round);
  return Array.from({ length: count }, (_, n) => {
    const task = random.pick(tasks);
    return { round, n, do: task, ms: random.integer(20, task === 'block' ? 1_500 : 1_200) };
  });
}

/** How a payload must end, whatever the infrastructure does meanwhile. */
export function expectedOutcome(payload: ChaosPayload): 'ok' | 'agent_error' {
  return payload.do === 'fail' || payload.do === 'stray' ? 'agent_error' : 'ok';
}
