import { expect, it } from 'vitest';
import { readRunResults } from './run-results.ts';

it('has metrics by name', () => {
  const metric = { name: 'turns\u202e', value: 2.5, low: '-Infinity', high: 'Infinity', method: 'none' };
  expect(readRunResults({ metrics: [metric, { name: 3 }, null] }).metrics).toEqual([
    { name: 'turns[U+202E]', value: '2.500', interval: undefined },
  ]);
  expect(readRunResults(null).metrics).toEqual([]);
});

it('has intervals, pass@k and whether the mean is to be trusted', () => {
  const estimate = { value: 0.5, low: 0.25, high: 0.75, method: 't' };
  expect(
    readRunResults({
      mean: estimate,
      passAt: [{ ...estimate, k: 1 }],
      passPower: [{ ...estimate, k: 1 }, { ...estimate, k: 4, low: '-Infinity' }, 'x'],
      byTag: [
        { tag: 'hard', mean: estimate },
        { tag: 'one', mean: { ...estimate, low: '-Infinity' } },
        { tag: 3 },
      ],
      excluded: { count: 9, isTrusted: false },
    }),
  ).toEqual({
    openMean: undefined,
    latency: {},
    metrics: [],
    tagIntervals: new Map([['hard', '0.250 to 0.750']]),
    meanInterval: '95 %: 0.250 to 0.750 (t)',
    passes: [
      { name: 'pass@1', value: '0.500', interval: '95 %: 0.250 to 0.750 (t)' },
      { name: 'pass^4', value: '0.500', interval: undefined },
    ],
    distrust: '9 samples could not be judged, which is more than the run allows. Do not trust its mean.',
  });
});

it('leaves open what lost samples leave open', () => {
  const open = { value: 1, low: 0.3, high: 1, method: 'wilson', bounds: { low: 0.6, high: 1, tasks: 4 } };
  const interval = '4 tasks have lost samples, which failed or passed';
  const { openMean, meanInterval, passes } = readRunResults({ mean: open, passAt: [{ ...open, k: 4 }] });
  expect([openMean, meanInterval]).toEqual(['0.600 to 1', interval]);
  expect(passes).toEqual([{ name: 'pass@4', value: '0.600 to 1', interval }]);
});

it('takes what it does not know for nothing', () => {
  const nothing = {
    openMean: undefined,
    latency: {},
    meanInterval: undefined,
    passes: [],
    metrics: [],
    tagIntervals: new Map(),
    distrust: undefined,
  };
  for (const results of [null, {}, { mean: 3, passAt: {}, excluded: [] }])
    expect(readRunResults(results)).toEqual(nothing);
});
