import { once } from 'node:events';
import { copyJson } from '@art/ground';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { getContext, type RequestContext } from '../request/request-context.ts';
import { AsyncTasks } from '../ping/async-tasks.ts';
import { invocation, resultKey, sessionId, target, testApp, type TestApp } from '../test-app.fixture.ts';
import { RolloutRuns } from './rollout-runs.ts';

let made: TestApp;

afterEach(() => made.app.close());

const processing = { status: 'processing', s3_bucket: 'results', result_key: resultKey };

describe('the handler', () => {
  it('gets the payload, the config in camelCase, the key and the context', async () => {
    let seen: { request: unknown; context: RequestContext; stored: unknown } | undefined;
    const config = {
      ...target,
      base_url: 'http://gw/v1',
      model_id: 'm',
      sampling_params: { top_p: 1 },
      extra: true,
    };
    made = testApp({
      rolloutHandler: {
        process: async (request, context) => {
          await Promise.resolve();
          seen = { request, context, stored: getContext() };
          return { rewards: 1 };
        },
      },
    });
    await made.app.inject(invocation({ prompt: 'hi', _rollout: config }));
    await vi.waitFor(() => expect(seen).toBeDefined());
    expect(seen?.request).toEqual({ prompt: 'hi', _rollout: config });
    expect(seen?.stored).toBe(seen?.context);
    expect(seen?.context).toMatchObject({
      sessionId,
      resultKey,
      rollout: {
        target: { expId: 'exp1', inputId: 'in1', s3Bucket: 'results' },
        baseUrl: 'http://gw/v1',
        modelId: 'm',
        samplingParams: { top_p: 1 },
        raw: config,
      },
    });
    expect(seen?.context.signal.aborted).toBe(false);
    expect(getContext()).toBeUndefined();
  });

  it('gets the output of its schema, while the document has the original payload', async () => {
    const schema = z.object({ n: z.string().transform(Number), level: z.string().default('easy') });
    const process = vi.fn((request: z.output<typeof schema>) => ({ rewards: request.n }));
    made = testApp({ rolloutHandler: { requestSchema: schema, process } });
    await made.app.inject(invocation({ n: '3', _rollout: target }));
    await vi.waitFor(async () => {
      expect(await made.stored(resultKey)).toMatchObject({
        rewards: 3,
        payload: { n: '3', _rollout: target },
      });
    });
    expect(process.mock.calls[0]?.[0]).toEqual({ n: 3, level: 'easy', _rollout: target });
  });

  it('also runs for payloads without _rollout where there is no other handler, and its failure is logged', async () => {
    made = testApp({
      rolloutHandler: {
        process: () => {
          throw new Error('nobody will read this');
        },
      },
    });
    expect((await made.app.inject(invocation({ a: 1 }))).body).toBe('{"status":"processing"}');
    await vi.waitFor(() => {
      expect(made.lines).toContainEqual(
        expect.objectContaining({ level: 'ERROR', errorMessage: 'nobody will read this', sessionId }),
      );
    });
  });
});

describe('the session', () => {
  it('is busy from the answer until the result is stored', async () => {
    const handler = Promise.withResolvers<object>();
    const put = Promise.withResolvers<void>();
    made = testApp({ rolloutHandler: { process: () => handler.promise } });
    const original = made.store.put.bind(made.store);
    const spy = vi.spyOn(made.store, 'put').mockImplementation(async (...args) => {
      await put.promise;
      return original(...args);
    });
    expect(await made.app.getCurrentPingStatus()).toBe('Healthy');
    await made.app.inject(invocation({ _rollout: target }));
    expect(await made.app.getCurrentPingStatus()).toBe('HealthyBusy');
    handler.resolve({ rewards: 1 });
    await vi.waitFor(() => expect(spy).toHaveBeenCalled());
    expect(await made.app.getCurrentPingStatus()).toBe('HealthyBusy');
    put.resolve();
    await vi.waitFor(async () => expect(await made.app.getCurrentPingStatus()).toBe('Healthy'));
    expect(await made.stored(resultKey)).toBeDefined();
  });

  it('runs every request without an envelope, as the Python toolkit does', async () => {
    const process = vi.fn(async () => ({ rewards: 1 }));
    made = testApp({ rolloutHandler: { process } });
    const request = invocation({ _rollout: { ...target, attempt_id: 'a1' } });
    const answers = await Promise.all([made.app.inject(request), made.app.inject(request)]);
    for (const answer of answers) expect(answer.json()).toEqual(processing);
    await vi.waitFor(() => expect(made.app.getAsyncTaskInfo().activeCount).toBe(0));
    expect(process).toHaveBeenCalledTimes(2);
  });

  it('forgets every rollout that is done', async () => {
    made = testApp({ rolloutHandler: { process: (_request, context) => ({ id: context.sessionId }) } });
    for (let index = 0; index < 50; index += 1) await made.app.inject(invocation({ _rollout: target }, {}));
    await vi.waitFor(() => expect(made.app.getAsyncTaskInfo().activeCount).toBe(0));
    const page = await made.store.list({ bucket: 'results', prefix: '' });
    expect(page.keys).toHaveLength(50);
  });
});

describe('RolloutRuns', () => {
  it('ends within its budget with a handler and a store that hang', async () => {
    made = testApp();
    const tasks = new AsyncTasks();
    const runs = new RolloutRuns(tasks);
    const hang = (): Promise<never> => new Promise(() => undefined);
    const controller = new AbortController();
    const context = { signal: controller.signal, log: made.app.fastify.log, sessionId } as RequestContext;
    const put = vi.spyOn(made.store, 'put').mockImplementation(hang);
    const at = { bucket: 'results', key: resultKey };
    const destination = { store: made.store, at, inputId: 'i', payload: copyJson({}) };
    const secrets = { scrubber: undefined, release: vi.fn() };
    const job = { name: 'hanging', context, controller, process: hang, destination, secrets };
    // As one that waits for a trainer until the process ends.
    const told = vi.fn(async (_ending: unknown, signal: AbortSignal) => {
      if (!signal.aborted) await once(signal, 'abort');
      return 'told';
    });
    const ended = runs.start(job, told);
    const stored = runs.start({ ...job, destination: undefined, process: () => 1 }, told);
    await runs.terminate({ graceMs: 20, saveMs: 20 });
    expect(controller.signal.reason).toMatchObject({ code: 'ART_SESSION_TERMINATED' });
    expect(put).toHaveBeenCalledOnce();
    expect(await Promise.all([ended, stored])).toEqual(['told', 'told']);
    expect(secrets.release).toHaveBeenCalledTimes(2);
    // The document that no store took is in the log before the process may end.
    const line = made.lines.find((candidate) => typeof candidate['document'] === 'string');
    expect(JSON.parse(String(line?.['document']))).toMatchObject({ stop_reason: 'terminated' });
    expect(tasks.busy).toBe(false);
  });
});
