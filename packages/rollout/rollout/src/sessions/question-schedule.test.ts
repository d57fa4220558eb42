import { describe, expect, it } from 'vitest';
import { ManualClock } from '@art/ground/testing';
import { QuestionSchedule } from './question-schedule.ts';

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

describe('QuestionSchedule', () => {
  it('asks 2,000 sessions in turn, and never more in a second than it may', async () => {
    const clock = new ManualClock();
    const schedule = new QuestionSchedule(clock, 300);
    const startMs = clock.nowMs();
    const askedAtMs: number[] = [];
    const counts = Array.from({ length: 2_000 }, () => 0);
    const removals = counts.map((_, n) =>
      schedule.add(startMs, async () => {
        askedAtMs.push(clock.nowMs() - startMs);
        counts[n]! += 1;
        return clock.nowMs() + 1_000;
      }),
    );
    for (let ms = 0; ms < 20_000; ms += 25) {
      clock.advance(25);
      await settle();
    }
    for (let second = 0; second < 19; second += 1) {
      const inIt = askedAtMs.filter((ms) => ms >= second * 1_000 && ms < (second + 1) * 1_000).length;
      expect(inIt).toBeLessThanOrEqual(260);
      expect(inIt).toBeGreaterThan(200);
    }
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    for (const remove of removals) remove();
    expect(clock.timers).toBe(0);
  });

  it('buries no runtime in questions that it does not answer', async () => {
    const clock = new ManualClock();
    const schedule = new QuestionSchedule(clock, 100);
    let underWay = 0;
    for (let n = 0; n < 500; n += 1) {
      schedule.add(clock.nowMs(), () => {
        underWay += 1;
        return new Promise(() => undefined);
      });
    }
    clock.advance(60_000);
    expect(underWay).toBe(50);
  });

  it('asks nothing of a session twice at a time, and nothing once it was taken off', async () => {
    const clock = new ManualClock();
    const schedule = new QuestionSchedule(clock, 10);
    const answer = Promise.withResolvers<number>();
    let asked = 0;
    const remove = schedule.add(clock.nowMs() + 1_000, () => {
      asked += 1;
      return answer.promise;
    });
    clock.advance(999);
    expect(asked).toBe(0);
    clock.advance(10_000);
    expect(asked).toBe(1);
    remove();
    answer.resolve(0);
    await settle();
    clock.advance(10_000);
    expect([asked, clock.timers]).toEqual([1, 0]);
  });

  it('asks no more of a session that has said enough', async () => {
    const clock = new ManualClock();
    const schedule = new QuestionSchedule(clock, 10);
    let asked = 0;
    schedule.add(clock.nowMs(), async () => {
      asked += 1;
      return asked < 2 ? clock.nowMs() : undefined;
    });
    for (let second = 0; second < 5; second += 1) {
      clock.advance(1_000);
      await settle();
    }
    expect([asked, clock.timers]).toEqual([2, 0]);
  });

  it('saves up for its next question at less than one a second', async () => {
    const clock = new ManualClock();
    const schedule = new QuestionSchedule(clock, 0.1);
    let asked = 0;
    schedule.add(clock.nowMs(), async () => {
      asked += 1;
      return clock.nowMs();
    });
    for (let second = 0; second < 60; second += 1) {
      clock.advance(1_000);
      await settle();
    }
    expect(asked).toBeGreaterThanOrEqual(6);
    expect(asked).toBeLessThanOrEqual(7);
  });
});
