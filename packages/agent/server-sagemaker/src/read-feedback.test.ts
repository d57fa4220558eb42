import { describe, expect, it } from 'vitest';
import { readFeedback } from './read-feedback.ts';

const told = (value: unknown) => readFeedback({ kind: 'returned', value });
const thrown = (error: unknown) => readFeedback({ kind: 'failed', error });

describe('what is told', () => {
  it.each([
    [{ reward: 0.5 }, 'ready', [0.5]],
    [{ reward: [0, 1] }, 'ready', [0, 1]],
    [{ rewards: [0, 1] }, 'ready', [0, 1]],
    [{ rewards: 1, reward: 0 }, 'ready', [0]],
    [{ answer: 'x' }, 'ready', undefined],
    [{ status: 'error', error: 'no', reward: 1 }, 'failed', [0]],
    [{ reward: Number.NaN }, 'failed', [0]],
    [{ reward: 'x' }, 'failed', [0]],
    [{ reward: [] }, 'failed', [0]],
    [{ reward: true }, 'failed', [0]],
  ])('%j is %s with %j', (value, status, rewards) => {
    expect(told(value)).toMatchObject({ status });
    expect((told(value) as { rewards?: unknown }).rewards).toEqual(rewards);
  });

  it('is a failure where the handler threw', () => {
    expect(thrown(new Error('boom'))).toEqual({ status: 'failed', rewards: [0], reason: 'boom' });
  });
});

it.each([
  told('text'),
  told(undefined),
  told([1]),
  told({ status: 'skipped' }),
  thrown(new Error('400 Trajectory r is not in valid status for sampling')),
  thrown(new Error('Cannot transition trajectory')),
])('nothing is told, but the reason is: %j', (feedback) => {
  expect(feedback).toMatchObject({ status: 'untold', reason: expect.any(String) as string });
});
