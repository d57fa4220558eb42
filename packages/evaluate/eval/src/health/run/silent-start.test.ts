import { expect, it } from 'vitest';
import { SilentStart } from './silent-start.ts';

const told = (rollouts: readonly { outcome: 'ok' | 'lost'; modelCalls: number | null }[]) => {
  const start = new SilentStart();
  return rollouts.map((rollout) => start.see(rollout) !== undefined);
};
const ok = (modelCalls: number | null) => ({ outcome: 'ok', modelCalls }) as const;

it('tells once that no call has come, when three rollouts have ended', () => {
  expect(told([ok(0), ok(0), ok(0), ok(0), ok(0), ok(0)])).toEqual([false, false, true, false, false, false]);
});

it('says nothing once a call has come, of rollouts that failed, and where no gateway looks', () => {
  expect(told([ok(0), ok(1), ok(0), ok(0), ok(0)])).not.toContain(true);
  expect(told(Array.from({ length: 5 }, () => ({ outcome: 'lost', modelCalls: 0 })))).not.toContain(true);
  expect(told(Array.from({ length: 5 }, () => ok(null)))).not.toContain(true);
});
