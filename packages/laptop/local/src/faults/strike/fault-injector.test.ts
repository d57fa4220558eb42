import { type Clock, systemClock } from '@art/ground';
import { describe, expect, it } from 'vitest';
import { checkFaultPlan } from '../plan/check-fault-plan.ts';
import { drawDuration, faultChance } from './fault-chance.ts';
import { FaultInjector } from './fault-injector.ts';
import type { FaultRule } from '../plan/fault-plan.ts';
import type { FaultTarget } from '../plan/fault-target.ts';

const clock = (): Clock & { atMs: number } => {
  const fake = { ...systemClock, atMs: 5_000, nowMs: () => fake.atMs };
  return fake;
};
const reset: FaultRule = { when: { operation: 'invoke' }, fault: { kind: 'reset' } };
const invoke: FaultTarget = { operation: 'invoke', agent: 'a', sessionId: 's', sessionNumber: 0 };

/** Numbers of the requests that are struck, from 1. */
function struckOf(rules: Partial<FaultRule>[], seed = 1, requests = 20, target = invoke): number[] {
  const plan = checkFaultPlan({ seed, rules: rules.map((rule) => ({ ...reset, ...rule })) });
  const injector = new FaultInjector(clock(), plan);
  return Array.from({ length: requests }, (_, index) => index + 1).filter(
    () => injector.strike(target) !== undefined,
  );
}

