import { parseSessionState, sessionStateQuestion } from '@art/protocol';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { RequestContext } from '../context/request-context.ts';
import { invocation, resultKey, sessionHeader, target, testApp, type TestApp } from '../test-app.fixture.ts';

let made: TestApp;

afterEach(() => made.app.close());

const attempt = { bucket: 'results', resultKey, attemptId: 'a1' };
const rollout = { ...target, attempt_id: 'a1' };

async function ask(question = attempt): Promise<{ status: number; body: string }> {
  const answer = await made.app.inject({
    method: 'POST',
    url: '/invocations',
    headers: sessionHeader,
    payload: sessionStateQuestion(question),
  });
  return { status: answer.statusCode, body: answer.body };
}

async function state(question = attempt): Promise<string> {
  const { status, body } = await ask(question);
  expect(status).toBe(200);
  expect(parseSessionState(body).attemptId).toBe(question.attemptId);
  return parseSessionState(body).state;
}

describe('the state question', () => {
  it('follows an attempt from its acceptance until it is stored', async () => {
    const handler = Promise.withResolvers<object>();
    const put = Promise.withResolvers<void>();
    made = testApp({ rolloutHandler: { process: () => handler.promise } });
    const original = made.store.put.bind(made.store);
    const spy = vi.spyOn(made.store, 'put').mockImplementation(async (...args) => {
      await put.promise;
      return original(...args);
    });
    expect(await ask()).toEqual({
      status: 200,
      body: '{"status":"state","state":"unknown","attempt_id":"a1"}',
    });
    await made.app.inject(invocation({ _rollout: rollout }));
    expect(await state()).toBe('running');
    for (const other of [{ bucket: 'x' }, { resultKey: 'x' }, { attemptId: 'x' }]) {
      expect(await state({ ...attempt, ...other })).toBe('unknown');
    }
    handler.resolve({ rewards: 1 });
    await vi.waitFor(() => expect(spy).toHaveBeenCalled());
    expect(await state()).toBe('saving');
    put.resolve();
    await vi.waitFor(async () => expect(await state()).toBe('stored'));
  });

  it('tells that nothing could be stored, while the session stays busy', async () => {
    made = testApp({ rolloutHandler: { process: () => ({ rewards: 1 }) }, terminationGraceMs: 0 });
    vi.spyOn(made.store, 'put').mockRejectedValue(Object.assign(new Error('denied'), { code: 'EFBIG' }));
    await made.app.inject(invocation({ _rollout: rollout }));
    await vi.waitFor(async () => expect(await state()).toBe('unsaved'));
    expect(await made.app.getCurrentPingStatus()).toBe('HealthyBusy');
    // At the end of the process the document is stored after all.
    vi.mocked(made.store.put).mockRestore();
    await made.app.close();
    expect(await made.stored(resultKey)).toMatchObject({ rewards: 1 });
  });

  it('starts nothing, reaches no handler and no schema, and is answered while the app closes', async () => {
    const process = vi.fn(() => ({}));
    const gate = Promise.withResolvers<object>();
    const rolloutProcess = vi.fn(() => gate.promise);
    made = testApp({
      debug: true,
      rolloutHandler: { process: rolloutProcess, requestSchema: z.object({ prompt: z.string() }) },
      invocationHandler: { process, requestSchema: z.object({ prompt: z.string() }) },
    });
    await made.app.inject(invocation({ prompt: 'hi', _rollout: rollout }));
    await vi.waitFor(() => expect(rolloutProcess).toHaveBeenCalledOnce());
    const closing = made.app.close();
    expect(await state()).toBe('running');
    gate.resolve({ rewards: 1 });
    await closing;
    expect(process).not.toHaveBeenCalled();
    expect(made.app.getAsyncTaskInfo().activeCount).toBe(0);
  });

  it('is answered by an agent without any handler, and refused where it is malformed', async () => {
    const process = vi.fn(() => ({}));
    made = testApp({ rolloutHandler: { process } });
    const answer = await made.app.inject(invocation({ _rollout_state: { s3_bucket: 'b' } }));
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['x-art-error-code']).toBe('ART_INVALID_PAYLOAD');
    expect(process).not.toHaveBeenCalled();
    await made.app.close();
    made = testApp();
    expect(await state()).toBe('unknown');
  });

  it('is no question with another member beside it', async () => {
    const process = vi.fn(() => ({ got: 1 }));
    made = testApp({ invocationHandler: { process } });
    const payload = { _rollout_state: { s3_bucket: 'b', result_key: 'k', attempt_id: 'a' }, prompt: 'hi' };
    expect((await made.app.inject(invocation(payload))).json()).toEqual({ got: 1 });
  });
});

