import { describe, expect, it } from 'vitest';
import { parseBenchOptions } from './bench-options.ts';
import { scenarioNames } from './scenarios/scenario-name.ts';

describe('parseBenchOptions', () => {
  it('runs everything unless it is told names', () => {
    expect(parseBenchOptions([])).toMatchObject({
      names: scenarioNames,
      isQuick: false,
      seed: 1,
      outDirectory: 'bench-results',
    });
    expect(parseBenchOptions(['tail', 'step', '--quick', '--seed', '7', '--out', 'x'])).toMatchObject({
      names: ['step', 'tail'],
      isQuick: true,
      seed: 7,
      outDirectory: 'x',
    });
    expect(parseBenchOptions(['--help'])).toBe('help');
  });

  it('limits the baseline by name and number', () => {
    const limit = (text: string) => parseBenchOptions(['--baseline-limit', text]);
    expect(limit('none')).toMatchObject({ baselineLimit: new Map() });
    expect(limit('step,tail:200')).toMatchObject({
      baselineLimit: new Map([
        ['step', Infinity],
        ['tail', 200],
      ]),
    });
  });

  it.each([
    [['nonsense'], /one of step, tail/],
    [['--seed', 'x'], /`--seed` to be an integer/],
    [['--seed', '-1'], /seed/],
    [['--baseline-limit', 'step:0'], /NAME:ROLLOUTS/],
    [['--baseline-limit', 'server'], /NAME:ROLLOUTS/],
    [['--fast'], /--fast/],
  ])('refuses %j', (args, message) => {
    expect(() => parseBenchOptions(args)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringMatching(message) as string,
      }) as Error,
    );
  });
});