describe('FaultInjector', () => {
  it.each<[string, Partial<FaultRule>, number[]]>([
    ['every match', {}, [1, 2, 3, 4, 5]],
    ['each n-th', { every: 2 }, [2, 4]],
    ['one number', { nth: 3 }, [3]],
    ['some numbers', { nth: [1, 4] }, [1, 4]],
    ['not more than', { count: 2 }, [1, 2]],
    ['storms', { nth: 2, burst: 3 }, [2, 3, 4]],
    ['storms, cut short', { nth: 2, burst: 3, count: 2 }, [2, 3]],
  ])('strikes %s', (_name, rule, expected) => {
    expect(struckOf([rule], 1, 5)).toEqual(expected);
  });

  it('decides by seed and number alone', () => {
    const first = struckOf([{ probability: 0.3 }], 7, 1_000);
    expect(struckOf([{ probability: 0.3 }], 7, 1_000)).toEqual(first);
    expect(struckOf([{ probability: 0.3 }], 8, 1_000)).not.toEqual(first);
    expect(first.length).toBeGreaterThan(240);
    expect(first.length).toBeLessThan(360);
    // Requests that do not match come in between and change nothing.
    const injector = new FaultInjector(
      clock(),
      checkFaultPlan({ seed: 7, rules: [{ ...reset, probability: 0.3 }] }),
    );
    const again = Array.from({ length: 1_000 }, (_, index) => index + 1).filter(() => {
      injector.strike({ operation: 'stop' });
      return injector.strike(invoke) !== undefined;
    });
    expect(again).toEqual(first);
  });

  it('draws a duration that belongs to the match as well', () => {
    const draws = (seed: number): number[] => {
      const rules = [{ when: { operation: 'invoke' }, fault: { kind: 'kill', afterMs: [100, 2_000] } }];
      const injector = new FaultInjector(clock(), checkFaultPlan({ seed, rules }));
      return Array.from({ length: 200 }, () => injector.strike(invoke)!.durationMs);
    };
    expect(draws(3)).toEqual(draws(3));
    expect(new Set(draws(3)).size).toBeGreaterThan(100);
    expect(Math.min(...draws(3))).toBeLessThan(200);
    expect(Math.max(...draws(3))).toBeGreaterThan(1_900);
    expect([drawDuration([4, 6], 0), drawDuration([4, 6], 0.999_999), drawDuration(9, 0.5)]).toEqual([
      4, 6, 9,
    ]);
    expect(faultChance(1, 0, 1, 'strike')).not.toBe(faultChance(1, 0, 1, 'duration'));
  });

  it.each<[string, FaultRule['when'], FaultTarget, boolean]>([
    ['another agent', { operation: 'invoke', agent: 'b' }, invoke, false],
    ['its agent', { operation: 'invoke', agent: 'a' }, invoke, true],
    ['another number', { operation: 'invoke', session: 1 }, invoke, false],
    ['its number', { operation: 'invoke', session: 0 }, invoke, true],
    ['one of several operations', { operation: ['stop', 'invoke'] }, invoke, true],
    ['a pattern', { operation: 'invoke', session: 'ab*ef' }, { ...invoke, sessionId: 'abcdef' }, true],
    [
      'a pattern with stars',
      { operation: 'invoke', session: '*b*d*' },
      { ...invoke, sessionId: 'abcdef' },
      true,
    ],
    [
      'a pattern that overlaps',
      { operation: 'invoke', session: 'aba*aba' },
      { ...invoke, sessionId: 'ababa' },
      false,
    ],
    [
      'a pattern in another order',
      { operation: 'invoke', session: '*d*b*' },
      { ...invoke, sessionId: 'abcdef' },
      false,
    ],
    ['a whole id', { operation: 'invoke', session: 'abc' }, { ...invoke, sessionId: 'abcdef' }, false],
  ])('matches %s', (_name, when, target, expected) => {
    expect(struckOf([{ when }], 1, 1, target).length === 1).toBe(expected);
  });

  it('matches keys by their beginning', () => {
    const injector = new FaultInjector(
      clock(),
      checkFaultPlan({
        seed: 1,
        rules: [{ when: { operation: 's3_put', keyPrefix: 'exp/' }, fault: { kind: 'forget' } }],
      }),
    );
    const put = (key: string) => injector.strike({ operation: 's3_put', bucket: 'b', key });
    expect(put('other/exp/')).toBeUndefined();
    expect(put('exp/1')).toMatchObject({ durationMs: 0, fault: { kind: 'forget' } });
  });

  it('lets the first rule strike, and counts for the others', () => {
    const injector = new FaultInjector(
      clock(),
      checkFaultPlan({
        seed: 1,
        rules: [
          { ...reset, name: 'first', every: 2 },
          { ...reset, count: 1 },
        ],
      }),
    );
    for (let request = 0; request < 3; request += 1) injector.strike(invoke)?.settle('done');
    expect(injector.injected()).toMatchObject([
      { seq: 1, rule: 'rule 1', ruleIndex: 1, match: 1, kind: 'reset', moment: 'before', outcome: 'done' },
      { seq: 2, rule: 'first', ruleIndex: 0, match: 2, agent: 'a', sessionId: 's', operation: 'invoke' },
    ]);
    expect(injector.injected(1)).toHaveLength(1);
    expect(injector.injected(2)).toEqual([]);
  });

  it('looks at the age of the plan', () => {
    const time = clock();
    const injector = new FaultInjector(
      time,
      checkFaultPlan({ seed: 1, rules: [{ ...reset, betweenMs: [100, 200] }] }),
    );
    const struckAt = (atMs: number): boolean => {
      time.atMs = 5_000 + atMs;
      return injector.strike(invoke) !== undefined;
    };
    expect([99, 100, 199, 200].map(struckAt)).toEqual([false, true, true, false]);
  });

  it('starts a new plan from its beginning and gives up what was pending', () => {
    const plan = checkFaultPlan({ seed: 1, rules: [{ ...reset, nth: 1 }] });
    const injector = new FaultInjector(clock(), plan);
    const pending = injector.strike(invoke)!;
    expect(injector.strike(invoke)).toBeUndefined();
    injector.setPlan(plan);
    expect(pending.signal.aborted).toBe(true);
    expect(injector.strike(invoke)).toBeDefined();
    injector.setPlan(undefined);
    expect(injector.strike(invoke)).toBeUndefined();
    expect(injector.injected()).toHaveLength(2);
  });
});
