import { describe, expect, it } from 'vitest';
import {
  admissionDueMs,
  admissionNow,
  firstProbeDelayMs,
  longestProbeDelayMs,
  nextQuotaState,
  type QuotaState,
} from './quota-state.ts';

const open: QuotaState = { kind: 'open' };
const paused = nextQuotaState(open, { kind: 'refused', admission: 'open', sessionId: 's' }, 1_000);

function probeOnce(state: QuotaState, atMs: number, kind: 'accepted' | 'refused' | 'undecided'): QuotaState {
  const sent = nextQuotaState(state, { kind: 'admitted', admission: 'probe' }, atMs);
  return nextQuotaState(sent, { kind, admission: 'probe', sessionId: 's' }, atMs);
}

describe('while there is room', () => {
  it('every session is let in, and only a refusal changes that', () => {
    expect(admissionNow(open, 0)).toBe('open');
    expect(admissionDueMs(open, 5)).toBe(5);
    for (const kind of ['admitted', 'accepted', 'undecided'] as const)
      expect(nextQuotaState(open, { kind, admission: 'open' }, 0)).toBe(open);
    expect(nextQuotaState(open, { kind: 'session_ended' }, 0)).toBe(open);
    expect(paused).toMatchObject({ kind: 'paused', sinceMs: 1_000, places: 0 });
  });
});

describe('while there is none', () => {
  it('nothing is let in before the probe is due', () => {
    expect(admissionNow(paused, 1_999)).toBeUndefined();
    expect(admissionDueMs(paused, 1_500)).toBe(1_000 + firstProbeDelayMs);
    expect(admissionNow(paused, 2_000)).toBe('probe');
  });

  it('one session is let in for each that ended', () => {
    let state = nextQuotaState(paused, { kind: 'session_ended' }, 1_100);
    expect(admissionNow(state, 1_100)).toBe('place');
    expect(admissionDueMs(state, 1_100)).toBe(1_100);
    state = nextQuotaState(state, { kind: 'admitted', admission: 'place' }, 1_100);
    expect(admissionNow(state, 1_100)).toBeUndefined();
    expect(nextQuotaState(state, { kind: 'accepted', admission: 'place' }, 1_200)).toBe(state);
    const given = nextQuotaState(state, { kind: 'undecided', admission: 'place' }, 1_200);
    expect(admissionNow(given, 1_200)).toBe('place');
  });

  it('there is one probe at a time, later each time, until one is accepted', () => {
    const sent = nextQuotaState(paused, { kind: 'admitted', admission: 'probe' }, 2_000);
    expect(admissionNow(sent, 100_000)).toBeUndefined();
    expect(admissionDueMs(sent, 100_000)).toBe(Infinity);
    let state: QuotaState = paused;
    const delays: number[] = [];
    for (let probe = 0; probe < 7; probe += 1) {
      state = probeOnce(state, 10_000, 'refused');
      delays.push(admissionDueMs(state, 10_000) - 10_000);
    }
    expect(delays).toEqual([2_000, 4_000, 8_000, 16_000, longestProbeDelayMs, 30_000, 30_000]);
    expect(probeOnce(state, 50_000, 'accepted')).toEqual(open);
  });

  it('a probe that did not get there is repeated without waiting longer', () => {
    expect(admissionDueMs(probeOnce(paused, 2_000, 'undecided'), 2_000)).toBe(3_000);
  });

  it('a place that is not free yet makes the next probe come soon', () => {
    let state: QuotaState = paused;
    for (let probe = 0; probe < 5; probe += 1) state = probeOnce(state, 10_000, 'refused');
    state = nextQuotaState(state, { kind: 'session_ended' }, 11_000);
    state = nextQuotaState(state, { kind: 'admitted', admission: 'place' }, 11_000);
    state = nextQuotaState(state, { kind: 'refused', admission: 'place', sessionId: 's' }, 11_100);
    expect(admissionDueMs(state, 11_100)).toBe(12_100);
  });

  it('answers to calls from before the pause change nothing', () => {
    expect(nextQuotaState(paused, { kind: 'accepted', admission: 'open' }, 1_500)).toBe(paused);
    expect(nextQuotaState(paused, { kind: 'refused', admission: 'open', sessionId: 's' }, 1_500)).toBe(
      paused,
    );
  });
});
