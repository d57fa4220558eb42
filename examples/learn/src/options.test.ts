import { describe, expect, it } from 'vitest';
import { parseOptions } from './options.ts';

const place = { now: new Date('2026-11-22T13:14:15.678Z'), cwd: '/here' };

function refusal(...args: string[]): unknown {
  try {
    return parseOptions(args, place);
  } catch (error) {
    return error;
  }
}

describe('parseOptions', () => {
  it('has defaults for everything', () => {
    expect(parseOptions([], place)).toEqual({
      seed: 0,
      steps: 120,
      runs: ['exact'],
      sessions: 'server',
      platformVersion: 'V1',
      engine: 'local',
      yes: false,
      out: '/here/.art/learn-20261122-131415',
    });
  });

  it('takes several runs in the order that they are named', () => {
    const args = [
      '--spoil',
      'none,shift-logprobs,whole-loss',
      '--seed',
      '7',
      '--steps',
      '12',
      '--yes',
      '--out',
      'x',
    ];
    expect(
      parseOptions(
        [...args, '--sessions', 'processes', '--platform-version', 'V2', '--engine', 'vllm'],
        place,
      ),
    ).toEqual({
      seed: 7,
      steps: 12,
      runs: ['exact', 'shift-logprobs', 'whole-loss'],
      sessions: 'processes',
      platformVersion: 'V2',
      engine: 'vllm',
      yes: true,
      out: '/here/x',
    });
  });

  it('asks for help', () => {
    expect(parseOptions(['--help'], place)).toBeUndefined();
  });

  it.each([
    [['--spoil', 'shift'], '--spoil'],
    [['--spoil', 'none,none'], '--spoil'],
    [['--steps', '0'], '--steps'],
    [['--steps', '1.5'], '--steps'],
    [['--seed', '-1'], '--seed'],
    [['--seed', '4294967296'], '--seed'],
    [['--seed', ''], '--seed'],
    [['--sessions', 'threads'], '--sessions'],
    [['--sessions', 'processes', '--platform-version', 'V3'], '--platform-version'],
    [['--platform-version', 'V2'], '--platform-version'],
    [['--engine', 'sglang'], '--engine'],
    [['--spoil', 'whole-loss'], '--spoil'],
    [['--stepps', '3'], '--stepps'],
    [['more'], 'more'],
  ])('refuses %j', (args, name) => {
    expect(refusal(...args)).toMatchObject({
      code: 'ART_INVALID_OPTION',
      message: expect.stringMatching(new RegExp(`${name}.*See --help\\.`)) as string,
    });
  });
});
