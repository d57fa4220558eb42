import { describe, expect, it } from 'vitest';
import { parseCollectRequest, requestDigest } from './collect-request.ts';

const least = { inputs: [{ prompt: 'a' }], rollouts_per_input: 2 };
const parse = (body: unknown) => parseCollectRequest(body, () => 'made-up');

describe('parseCollectRequest', () => {
  it('has defaults, and takes null for nothing', () => {
    const request = {
      requestId: 'made-up',
      inputs: [{ prompt: 'a' }],
      rolloutsPerInput: 2,
      rowFormat: 'art',
      advantages: {},
      envName: 'art',
      padTokenId: 0,
    };
    expect(parse(least)).toEqual(request);
    expect(parse({ ...least, sampling: null, request_id: null, row_format: null })).toEqual(request);
  });

  it('takes advantages by turn for formats that carry them', () => {
    const advantages = { credit: 'turn', turn_baseline: 'turn', discount: 0.9 };
    for (const row_format of ['art', 'tinker', 'sagemaker', 'prime-rl'])
      expect(parse({ ...least, row_format, advantages })).toMatchObject({
        advantages: { credit: 'turn', turnBaseline: 'turn', discount: 0.9 },
      });
  });

  it('takes which agents train', () => {
    const trains = { labels: ['planner'], lineage: 'first' };
    expect(parse({ ...least, trains })).toMatchObject({ trains });
    expect(requestDigest(parse({ ...least, trains }))).not.toBe(requestDigest(parse(least)));
  });

  it.each<[unknown, string]>([
    [{ ...least, trains: { label: ['planner'] } }, 'labels'],
    [{ ...least, trains: {} }, 'trains'],
    [[], 'the request'],
    [{}, 'inputs'],
    [{ inputs: [{}] }, 'rollouts_per_input'],
    [{ ...least, rollouts_per_input: 1.5 }, 'rollouts_per_input'],
    [{ ...least, inputs: {} }, 'inputs'],
    [{ ...least, inputs: [{}, 'x'] }, 'inputs[1]'],
    [{ ...least, request_id: 'a/b' }, 'request_id'],
    [{ ...least, request_id: '.' }, 'request_id'],
    [{ ...least, policy_version: -1 }, 'policy_version'],
    [{ ...least, sampling: 1 }, 'sampling'],
    [{ ...least, deadline_ms: 0 }, 'deadline_ms'],
    [{ ...least, deadline_ms: 2 ** 31 }, 'deadline_ms'],
    [{ ...least, row_format: 'toString' }, 'row_format'],
    [{ ...least, agent_error_reward: '0' }, 'agent_error_reward'],
    [{ ...least, env_name: '' }, 'env_name'],
    [{ ...least, rolloutsPerInput: 2 }, 'rolloutsPerInput'],
    ...['trl', 'slime', 'verl', 'rllm'].map((format): [unknown, string] => [
      { ...least, row_format: format, advantages: { credit: 'turn' } },
      `since ${format} has one advantage`,
    ]),
  ])('refuses %j and names %s', (body, name) => {
    expect(() => parse(body)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining(name) as string,
      }) as Error,
    );
  });
});

it('requests that differ in anything have different digests, whatever the order of their fields', () => {
  const digest = (body: object): string => requestDigest(parse(body));
  expect(digest({ ...least, policy_version: 1 })).toBe(digest({ policy_version: 1, ...least }));
  for (const other of [{ policy_version: 1 }, { inputs: [{ prompt: 'b' }] }, { row_format: 'trl' }])
    expect(digest({ ...least, ...other })).not.toBe(digest(least));
});
