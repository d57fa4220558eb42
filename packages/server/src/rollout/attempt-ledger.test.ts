import { describe, expect, it } from 'vitest';
import { AttemptLedger } from './attempt-ledger.ts';

describe('AttemptLedger', () => {
  it('knows an attempt by bucket, key and id', () => {
    const ledger = new AttemptLedger();
    expect(ledger.claim('b', 'k', 'a1')).toBe(true);
    expect(ledger.claim('b', 'k', 'a1')).toBe(false);
    expect(ledger.claim('b2', 'k', 'a1')).toBe(true);
    expect(ledger.claim('b', 'k2', 'a1')).toBe(true);
    expect(ledger.claim('b', 'k', 'a2')).toBe(true);
    expect(ledger.claim('b', 'k', 'a2')).toBe(false);
  });

  it.each([undefined, null, {}, true])('lets everything through with the id %s', (id) => {
    const ledger = new AttemptLedger();
    expect([ledger.claim('b', 'k', id), ledger.claim('b', 'k', id)]).toEqual([true, true]);
  });

  it('forgets the oldest beyond its limit', () => {
    const ledger = new AttemptLedger(2);
    for (const key of ['k1', 'k2', 'k3']) ledger.claim('b', key, 1);
    expect(ledger.claim('b', 'k3', 1)).toBe(false);
    expect(ledger.claim('b', 'k2', 1)).toBe(false);
    expect(ledger.claim('b', 'k1', 1)).toBe(true);
  });
});
