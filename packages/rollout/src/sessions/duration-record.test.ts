import { describe, expect, it } from 'vitest';
import { DurationRecord } from './duration-record.ts';

describe('DurationRecord', () => {
  it('says nothing before there is something to judge by', () => {
    const record = new DurationRecord();
    for (let count = 0; count < 19; count += 1) record.add(1);
    expect(record.medianMs).toBeUndefined();
    record.add(1);
    expect(record.medianMs).toBe(1);
  });

  it('is the duration that half of them do not exceed', () => {
    const record = new DurationRecord();
    for (let ms = 100; ms >= 1; ms -= 1) record.add(ms);
    expect(record.medianMs).toBe(50);
  });

  it('follows a run whose rollouts grow longer', () => {
    const record = new DurationRecord();
    for (let count = 0; count < 1_000; count += 1) record.add(10);
    for (let count = 0; count < 1_000; count += 1) record.add(500);
    expect(record.medianMs).toBe(500);
  });
});
