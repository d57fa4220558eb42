import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  invocation,
  resultKey,
  sessionHeader,
  sessionId,
  target,
  testApp,
  type TestApp,
  throwing,
} from '../test-app.fixture.ts';

let made: TestApp;

afterEach(() => made.app.close());

const base = { input_id: 'in1', s3_bucket: 'results', result_key: resultKey };

/** Runs one rollout with this handler's result and returns the stored document. */
async function rollout(
  process: (request: Record<string, unknown>) => unknown,
  payload: Record<string, unknown> = { prompt: 'hi', _rollout: target },
): Promise<Record<string, unknown>> {
  made = testApp({ rolloutHandler: { process: process as () => object } });
  const answer = await made.app.inject(invocation(payload));
  expect(answer.statusCode).toBe(200);
  return vi.waitFor(async () => {
    const document = await made.stored(resultKey);
    expect(document).toBeDefined();
    return document!;
  });
}

describe('the document of a rollout', () => {
  it('adds the reserved fields in the layout of the Python app', async () => {
    await rollout(async () => ({ rewards: 1, text: 'grüße' }));
    const text = await made.store.get({ bucket: 'results', key: resultKey });
    expect(text).toBe(`{
  "rewards": 1,
  "text": "gr\\u00fc\\u00dfe",
  "status_code": 200,
  "stop_reason": "end_turn",
  "input_id": "in1",
  "s3_bucket": "results",
  "result_key": "${resultKey}",
  "payload": {
    "prompt": "hi",
    "_rollout": {
      "exp_id": "exp1",
      "input_id": "in1",
      "s3_bucket": "results"
    }
  }
}`);
  });

  it('keeps status_code and stop_reason of the handler and overwrites the other reserved fields', async () => {
    const document = await rollout(() => ({
      status_code: 422,
      stop_reason: 'gave up',
      input_id: 'x',
      payload: 1,
    }));
    expect(document).toMatchObject({ status_code: 422, stop_reason: 'gave up', ...base });
    expect(document['payload']).toEqual({ prompt: 'hi', _rollout: target });
  });

  it.each([
    [
      'throws',
      () => {
        throw new RangeError('too far');
      },
      'too far',
    ],
    [
      'rejects',
      async () => {
        await Promise.resolve();
        throw new Error('no model');
      },
      'no model',
    ],
    ['throws text', throwing('plain text'), 'plain text'],
    ['throws an object', throwing({ reason: 42 }), '{ reason: 42 }'],
    ['throws an object without a prototype', throwing(Object.create(null)), '[Object: null prototype] {}'],
  ])('stores an error document when the handler %s', async (_name, process, reason) => {
    const document = await rollout(process);
    expect(document).toMatchObject({ status_code: 500, stop_reason: reason, ...base });
    expect(document['traceback']).toContain(reason);
    expect(document['payload']).toEqual({ prompt: 'hi', _rollout: target });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 1],
    ['text', 'done'],
    ['a list', [1]],
    ['a Map', new Map([['rewards', 1]])],
    ['a Date', new Date(0)],
    ['an Error', new Error('returned')],
    ['bytes', new Uint8Array(2)],
  ])('stores an error document when the handler returns %s', async (_name, value) => {
    const document = await rollout(() => value);
    expect(document['status_code']).toBe(500);
    expect(document['stop_reason']).toMatch(/^Return value must be an object/);
  });

  it.each([
    ['a function', { a: { b: () => 1 } }, '$.a.b'],
    ['a nested Map', { a: new Map() }, '$.a'],
  ])('names the path when the result holds %s', async (_name, value, path) => {
    const document = await rollout(() => value);
    expect(document['status_code']).toBe(500);
    expect(document['stop_reason']).toContain(path);
  });

  it.each([
    [{ rewards: [1, Number.NaN] }, { rewards: [1, null] }, '$.rewards[1] is NaN'],
    [{ reward: Infinity }, { reward: null }, '$.reward, got Infinity'],
    [{ reward: '1' }, { reward: '1' }, '$.reward, got "1"'],
    [{ rewards: [] }, { rewards: [] }, 'empty list'],
    [{ reward: 1, logprobs: [-Infinity] }, { rewards: 1, logprobs: [null] }, '$.logprobs[0] is -Infinity'],
  ])('stores %j as it was returned, and says in the log what is no number', async (value, stored, words) => {
    const document = await rollout(() => value);
    expect(document).toMatchObject({ status_code: 200, stop_reason: 'end_turn', ...stored });
    const warnings = made.lines.flatMap((line) => (line['problems'] as string[] | undefined) ?? []);
    expect(warnings).toContainEqual(expect.stringContaining(words));
  });

  it('survives a result that contains itself', async () => {
    const document = await rollout(() => {
      const result: Record<string, unknown> = { rewards: 1 };
      result['self'] = result;
      return result;
    });
    expect(document['stop_reason']).toContain('at $.self: it is $ again');
  });

  it('names where a cycle begins', async () => {
    const document = await rollout(() => {
      const agent: Record<string, unknown> = {};
      agent['history'] = [{ by: agent }];
      return { rewards: 1, state: { agent } };
    });
    expect(document['stop_reason']).toContain(
      'at $.state.agent.history[0].by: it is $.state.agent again, so the value contains itself',
    );
  });

  it('survives a handler that returns its payload, or changes it', async () => {
    const document = await rollout((request) => {
      request['prompt'] = 'changed';
      (request['_rollout'] as Record<string, unknown>)['exp_id'] = 'changed';
      request['rewards'] = 1;
      return request;
    });
    expect(document).toMatchObject({ status_code: 200, rewards: 1, prompt: 'changed' });
    expect(document['payload']).toEqual({ prompt: 'hi', _rollout: target });
  });

  it('survives a handler that returns an object inside its payload, and does not change it', async () => {
    let returned: unknown;
    const payload = { item: { text: 'x' }, _rollout: target };
    const document = await rollout((request) => (returned = request['item']), payload);
    expect(document).toMatchObject({ text: 'x', payload });
    expect(returned).toEqual({ text: 'x' });
  });

  it('uses toJSON of what the handler returned', async () => {
    expect(await rollout(() => ({ toJSON: () => ({ rewards: 0.5 }) }))).toMatchObject({ rewards: 0.5 });
  });

  it('keeps big integers and takes what Python writes for missing numbers', async () => {
    made = testApp({
      rolloutHandler: {
        process: (request) => ({ seen: typeof request['id'], nan: Number.isNaN(request['x']) }),
      },
    });
    const payload = `{"id":12345678901234567890,"x":NaN,"_rollout":${JSON.stringify({ ...target, input_id: 7 })}}`;
    const answer = await made.app.inject({
      method: 'POST',
      url: '/invocations',
      headers: sessionHeader,
      payload,
    });
    expect(answer.json<{ result_key: string }>().result_key).toBe(`exp1/7/${sessionId}.json`);
    const text = await vi.waitFor(async () => {
      const found = await made.store.get({ bucket: 'results', key: `exp1/7/${sessionId}.json` });
      expect(found).toBeDefined();
      return found!;
    });
    expect(text).toContain('"id": 12345678901234567890');
    expect(text).toContain('"x": "NaN"');
    expect(text).toContain('"input_id": 7');
    expect(JSON.parse(text)).toMatchObject({ seen: 'bigint', nan: true });
  });

  it('leaves a result that is there already', async () => {
    made = testApp({ rolloutHandler: { process: () => ({ rewards: 2 }) } });
    await made.store.put({ bucket: 'results', key: resultKey }, '{"rewards":1}');
    await made.app.inject(invocation({ _rollout: target }));
    await vi.waitFor(() => expect(made.app.getAsyncTaskInfo().activeCount).toBe(0));
    expect(await made.stored(resultKey)).toEqual({ rewards: 1 });
  });
});
