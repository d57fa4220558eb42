import { describe, expect, it } from 'vitest';
import type { PingObservation } from '../process/ping-agent.ts';
import { keepsBusy } from './keeps-busy.ts';

const ping = (busy: boolean, stamp: unknown): PingObservation => ({ kind: 'answered', busy, stamp });

describe('keepsBusy', () => {
  it.each<[string, PingObservation, boolean, boolean]>([
    ['busy with integer seconds', ping(true, 1_790_000_000), true, true],
    ['busy without the field', ping(true, undefined), false, true],
    ['busy with an ISO text', ping(true, '2026-01-01T00:00:00Z'), false, true],
    ['busy with digits as text', ping(true, '1790000000'), false, true],
    ['busy with a fraction', ping(true, 1_790_000_000.5), false, true],
    ['busy with null', ping(true, null), false, true],
    ['healthy', ping(false, 1_790_000_000), false, false],
    ['no answer', { kind: 'failed', why: 'reset' }, false, false],
  ])('%s', (_name, observation, strict, lenient) => {
    expect(keepsBusy(observation, true)).toBe(strict);
    expect(keepsBusy(observation, false)).toBe(lenient);
  });
});
