import { Type } from 'typebox';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { AgentCoreRLApp } from './agentcore-rl-app.ts';
import type { RequestContext } from './request/request-context.ts';
import { invocation, target, testApp } from './test-app.fixture.ts';

describe('types', () => {
  const typebox = Type.Object({ prompt: Type.String(), turns: Type.Optional(Type.Integer()) });
  const zod = z.object({ n: z.string().transform(Number) });
  const valibot = v.object({ list: v.array(v.boolean()) });
  interface FromTypeBox {
    prompt: string;
    turns?: number;
  }

  it('flow from the schema to the handler in the constructor form', async () => {
    const app = new AgentCoreRLApp({
      rolloutHandler: {
        requestSchema: typebox,
        process: async (request, context) => {
          expectTypeOf(request).toEqualTypeOf<FromTypeBox>();
          expectTypeOf(context).toEqualTypeOf<RequestContext>();
          return { rewards: 1 };
        },
      },
      invocationHandler: {
        process: (request) => expectTypeOf(request).toEqualTypeOf<{ n: number }>(),
        requestSchema: zod,
      },
    });
    expectTypeOf(app).toExtend<AgentCoreRLApp>();
    await app.close();
  });

  it('flow from the schema to the handler in the method form', async () => {
    const app = new AgentCoreRLApp();
    const handler = app.rolloutEntrypoint(
      (request) => {
        expectTypeOf(request).toEqualTypeOf<{ list: boolean[] }>();
        return { rewards: request.list.length };
      },
      { requestSchema: valibot },
    );
    expect(handler({ list: [true] }, {} as RequestContext)).toEqual({ rewards: 1 });
    app.entrypoint((request) => expectTypeOf(request).toEqualTypeOf<FromTypeBox>(), {
      requestSchema: typebox,
    });
    await app.close();
  });

  it('are records of unknown members without a schema', async () => {
    const app = new AgentCoreRLApp({
      rolloutHandler: {
        process(request) {
          expectTypeOf(request).toEqualTypeOf<Record<string, unknown>>();
          return { rewards: 0 };
        },
      },
    });
    app.entrypoint((request) => expectTypeOf(request).toEqualTypeOf<Record<string, unknown>>());
    await app.close();
  });

  it('want an object from a rollout', async () => {
    const made = [
      // @ts-expect-error -- a number cannot be stored
      new AgentCoreRLApp({ rolloutHandler: { process: () => 1 } }),
      // @ts-expect-error -- nor can a promise of one
      new AgentCoreRLApp({ rolloutHandler: { process: async () => 1 } }),
      // @ts-expect-error -- nor a list
      new AgentCoreRLApp({ rolloutHandler: { process: () => [1] } }),
      // @ts-expect-error -- nor nothing
      new AgentCoreRLApp({ rolloutHandler: { process: async () => undefined } }),
      // @ts-expect-error -- a text is no reward
      new AgentCoreRLApp({ rolloutHandler: { process: () => ({ rewards: 'good' }) } }),
      // @ts-expect-error -- nor is a list with one
      new AgentCoreRLApp({ rolloutHandler: { process: () => ({ rewards: [1, 'good'] }) } }),
      // @ts-expect-error -- nor a promise that was not waited for
      new AgentCoreRLApp({ rolloutHandler: { process: () => ({ rewards: Promise.resolve(1) }) } }),
      // @ts-expect-error -- the scalar is a number, too
      new AgentCoreRLApp({ rolloutHandler: { process: () => ({ reward: [1] }) } }),
    ];
    interface Result {
      rewards: number;
    }
    made.push(
      new AgentCoreRLApp({ rolloutHandler: { process: (): Result => ({ rewards: 1 }) } }),
      new AgentCoreRLApp({ rolloutHandler: { process: async (): Promise<Result> => ({ rewards: 1 }) } }),
      new AgentCoreRLApp({ rolloutHandler: { process: () => ({ rewards: [0, 1], turns: 2 }) } }),
      new AgentCoreRLApp({ rolloutHandler: { process: async (request) => ({ ...request, rewards: 1 }) } }),
    );
    await Promise.all(made.map((app) => app.close()));
    expect(made).toHaveLength(12);
  });
});

