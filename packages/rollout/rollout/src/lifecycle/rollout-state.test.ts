import { ArtError } from '@art/ground';
import { expect, it } from 'vitest';
import { advanceRollout, type RolloutState, type RolloutTransition } from './rollout-state.ts';

const outcome = {
  kind: 'cancelled',
  error: new ArtError({ code: 'ART_ROLLOUT_CANCELLED', message: 'x' }),
} as const;
const run = (...transitions: RolloutTransition[]): RolloutState =>
  transitions.reduce<RolloutState>(advanceRollout, { phase: 'submitting', submittedMs: 0 });

it.each<[RolloutTransition[], RolloutState]>([
  [[{ type: 'accepted', atMs: 1 }], { phase: 'running', submittedMs: 0, acceptedMs: 1 }],
  [
    [
      { type: 'accepted', atMs: 1 },
      { type: 'noticed', atMs: 2 },
    ],
    { phase: 'fetching', submittedMs: 0, acceptedMs: 1, noticedMs: 2 },
  ],
  [[{ type: 'noticed', atMs: 2 }], { phase: 'fetching', submittedMs: 0, noticedMs: 2 }],
  [
    [
      { type: 'noticed', atMs: 2 },
      { type: 'accepted', atMs: 3 },
    ],
    { phase: 'fetching', submittedMs: 0, noticedMs: 2 },
  ],
  [[{ type: 'settled', atMs: 9, outcome }], { phase: 'settled', submittedMs: 0, settledMs: 9, outcome }],
  [
    [
      { type: 'settled', atMs: 9, outcome },
      { type: 'noticed', atMs: 10 },
      { type: 'settled', atMs: 11, outcome },
    ],
    { phase: 'settled', submittedMs: 0, settledMs: 9, outcome },
  ],
])('%#', (transitions, expected) => {
  expect(run(...transitions)).toEqual(expected);
});
