import { describe, expect, it, vi } from 'vitest';
import {
  type RolloutEnding,
  rolloutTermination,
  rolloutTimeout,
  strayError,
} from '../document/rollout-ending.ts';
import { invocationRecord, type RecordedJob } from './invocation-record.ts';

const name = { sessionId: 's', invocationId: 'inv-1' };
const log = { error: vi.fn(), warn: vi.fn() };

function job({
  rollout,
  scrubText,
}: { rollout?: object; scrubText?: (text: string) => string } = {}): RecordedJob {
  const scrubber = scrubText && { scrubText };
  return { context: { rollout, log }, destination: undefined, secrets: { scrubber } } as never;
}

function returned(value: unknown, changes: Parameters<typeof job>[0] = {}): Record<string, unknown> {
  const record = invocationRecord({ kind: 'returned', value }, name, job(changes));
  return JSON.parse(record!) as Record<string, unknown>;
}

const asRollout = { rollout: {} };

describe('what a handler returned', () => {
  it.each([
    ['null', null, null],
    ['nothing', undefined, null],
    ['a text', 'x', 'x'],
    ['a number', 0.5, 0.5],
    ['false', false, false],
    ['a list', [1, [2]], [1, [2]]],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an object with toJSON', { toJSON: () => ({ a: 1 }) }, { a: 1 }],
    ['a big integer', 2n ** 60n, 2 ** 60],
    ['half of a surrogate pair', 'a\ud800b', 'a\ud800b'],
    ['names of ours', { status: 'x', version: 2, error: 'y' }, { status: 'x', version: 2, error: 'y' }],
  ])('%s is recorded as it is', (_name, value, result) => {
    expect(returned(value)).toEqual({ version: 1, invocation_id: 'inv-1', status: 'completed', result });
  });

  const cycle: unknown[] = [];
  cycle.push(cycle);

  it.each([
    ['NaN', { deep: [Number.NaN] }, '$.result.deep[0]'],
    ['a function', () => 1, 'function'],
    ['a symbol', Symbol('x'), 'JSON'],
    ['a cycle', cycle, 'contains itself'],
    ['a Map', new Map(), 'Map'],
    ['an error', new Error('x'), 'JSON value'],
    ['a regular expression', /x/, 'JSON value'],
    ['bytes in an ArrayBuffer', new ArrayBuffer(1), 'JSON value'],
    ['an invalid date', { at: new Date(Number.NaN) }, 'date'],
    ['a ReadableStream', new ReadableStream(), 'ReadableStream'],
    [
      'a getter that throws',
      {
        get x() {
          throw new Error('no');
        },
      },
      'no',
    ],
  ])('%s becomes an error that says why', (_name, value, reason) => {
    const record = returned(value);
    expect(record).toEqual({
      version: 1,
      invocation_id: 'inv-1',
      status: 'completed',
      error: expect.stringContaining(reason) as string,
    });
    expect(log.error).toHaveBeenLastCalledWith(
      expect.anything(),
      expect.stringContaining('cannot be recorded'),
    );
  });
});

describe('what the handler of a rollout returned', () => {
  it('gets the scalar reward that readers look for', () => {
    expect(returned({ rewards: [0, 0.5] }, asRollout)['result']).toEqual({ rewards: [0, 0.5], reward: 0.5 });
    expect(returned({ reward: 1, metrics: { turns: 2 } }, asRollout)['result']).toEqual({
      reward: 1,
      metrics: { turns: 2 },
    });
    expect(returned({ answer: 'x' }, asRollout)['result']).toEqual({ answer: 'x' });
  });

  it.each([
    [{ reward: 'good' }, { reward: 'good' }, '$.reward, got "good"'],
    [{ reward: null }, { reward: null }, '$.reward, got null'],
    [{ rewards: [] }, { rewards: [] }, 'empty list'],
    [{ rewards: [Number.NaN, 1] }, { rewards: [null, 1], reward: 1 }, '$.result.rewards[0] is NaN'],
    [{ reward: Number.NaN }, { reward: null }, '$.result.reward is NaN'],
    [{ reward: 1, metrics: { note: 'x' } }, { reward: 1, metrics: { note: 'x' } }, '$.metrics.note'],
  ])('%j is delivered as it was returned, with a warning', (value, result, words) => {
    expect(returned(value, asRollout)).toMatchObject({ status: 'completed', result });
    expect(log.warn).toHaveBeenLastCalledWith(
      { problems: expect.arrayContaining([expect.stringContaining(words)]) as string[] },
      expect.any(String),
    );
  });

  it.each([['no object', 'text', 'must be an object']])('%s becomes an error', (_name, value, reason) => {
    expect(returned(value, asRollout)).toEqual(
      expect.objectContaining({ status: 'completed', error: expect.stringContaining(reason) as string }),
    );
  });
});

describe('what else can become of an invocation', () => {
  const whole = (ending: RolloutEnding): Record<string, unknown> | undefined => {
    const record = invocationRecord(ending, name, job());
    return record === undefined ? undefined : (JSON.parse(record) as Record<string, unknown>);
  };
  const record = (ending: RolloutEnding): unknown => whole(ending)?.['error'];

  it('is recorded where it is the agent\u2019s own', () => {
    expect(record({ kind: 'threw', error: new Error('boom') })).toBe('boom');
    expect(record({ kind: 'threw', error: { code: 5 } })).toBe('{ code: 5 }');
    expect(record({ kind: 'threw', error: undefined })).toBe('undefined');
    const failure = { message: 'http://gw/v1 refused the connection', endpoint: 'http://gw/v1' };
    const error = new Error('Connection error.');
    expect(record({ kind: 'infrastructure', error, failure })).toBe(failure.message);
    expect(record({ kind: 'timed_out', error: rolloutTimeout(5) })).toContain('maxRolloutMs');
    expect(record({ kind: 'crashed', error: strayError(new Error('boom'), true) })).toBe('boom');
  });

  it('says beside the error what failed where it was not the handler', () => {
    const failure = { message: 'http://gw/v1 refused the connection', endpoint: 'http://gw/v1' };
    const outage = { kind: 'infrastructure', error: new Error('x'), failure } as const;
    expect(whole(outage)).toMatchObject({
      status_code: 503,
      stop_reason: 'infrastructure_error',
    });
    const late = { kind: 'timed_out', error: rolloutTimeout(5) } as const;
    expect(whole(late)).toMatchObject({
      status_code: 504,
      stop_reason: 'timeout',
    });
    const thrown = { kind: 'threw', error: new Error('boom') } as const;
    expect(whole(thrown)).not.toHaveProperty('status_code');
  });

  it('is not recorded where the process ended under it: it is interrupted', () => {
    expect(record({ kind: 'terminated', error: rolloutTermination() })).toBeUndefined();
    for (const isOwn of [false, undefined])
      expect(record({ kind: 'crashed', error: strayError(new Error('boom'), isOwn) })).toBeUndefined();
  });
});

it('takes secrets out of the result and its names, and leaves what readers look for', () => {
  const scrubText = (text: string): string =>
    text.replaceAll('reward', '[redacted]').replaceAll('inv-1', '[redacted]');
  expect(returned({ reward: 1, 'reward of inv-1': 'inv-1' }, { ...asRollout, scrubText })).toEqual({
    version: 1,
    invocation_id: 'inv-1',
    status: 'completed',
    result: { reward: 1, '[redacted] of [redacted]': '[redacted]' },
  });
});