describe('the reply', () => {
  it.each([
    [rollout, true],
    [{ ...rollout, attempt_id: 7 }, true],
    [target, false],
    [{ ...target, attempt_id: null }, false],
    [{ attempt_id: 'a1' }, false],
  ])('to %j advertises the question: %s', async (config, advertised) => {
    made = testApp({ rolloutHandler: { process: () => ({}) } });
    const reply = (await made.app.inject(invocation({ _rollout: config }))).json<object>();
    expect('state_query' in reply).toBe(advertised);
  });
});

describe('attempts of one key', () => {
  it('run each, and the first document stays', async () => {
    const gates = [Promise.withResolvers<object>(), Promise.withResolvers<object>()];
    let calls = 0;
    made = testApp({ rolloutHandler: { process: () => gates[calls++]!.promise } });
    for (const id of ['a1', 'a2', 'a1', 'a2']) {
      await made.app.inject(invocation({ _rollout: { ...target, attempt_id: id } }));
    }
    await vi.waitFor(() => expect(calls).toBe(2));
    gates[1]!.resolve({ rewards: 2 });
    await vi.waitFor(async () => expect(await state({ ...attempt, attemptId: 'a2' })).toBe('stored'));
    expect(await state()).toBe('running');
    gates[0]!.resolve({ rewards: 1 });
    await vi.waitFor(async () => expect(await state()).toBe('stored'));
    expect(await made.stored(resultKey)).toMatchObject({
      rewards: 2,
      payload: { _rollout: { attempt_id: 'a2' } },
    });
    expect(calls).toBe(2);
  });
});

describe('a repeated request', () => {
  it('starts nothing where its attempt is known', async () => {
    const process = vi.fn(() => ({ rewards: 1 }));
    made = testApp({ rolloutHandler: { process } });
    await made.app.inject(invocation({ _rollout: rollout }));
    const again = await made.app.inject(invocation({ _rollout: { ...rollout, attempt_repeat: true } }));
    expect(again.json()).toMatchObject({ status: 'processing', result_key: resultKey, state_query: 'v1' });
    await vi.waitFor(async () => expect(await state()).toBe('stored'));
    expect(process).toHaveBeenCalledOnce();
    expect(await made.stored(resultKey)).toMatchObject({ payload: { _rollout: rollout } });
  });

  it('gets an attempt id of its own on a machine that has never heard of it, and is known by the old one', async () => {
    const gate = Promise.withResolvers<object>();
    const process = vi.fn((_payload: unknown, _context: RequestContext) => gate.promise);
    made = testApp({ rolloutHandler: { process } });
    const sent = { _rollout: { ...rollout, attempt_repeat: true } };
    const answers = [await made.app.inject(invocation(sent)), await made.app.inject(invocation(sent))];
    // The first one of all, which was long on its way.
    answers.push(await made.app.inject(invocation({ _rollout: rollout })));
    for (const answer of answers) expect(answer.json()).toMatchObject({ result_key: resultKey });
    await vi.waitFor(() => expect(process).toHaveBeenCalledOnce());
    expect(await state()).toBe('running');
    gate.resolve({ rewards: 1 });
    await vi.waitFor(async () => expect(await state()).toBe('stored'));
    expect(process).toHaveBeenCalledOnce();

    const own = { ...target, attempt_id: expect.not.stringMatching(/^a1$/) as string, repeats: 'a1' };
    const [payload, context] = process.mock.calls[0]!;
    expect(payload).toEqual({ _rollout: own });
    expect(context.rollout?.raw).toEqual((payload as { _rollout: unknown })._rollout);
    expect(await made.stored(resultKey)).toMatchObject({ payload });
  });
});
