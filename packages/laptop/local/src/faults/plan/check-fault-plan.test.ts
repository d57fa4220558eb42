import { describe, expect, it } from 'vitest';
import { checkFaultPlan } from './check-fault-plan.ts';
import { faultOperations } from './fault-target.ts';
import { faultsByOperation } from './fault.ts';

const rule = (change: object): object => ({
  seed: 1,
  rules: [{ when: { operation: 'invoke' }, fault: { kind: 'reset' }, ...change }],
});
const faultOf = (operation: string | string[], fault: object): object => rule({ when: { operation }, fault });

/** Members that a fault needs besides its kind. */
const needed: Record<string, object> = {
  delay: { ms: 1 },
  error: { status: 500 },
  hide_from_lists: { forMs: 1 },
  hide_from_reads: { forMs: 1 },
  slow_body: { bytesPerSecond: 1 },
};

describe('checkFaultPlan', () => {
  it('takes everything that a plan can say, and gives back a copy', () => {
    const plan = {
      seed: -7,
      rules: [
        {
          name: 'machines die',
          when: { operation: 'invoke', agent: 'math', session: 'a*-b' },
          fault: { kind: 'kill', moment: 'after', afterMs: [10, 20] },
          probability: 0.5,
          every: 2,
          nth: [2, 4],
          burst: 3,
          count: 5,
          betweenMs: [0, 1_000],
        },
        {
          when: { operation: ['s3_get', 's3_list'], keyPrefix: 'exp/', session: 0 },
          fault: { kind: 'error', status: 503, retryAfterMs: 100, message: 'slow', moment: 'after' },
        },
      ],
    };
    const checked = checkFaultPlan(plan);
    expect(JSON.parse(JSON.stringify(checked))).toEqual({
      ...plan,
      rules: [{ ...plan.rules[0], when: { ...plan.rules[0]!.when, operation: ['invoke'] } }, plan.rules[1]],
    });
    expect(checked).not.toBe(plan);
  });

  it.each(
    faultOperations.flatMap((operation) =>
      faultsByOperation[operation].map((kind): [string, string] => [kind, operation]),
    ),
  )('takes %s for %s', (kind, operation) => {
    const plan = checkFaultPlan(faultOf(operation, { kind, ...needed[kind] }));
    expect(plan.rules[0]?.fault.kind).toBe(kind);
    expect(checkFaultPlan(plan)).toEqual(plan);
  });

  it.each<[unknown, RegExp]>([
    [null, /`faults` to be an object with seed and rules, got null/],
    [[], /`faults` to be an object with seed and rules, got an array of 0/],
    [{ rules: [] }, /`faults.seed` to be a whole number, which makes the run repeatable, got undefined/],
    [{ seed: 1.5, rules: [] }, /`faults.seed` .*got 1.5/],
    [{ seed: 1 }, /`faults.rules` to be a list of rules, got undefined/],
    [{ seed: 1, rules: [], sed: 2 }, /`options of faults` to be known ones, got "sed"\. Did you mean seed\?/],
    [{ seed: 1, rules: [3] }, /`faults.rules\[0\]` .*got 3/],
    [rule({ when: {} }), /`faults.rules\[0\].when.operation` to be one of start, invoke, .*got undefined/],
    [rule({ when: { operation: 'invoek' } }), /when.operation` .*or a list of them, got "invoek"/],
    [rule({ when: { operation: ['invoke', 'x'] } }), /when.operation` .*It is \["invoke","x"\]/],
    [rule({ when: { operation: [] } }), /when.operation`/],
    [
      rule({ when: { operation: 'invoke', sesion: 1 } }),
      /options of faults.rules\[0\].when` .*got "sesion"\. Did you mean session\?/,
    ],
    [rule({ when: { operation: 'invoke', session: -1 } }), /when.session` .*got -1/],
    [rule({ when: { operation: 'invoke', session: 'a b' } }), /when.session` .*got "a b"/],
    [rule({ when: { operation: 'invoke', keyPrefix: 'a' } }), /when.keyPrefix` to be left out/],
    [rule({ probability: 0 }), /probability` to be a number above 0, at most 1, got 0/],
    [rule({ probability: '1' }), /probability` .*got "1"/],
    [rule({ every: 0 }), /every` .*got 0/],
    [rule({ nth: [] }), /nth` .*It is \[\]/],
    [rule({ nth: [1, 0] }), /nth` .*It is \[1,0\]/],
    [rule({ betweenMs: [5, 1] }), /betweenMs` .*It is \[5,1\]/],
    [
      rule({ when: { operation: 'ping' }, fault: { kind: 'reset' } }),
      /kind` to be for ping "lose_pings", got "reset"/,
    ],
    [
      faultOf(['invoke', 's3_put'], { kind: 'forget' }),
      /for invoke and s3_put one of kill, drop, delay, reset, error/,
    ],
    [
      faultOf('invoke', { kind: 'error', status: 418 }),
      /status` to be for invoke one of 400, .*504, got 418/,
    ],
    [
      faultOf('s3_get', { kind: 'error', status: 429 }),
      /for s3_get one of 400, 403, 404, 409, 412, 500, 503/,
    ],
    [faultOf('invoke', { kind: 'error' }), /status`/],
    [faultOf('invoke', { kind: 'delay' }), /ms` to be milliseconds .*got undefined/],
    [faultOf('invoke', { kind: 'delay', ms: [20, 10] }), /ms` .*It is \[20,10\]/],
    [faultOf('invoke', { kind: 'delay', ms: 2 ** 31 }), /ms`/],
    [
      faultOf('invoke', { kind: 'drop', moment: 'during' }),
      /moment` to be one of before, after, got "during"/,
    ],
    [faultOf('command', { kind: 'drop', moment: 'after' }), /moment` to be "before", got "after"/],
    [
      faultOf('invoke', { kind: 'kill', moment: 'before', afterMs: 5 }),
      /fault.afterMs` to be left out here, got 5/,
    ],
    [faultOf('start', { kind: 'kill', moment: 'before' }), /fault.moment` to be left out here, got "before"/],
    [faultOf('s3_put', { kind: 'slow_body', bytesPerSecond: 0 }), /bytesPerSecond` .*got 0/],
    [faultOf('invoke', { kind: 'duplicate', copies: 1_000 }), /copies` to be an integer from 1 to 100/],
    [faultOf('invoke', { kind: 'constructor' }), /kind` .*got "constructor"/],
  ])('refuses %j', (plan, message) => {
    expect(() => checkFaultPlan(plan)).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_OPTION', message: expect.stringMatching(message) }),
    );
  });
});
