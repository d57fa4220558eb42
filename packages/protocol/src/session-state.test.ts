import { describe, expect, expectTypeOf, it } from 'vitest';
import { parseInvocationReply } from './invocation-reply.ts';
import { parseJson } from './parse-json.ts';
import {
  advertisesSessionState,
  formatSessionState,
  parseSessionState,
  parseSessionStateQuestion,
  type SessionStateName,
  sessionStateQuestion,
  sessionStates,
} from './session-state.ts';

const question = { bucket: 'results', resultKey: 'e/i/s.json', attemptId: 'a-1' };
const wire = { s3_bucket: 'results', result_key: 'e/i/s.json', attempt_id: 'a-1' };

describe('the state question', () => {
  it('has this wire format, and is read back', () => {
    const body = sessionStateQuestion(question);
    expect(body).toBe(
      '{"_rollout_state":{"s3_bucket":"results","result_key":"e/i/s.json","attempt_id":"a-1"}}',
    );
    expect(parseSessionStateQuestion(parseJson(body))).toEqual(question);
  });

  it.each([
    ['a job', { prompt: 'hi' }],
    ['a job that has a member of this name among others', { _rollout_state: wire, prompt: 'hi' }],
    ['a rollout that has one', { _rollout_state: wire, _rollout: {} }],
    ['a member of its prototype', Object.create({ _rollout_state: wire }) as object],
    ['no object', '_rollout_state'],
    ['a list', [wire]],
    ['null', null],
  ])('is not %s', (_name, payload) => {
    expect(parseSessionStateQuestion(payload)).toBeUndefined();
  });

  it.each([
    [{ _rollout_state: 1 }, /got 1\.$/],
    [{ _rollout_state: null }, /got null\.$/],
    [{ _rollout_state: { ...wire, attempt_id: undefined } }, /got undefined as attempt_id/],
    [{ _rollout_state: { ...wire, s3_bucket: '' } }, /got "" as s3_bucket/],
    [{ _rollout_state: { ...wire, result_key: 5 } }, /got 5 as result_key/],
    [{ _rollout_state: Object.create(wire) as object }, /as s3_bucket/],
  ])('is refused where it is %j', (payload, message) => {
    expect(() => parseSessionStateQuestion(payload)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_PAYLOAD',
        message: expect.stringMatching(message) as string,
      }),
    );
  });

  it.each(['bucket', 'resultKey', 'attemptId'])('is not written without %s', (name) => {
    expect(() => sessionStateQuestion({ ...question, [name]: '' })).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining(name) as string,
      }),
    );
  });
});

describe('the answer', () => {
  it.each(sessionStates)('can be %s', (state) => {
    const body = formatSessionState({ state, attemptId: 'a-1' });
    expect(body).toBe(`{"status":"state","state":"${state}","attempt_id":"a-1"}`);
    const answer = parseSessionState(body);
    expect(answer).toEqual({ state, attemptId: 'a-1' });
    expectTypeOf(answer.state).toEqualTypeOf<SessionStateName>();
  });

  it.each([
    '',
    'null',
    '{"status":"processing"}',
    '{"status":"state","state":"busy","attempt_id":"a"}',
    '{"status":"state","state":"constructor","attempt_id":"a"}',
    '{"status":"state","state":"running"}',
    '{"status":"state","state":"running","attempt_id":1}',
  ])('is not %s', (body) => {
    expect(() => parseSessionState(body)).toThrow(expect.objectContaining({ code: 'ART_INVALID_REPLY' }));
  });
});

it('only a reply that says so comes from an agent that may be asked', () => {
  const asked = (body: string): boolean => advertisesSessionState(parseInvocationReply(body));
  expect(asked('{"status":"processing","state_query":"v1"}')).toBe(true);
  expect(asked('{"status":"processing","s3_bucket":"b","result_key":"k"}')).toBe(false);
  expect(asked('{"status":"processing","state_query":true}')).toBe(false);
});
