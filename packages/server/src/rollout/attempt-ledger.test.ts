import { describe, expect, it } from 'vitest';
import { AttemptLedger, attemptIdOf } from './attempt-ledger.ts';

const attempt = { bucket: 'b', resultKey: 'k', attemptId: 'a1' };

describe('AttemptLedger', () => {
  it('knows an attempt by bucket, key and id, also after another one of its key', () => {
    const ledger = new AttemptLedger();
    expect(ledger.claim(attempt)).toBe(true);
    expect(ledger.claim({ ...attempt })).toBe(false);
    for (const other of [{ bucket: 'b2' }, { resultKey: 'k2' }, { attemptId: 'a2' }]) {
      expect(ledger.claim({ ...attempt, ...other })).toBe(true);
      expect(ledger.claim({ ...attempt, ...other })).toBe(false);
    }
    expect(ledger.claim(attempt)).toBe(false);
    expect(ledger.claim({ bucket: 'b","k', resultKey: 'x', attemptId: 'a1' })).toBe(true);
  });

  it('says where an attempt is', () => {
    const ledger = new AttemptLedger();
    expect(ledger.stateOf(attempt)).toBe('unknown');
    ledger.claim(attempt);
    expect(ledger.stateOf(attempt)).toBe('running');
    ledger.note(attempt, { kind: 'saving' });
    expect(ledger.stateOf(attempt)).toBe('saving');
    ledger.note(attempt, { kind: 'unsaved' });
    expect(ledger.stateOf(attempt)).toBe('unsaved');
    ledger.note(attempt, { kind: 'settled', stored: { kind: 'replaced' } });
    expect(ledger.stateOf(attempt)).toBe('stored');
    expect(ledger.claim(attempt)).toBe(false);
  });

  it('forgets the attempts that settled first beyond its limit, and none that has not', () => {
    const ledger = new AttemptLedger(2);
    const attempts = [1, 2, 3, 4, 5].map((key) => ({ ...attempt, resultKey: `k${key}` }));
    for (const each of attempts) ledger.claim(each);
    for (const each of attempts.slice(1, 4)) {
      ledger.note(each, { kind: 'settled', stored: { kind: 'unsaved' } });
    }
    expect(attempts.map((each) => ledger.stateOf(each))).toEqual([
      'running',
      'unknown',
      'unsaved',
      'unsaved',
      'running',
    ]);
  });
});

it('takes texts and integers for attempt ids, and what JSON inherits for none', () => {
  expect(['a', 1, 2n].map((id) => attemptIdOf({ attempt_id: id }))).toEqual(['a', '1', '2']);
  for (const id of [undefined, null, {}, true, '']) expect(attemptIdOf({ attempt_id: id })).toBeUndefined();
  expect(attemptIdOf(Object.create({ attempt_id: 'a' }) as Record<string, unknown>)).toBeUndefined();
});
