import { expect, it } from 'vitest';
import { retryPatiently } from './retry-patiently.ts';

const pauses: number[] = [];
const at = (failures: number): number => {
  pauses.push(failures);
  return 0;
};

it('does it again until it succeeds', async () => {
  const tried: number[] = [];
  const result = await retryPatiently(
    async (attempt) => {
      tried.push(attempt);
      if (attempt < 3) throw new Error('not yet');
      return 'done';
    },
    { isRetryable: () => true, pauseMs: at },
  );
  expect({ result, tried, pauses }).toEqual({ result: 'done', tried: [1, 2, 3], pauses: [1, 2] });
});

it('ends with the error that is for good, with the last one, or with the reason of the signal', async () => {
  const fail = async (attempt: number): Promise<never> => {
    throw new Error(`failure ${attempt}`);
  };
  const always = { isRetryable: () => true, pauseMs: () => 0 };
  await expect(retryPatiently(fail, { ...always, tries: 4 })).rejects.toThrow('failure 4');
  await expect(retryPatiently(fail, { ...always, isRetryable: () => false })).rejects.toThrow('failure 1');
  const stop = new AbortController();
  const waiting = retryPatiently(fail, { ...always, pauseMs: () => 60_000, signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});
