import { describe, expect, it } from 'vitest';
import { outcomeOfDocument } from './outcome-of-document.ts';

const outcomeOf = (document: object): ReturnType<typeof outcomeOfDocument> =>
  outcomeOfDocument(JSON.stringify(document));

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
    // A machine that was taken away is no failure of the agent's, and must never be a reward of 0.
    [{ status_code: 503, stop_reason: 'terminated' }, 'lost', 'ART_ROLLOUT_LOST', /ended before/],
    [{ status_code: 504, stop_reason: 'timeout' }, 'timeout', 'ART_ROLLOUT_TIMEOUT', /maxRolloutMs/],
  ])('%o is %s', (document, kind, code, message) => {
    expect(outcomeOf(document)).toMatchObject({ kind, document, error: { code } });
    expect(outcomeOf(document)).toHaveProperty('error.message', expect.stringMatching(message));
  });
});
