import { describe, expect, it } from 'vitest';
import { outcomeOfText } from './outcome-of-document.ts';

const outcomeOf = (document: object): ReturnType<typeof outcomeOfText> =>
  outcomeOfText(JSON.stringify(document));

describe('a document with a status that is not 200', () => {
  it.each([
    [
      { status_code: 500, stop_reason: 'the tool failed' },
      'agent_error',
      'ART_AGENT_ERROR',
      /500: the tool failed/,
    ],
    [{ status_code: 500, stop_reason: 7 }, 'agent_error', 'ART_AGENT_ERROR', /no stop_reason given/],
    [
      { status_code: 503, stop_reason: 'the model is down' },
      'agent_error',
      'ART_AGENT_ERROR',
      /the model is down/,
    ],
    [
      { status_code: 503, stop_reason: 'infrastructure_error', message: 'The model endpoint is down.' },
      'infra_error',
      'ART_INFRASTRUCTURE_ERROR',
      /infrastructure of the agent failed: The model endpoint is down\./,
    ],
    [
      { status_code: 503, stop_reason: 'infrastructure_error', message: 7 },
      'infra_error',
      'ART_INFRASTRUCTURE_ERROR',
      /does not say which/,
    ],
    // What the Python toolkit stores where a handler raised, whatever words the exception had.
    [
      { status_code: 500, stop_reason: 'infrastructure_error' },
      'agent_error',
      'ART_AGENT_ERROR',
      /500: infra/,
    ],
    [{ status_code: 500, stop_reason: 'Connection error.' }, 'agent_error', 'ART_AGENT_ERROR', /Connection/],
    // A machine that was taken away is no failure of the agent's, and must never be a reward of 0.
    [{ status_code: 503, stop_reason: 'terminated' }, 'lost', 'ART_ROLLOUT_LOST', /ended before/],
    [{ status_code: 504, stop_reason: 'timeout' }, 'timeout', 'ART_ROLLOUT_TIMEOUT', /maxRolloutMs/],
  ])('%o is %s', (document, kind, code, message) => {
    expect(outcomeOf(document)).toMatchObject({ kind, document, error: { code } });
    expect(outcomeOf(document)).toHaveProperty('error.message', expect.stringMatching(message));
  });
});

describe('a document of success', () => {
  it.each([
    [{}, 'absent'],
    [{ rewards: [] }, 'empty'],
    [{ rewards: 'good' }, 'not_a_number'],
  ])('%o is ok and says why it has no reward', (document, kind) => {
    expect(outcomeOf(document)).toEqual({
      kind: 'ok',
      document,
      reward: undefined,
      rewardProblem: { kind, message: expect.stringContaining('finite number') as string },
    });
  });

  // As Python writes them, too.
  it.each<[string, string]>([
    ['{"reward": NaN}', 'not_finite'],
    ['{"reward": Infinity}', 'not_finite'],
    ['{"rewards": [1, -Infinity]}', 'not_finite'],
    ['{"reward": 1e999}', 'not_finite'],
    ['{"reward": "1"}', 'not_a_number'],
    ['{"reward": true}', 'not_a_number'],
    ['{"rewards": [1, null]}', 'not_a_number'],
    ['{"reward": []}', 'empty'],
    ['{"reward": null}', 'absent'],
    ['{}', 'absent'],
  ])('%s is ok without a reward, never a failure and never 0', (text, kind) => {
    expect(outcomeOfText(text)).toMatchObject({ kind: 'ok', reward: undefined, rewardProblem: { kind } });
  });

  it.each([{ rewards: [0, 1] }, { reward: 1 }])('%o has its reward, and no problem', (document) => {
    expect(outcomeOf(document)).toEqual({ kind: 'ok', document, reward: 1 });
  });
});
