import { ArtError } from '@art/ground';
import { Type } from 'typebox';
import { describe, expect, it, vi } from 'vitest';
import type { AgentCoreRLAppOptions } from '../app-options.ts';
import type { RequestContext } from '../request/request-context.ts';
import { invocation, testApp } from '../test-app.fixture.ts';
import type { RolloutWire, WireOutcome } from './rollout-wire.ts';

type Handler = (request: unknown, context: RequestContext) => unknown;

/** An app with a wire of which a test says what it does; a request of it has `wired`, its id. */
function wiredApp(process: Handler, more: Partial<AgentCoreRLAppOptions> & { wire?: object } = {}) {
  const { wire: changes, ...options } = more;
  const delivered: WireOutcome[] = [];
  const close = vi.fn(async () => {});
  const wire: RolloutWire = {
    name: 'test',
    read: ({ wired: id }) => {
      if (id === undefined) return undefined;
      if (typeof id !== 'string')
        throw new ArtError({ code: 'ART_INVALID_ROLLOUT_CONFIG', message: 'no id' });
      return {
        id,
        background: true,
        carried: ['wired'],
        open: async () => ({
          rollout: {
            target: undefined,
            baseUrl: 'http://127.0.0.1:9/v1',
            modelId: 'policy',
            apiKey: undefined,
            samplingParams: { temperature: 1 },
            raw: {},
          },
          deliver: async (outcome) => void delivered.push(outcome),
          close,
        }),
        ...changes,
      };
    },
  };
  const test = testApp({ invocationHandler: { process }, wires: [wire], ...options });
  return { ...test, delivered, close };
}

describe('a further wire', () => {
  it('runs the handler of production with its rollout, tells the trainer, and lets go', async () => {
    const seen: unknown[] = [];
    const { app, delivered, close } = wiredApp((_request, { rollout }) => {
      seen.push(rollout);
      return { reward: 1 };
    });
    expect((await app.inject(invocation({ wired: 'a' }))).json()).toEqual({ status: 'processing' });
    await vi.waitFor(() => expect(close).toHaveBeenCalledTimes(1));
    expect(seen).toMatchObject([{ modelId: 'policy', target: undefined }]);
    expect(delivered).toEqual([{ kind: 'returned', value: { reward: 1 } }]);
  });

  it('comes before the background of plain requests, and after `_rollout` and envelopes', async () => {
    const { app, delivered } = wiredApp(() => ({ reward: 1 }), { background: true });
    const plain = await app.inject(invocation({ prompt: 'x' }));
    expect(plain.json()).toMatchObject({ invocation_id: expect.any(String) as string });
    await app.inject(invocation({ wired: 'a', _rollout: {} }));
    expect(delivered).toEqual([]);
    await app.inject(invocation({ wired: 'a' }));
    await vi.waitFor(() => expect(delivered).toHaveLength(1));
  });

  it('has schemas that need not know of it, and what is refused may be sent again', async () => {
    const requestSchema = Type.Object({ prompt: Type.String() }, { additionalProperties: false });
    const { app, delivered, close } = wiredApp(() => ({ reward: 1 }), {
      invocationHandler: { requestSchema, process: () => ({ reward: 1 }) } as never,
    });
    expect((await app.inject(invocation({ wired: 'a' }))).statusCode).toBe(400);
    expect(close).toHaveBeenCalledTimes(1);
    expect((await app.inject(invocation({ wired: 7 }))).statusCode).toBe(400);
    expect((await app.inject(invocation({ wired: 'a', prompt: 'x' }))).statusCode).toBe(200);
    await vi.waitFor(() => expect(delivered).toHaveLength(1));
  });

  it('keeps the session busy until the trainer is told', async () => {
    const begun = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    const open = async () => ({
      rollout: { raw: {} } as never,
      deliver: () => {
        begun.resolve();
        return told.promise;
      },
      close: async () => {},
    });
    const { app, lines } = wiredApp(() => ({ reward: 1 }), { wire: { open } });
    await app.inject(invocation({ wired: 'a' }));
    await begun.promise;
    expect(await app.getCurrentPingStatus()).toBe('HealthyBusy');
    told.reject(new Error('nobody there'));
    await vi.waitFor(async () => expect(await app.getCurrentPingStatus()).toBe('Healthy'));
    expect(lines).toContainEqual(expect.objectContaining({ level: 'ERROR', errorMessage: 'nobody there' }));
  });

  it('limits its handler', async () => {
    const { app, delivered } = wiredApp(() => new Promise(() => undefined), { wire: { maxRolloutMs: 1 } });
    await app.inject(invocation({ wired: 'a' }));
    await vi.waitFor(() =>
      expect(delivered).toMatchObject([{ kind: 'failed', error: { code: 'ART_ROLLOUT_TIMEOUT' } }]),
    );
  });

  it('answers in the foreground when the trainer has been told, also who asks again', async () => {
    let runs = 0;
    const { app, delivered } = wiredApp(() => ({ runs: (runs += 1) }), { wire: { background: false } });
    const asking = [app.inject(invocation({ wired: 'a' })), app.inject(invocation({ wired: 'a' }))];
    const replies = await Promise.all(asking);
    replies.push(await app.inject(invocation({ wired: 'a' })));
    expect(replies.map((reply) => reply.json<object>())).toEqual([{ runs: 1 }, { runs: 1 }, { runs: 1 }]);
    expect(delivered).toHaveLength(1);
  });

  it('answers so also where what the rollout had open cannot be closed', async () => {
    const { app, close, lines } = wiredApp(() => ({ reward: 1 }), { wire: { background: false } });
    close.mockRejectedValueOnce(new Error('stuck'));
    const reply = await app.inject(invocation({ wired: 'a' }));
    expect([reply.statusCode, reply.json<object>()]).toEqual([200, { reward: 1 }]);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'ERROR', errorMessage: 'stuck' }));
  });
});

it('wires are wires', () => {
  expect(() => testApp({ wires: [{ name: 'x' }] as never })).toThrow(/`wires` to be a list of wires/);
});
