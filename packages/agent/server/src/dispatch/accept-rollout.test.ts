import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { invocation, sessionId, target, testApp, type TestApp } from '../test-app.fixture.ts';

let made: TestApp;

afterEach(() => made.app.close());

describe('the answer to a rollout', () => {
  it('says where the result will be', async () => {
    made = testApp({ rolloutHandler: { process: () => ({ rewards: 1 }) } });
    const answer = await made.app.inject(invocation({ _rollout: target }));
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe(
      `{"status":"processing","s3_bucket":"results","result_key":"exp1/in1/${sessionId}.json"}`,
    );
  });

  it.each([
    ['no _rollout', { prompt: 'hi' }],
    ['an empty one', { _rollout: {} }],
    ['a null one', { _rollout: null }],
    ['one without a target', { _rollout: { base_url: 'http://gateway/v1', model_id: 'm' } }],
  ])('says only that it works for a payload with %s', async (_name, payload) => {
    const process = vi.fn(() => ({ rewards: 1 }));
    made = testApp({ rolloutHandler: { process } });
    const answer = await made.app.inject(invocation(payload));
    expect(answer.body).toBe('{"status":"processing"}');
    await vi.waitFor(() => expect(process).toHaveBeenCalledOnce());
  });

  it.each([
    [{ exp_id: 'e', input_id: 'i' }, "Missing required rollout config field: 's3_bucket'"],
    [{ s3_bucket: 'b', input_id: 'i' }, "Missing required rollout config field: 'exp_id'"],
    [{ exp_id: 'e' }, "Missing required rollout config field: 'input_id'"],
  ])('refuses %o as the Python app does', async (config, error) => {
    const process = vi.fn(() => ({}));
    made = testApp({ rolloutHandler: { process } });
    const answer = await made.app.inject(invocation({ _rollout: config }));
    expect([answer.statusCode, answer.body]).toEqual([500, JSON.stringify({ error })]);
    expect(made.app.getAsyncTaskInfo().activeCount).toBe(0);
    expect(process).not.toHaveBeenCalled();
  });

  it.each([
    ['a key that leaves its prefix', { ...target, input_id: '../other' }, 400, /input_id/],
    ['a key with a line break', { ...target, exp_id: 'a\r\nb' }, 400, /exp_id.*control characters/],
    ['a key that is too long', { ...target, exp_id: 'a'.repeat(1_024) }, 400, /at most 1024 bytes/],
    ['a bucket that leaves the store', { ...target, s3_bucket: '../x' }, 400, /bucket/],
    ['a _rollout that is no object', 'x', 400, /_rollout to be an object/],
    ['a _rollout that is a list', [], 400, /_rollout to be an object/],
    ['a base_url that is no text', { ...target, base_url: 1 }, 400, /base_url/],
  ])('refuses %s before anything starts', async (_name, config, status, error) => {
    const process = vi.fn(() => ({}));
    made = testApp({ rolloutHandler: { process } });
    const answer = await made.app.inject(invocation({ _rollout: config }));
    expect(answer.statusCode).toBe(status);
    expect(answer.json<{ error: string }>().error).toMatch(error);
    expect(answer.headers['x-art-error-code']).toMatch(/^ART_INVALID_/);
    expect(made.app.getAsyncTaskInfo().activeCount).toBe(0);
    expect(process).not.toHaveBeenCalled();
  });

  it.each([['[1]'], ['"text"'], ['null'], ['1']])('refuses the payload %s', async (payload) => {
    made = testApp({ rolloutHandler: { process: () => ({}) } });
    const answer = await made.app.inject({ method: 'POST', url: '/invocations', payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ error: string }>().error).toMatch(/Expected the payload to be a JSON object/);
  });

  it('refuses a payload that does not fit the schema, and says where', async () => {
    const process = vi.fn(() => ({}));
    made = testApp({ rolloutHandler: { requestSchema: z.object({ prompt: z.string() }), process } });
    const answer = await made.app.inject(invocation({ prompt: 1, _rollout: target }));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      error: 'Invalid request body format',
      details: [{ path: ['prompt'] }],
    });
    expect(process).not.toHaveBeenCalled();
    expect(made.app.getAsyncTaskInfo().activeCount).toBe(0);
  });

  it('refuses a rollout that wants its result stored where there is no store', async () => {
    const process = vi.fn(() => ({}));
    made = testApp({ rolloutHandler: { process }, resultStore: () => undefined });
    const answer = await made.app.inject(invocation({ _rollout: target }));
    expect(answer.statusCode).toBe(500);
    expect(answer.json<{ error: string }>().error).toMatch(/ART_RESULT_STORE/);
    expect(process).not.toHaveBeenCalled();
  });
});