describe('AgentCoreRLApp', () => {
  it.each([
    [{ rolloutHandler: {} }, /`rolloutHandler.process` to be a function, got undefined/],
    [{ rolloutHandler: { process: 1 } }, /`rolloutHandler.process` to be a function, got 1/],
    [{ rolloutHandler: () => 1 }, /`rolloutHandler` to be an object, got/],
    [{ rolloutHandler: { process: () => ({}), requestSchema: {} } }, /TypeBox schema or a Standard Schema/],
    [{ invocationHandler: { process: () => 1, requestSchema: 'x' } }, /`invocationHandler.requestSchema`/],
    [{ websocketHandler: {} }, /`websocketHandler` to be a function/],
    [{ pingHandler: 'Healthy' }, /`pingHandler` to be a function/],
    [{ resultStore: { put: () => 1 } }, /`resultStore` to be a ResultStore or a function/],
    [{ debug: 'yes' }, /`debug` to be true or false, got "yes"/],
    [{ terminationGraceMs: 60_000 }, /`terminationGraceMs` to be a number from 0 to 6000, got 60000/],
    [{ rolloutHandlers: {} }, /known ones, got "rolloutHandlers". Did you mean rolloutHandler/],
    [null, /`options` to be an object, got null/],
  ])('refuses %o', (options, message) => {
    expect(() => new AgentCoreRLApp(options as never)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringMatching(message) as string,
      }),
    );
  });

  it('takes every handler once', async () => {
    const app = new AgentCoreRLApp({ rolloutHandler: { process: () => ({}) } });
    expect(() => app.rolloutEntrypoint(() => ({}))).toThrow(/one rollout handler/);
    app.entrypoint(() => 1);
    expect(() => app.entrypoint(() => 1)).toThrow(/one invocation handler/);
    await app.close();
  });

  it('calls a handler as a method of its object', async () => {
    const handler = {
      greeting: 'hello',
      process() {
        return this.greeting;
      },
    };
    const { app } = testApp({ invocationHandler: handler });
    expect((await app.inject(invocation({}))).json()).toBe('hello');
    await app.close();
  });

  it('lists a running rollout under the name of its handler', async () => {
    const gate = Promise.withResolvers<object>();
    const { app } = testApp();
    app.rolloutEntrypoint(async function solveMaths() {
      return gate.promise;
    });
    await app.inject(invocation({ _rollout: target }));
    expect(app.getAsyncTaskInfo().runningJobs).toMatchObject([{ name: 'solveMaths' }]);
    gate.resolve({ rewards: 1 });
    await app.close();
  });

  it('takes routes of the user, listens on a free port and can be disposed of', async () => {
    let port: number | undefined;
    {
      await using app = new AgentCoreRLApp({ config: { logging: { enabled: false } } });
      app.fastify.get('/extra', () => ({ own: true }));
      expect(app.port).toBeUndefined();
      const url = await app.listen({ port: 0, host: '127.0.0.1' });
      ({ port } = app);
      expect(url).toBe(`http://127.0.0.1:${port}`);
      expect(await (await fetch(`${url}/extra`)).json()).toEqual({ own: true });
    }
    await expect(fetch(`http://127.0.0.1:${port}/ping`)).rejects.toThrow('fetch failed');
  });

  it('rejects where the port is taken', async () => {
    const config = { logging: { enabled: false } };
    await using first = new AgentCoreRLApp({ config });
    await using second = new AgentCoreRLApp({ config });
    await first.listen({ port: 0, host: '127.0.0.1' });
    await expect(second.listen({ port: first.port!, host: '127.0.0.1' })).rejects.toMatchObject({
      code: 'ART_PORT_TAKEN',
    });
  });
});
