import type { PastRollout } from '@art/journal';
import type { RolloutOutcome } from '@art/protocol';
import { describe, expect, it } from 'vitest';
import type { Rollout } from '../lifecycle/rollout.ts';
import {
  advanceAttempt,
  isOpen,
  rolloutOf,
  wasMade,
  type AttemptState,
  type AttemptTransition,
} from './attempt-state.ts';

const past = { rollout: 1 } as PastRollout;
const rollout = { name: 'own' } as unknown as Rollout;
const outcome = { kind: 'ok', reward: 1 } as RolloutOutcome;
const facts = { inputId: 'i', sessionId: 's' } as Extract<AttemptState, { phase: 'unrun' }>['facts'];

const states = {
  held: { phase: 'held', past },
  queued: { phase: 'queued', past: undefined },
  opening: { phase: 'opening' },
  running: { phase: 'running', rollout },
  ended: { phase: 'ended', rollout, outcome },
  unrun: { phase: 'unrun', facts, outcome, wasMade: false, isRecalled: false },
  dropped: { phase: 'dropped', rollout: undefined, wasMade: true },
} satisfies Record<string, AttemptState>;

const transitions = {
  queued: { type: 'queued' },
  begun: { type: 'begun' },
  started: { type: 'started', rollout },
  settled: { type: 'settled', outcome },
  unrun: { type: 'unrun', facts, outcome, isRecalled: true },
  dropped: { type: 'dropped' },
} satisfies Record<string, AttemptTransition>;

const unrun = { phase: 'unrun', facts, outcome, isRecalled: true };
/** Every step that changes something; all others change nothing. */
const steps: Record<string, unknown> = {
  'held queued': { state: { phase: 'queued', past } },
  'held dropped': { state: { phase: 'dropped', wasMade: false } },
  'queued begun': { state: { phase: 'opening' } },
  'queued unrun': { state: { ...unrun, wasMade: false } },
  'queued dropped': { state: { phase: 'dropped', wasMade: false } },
  'opening started': { state: { phase: 'running', rollout } },
  'opening unrun': { state: { ...unrun, wasMade: true } },
  'opening dropped': { state: { phase: 'dropped', wasMade: true } },
  'running settled': { state: { phase: 'ended', rollout, outcome } },
  'running dropped': { state: { phase: 'dropped', rollout, wasMade: true }, cancels: rollout },
  'dropped started': { state: { phase: 'dropped', rollout, wasMade: true }, cancels: rollout },
};

describe('advanceAttempt', () => {
  it.each(
    Object.entries(states).flatMap(([from, state]) =>
      Object.entries(transitions).map(([by, transition]) => [`${from} ${by}`, state, transition] as const),
    ),
  )('%s', (name, state, transition) => {
    expect(advanceAttempt(state, transition)).toEqual(steps[name] ?? { state });
  });
});

describe('an attempt', () => {
  it.each([
    ['held', true, false, undefined],
    ['queued', true, false, undefined],
    ['opening', true, true, undefined],
    ['running', true, true, rollout],
    ['ended', false, true, rollout],
    ['unrun', false, false, undefined],
    ['dropped', false, true, undefined],
  ] as const)('that is %s: open %s, made %s', (phase, open, made, own) => {
    expect(isOpen(states[phase])).toBe(open);
    expect(wasMade(states[phase])).toBe(made);
    expect(rolloutOf(states[phase])).toBe(own);
  });
});
