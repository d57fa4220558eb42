import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  invocation,
  resultKey,
  sessionHeader,
  target,
  testApp,
  throwing,
  type TestApp,
} from '../test-app.fixture.ts';

let made: TestApp;

afterEach(() => made.app.close());

class Unreadable extends Error {
  override get message(): string {
    throw new Error('no message for you');
  }
}

function revoked(target_: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target_, {});
  revoke();
  return proxy;
}

const unreadable: [string, unknown][] = [
  ['a revoked Proxy', revoked({})],
  ['a revoked Proxy of an error', revoked(new Error('x'))],
  ['an error whose message throws', new Unreadable()],
  ['an error whose cause cannot be read', new Error('outside', { cause: revoked({}) })],
];

describe('a handler that throws what cannot be read', () => {
  it.each(unreadable)('has its document, and a line of log: %s', async (_name, thrown) => {
    made = testApp({ rolloutHandler: { process: throwing(thrown) } });
    await made.app.inject(invocation({ _rollout: target }));
    await vi.waitFor(async () => {
      expect(await made.stored(resultKey)).toMatchObject({
        status_code: 500,
        stop_reason: expect.stringMatching(/./) as string,
      });
    });
    await vi.waitFor(() => expect(made.app.getAsyncTaskInfo().activeCount).toBe(0));
    expect(made.lines).toContainEqual(
      expect.objectContaining({
        level: 'ERROR',
        message: expect.stringMatching(/^The rollout handler failed/) as string,
      }),
    );
  });

  it.each(unreadable)('answers a production request with 500: %s', async (_name, thrown) => {
    made = testApp({ invocationHandler: { process: throwing(thrown) } });
    const answer = await made.app.inject(invocation({}));
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({ error: expect.stringMatching(/./) as string });
  });

  it('ends a stream with an event that says that it failed', async () => {
    made = testApp({
      invocationHandler: {
        process: async function* () {
          yield 'a';
          throw revoked(new Error('x')) as Error;
        },
      },
    });
    const answer = await made.app.inject(invocation({}));
    expect(answer.body).toContain('data: a\n\n');
    expect(answer.body).toContain('event: error\n');
  });
});

it('a store that throws what cannot be read is tried again', async () => {
  made = testApp({ rolloutHandler: { process: () => ({ rewards: 1 }) } });
  const put = vi.spyOn(made.store, 'put');
  put.mockRejectedValueOnce(revoked(new Error('x')));
  await made.app.inject(invocation({ _rollout: target }));
  await vi.waitFor(async () => expect(await made.stored(resultKey)).toMatchObject({ rewards: 1 }));
  expect(put).toHaveBeenCalledTimes(2);
});

it('the document is on its way before anything about it is logged', async () => {
  const order: string[] = [];
  made = testApp({
    rolloutHandler: {
      process: () => {
        throw new Error('boom');
      },
    },
  });
  const put = made.store.put.bind(made.store);
  made.store.put = (...given) => {
    order.push('put');
    return put(...given);
  };
  made.lines.push = (line) => order.push(String(line['message']));
  await made.app.inject(invocation({ _rollout: target }, sessionHeader));
  await vi.waitFor(() => expect(order).toContain('Result stored'));
  expect(order.indexOf('put')).toBeLessThan(order.indexOf('The rollout handler failed'));
});

it('whatever a handler logs, logging does not throw', async () => {
  made = testApp({
    invocationHandler: {
      process: (_request, { log }) => {
        log.info(revoked({}) as object, 'a whole line');
        log.warn({ field: revoked({}) }, 'a field');
        log.child({ turn: 1 }).error({ err: revoked(new Error('x')) }, 'an error');
        log.info({ get: new Unreadable() }, 'a member');
        return 'done';
      },
    },
  });
  const answer = await made.app.inject(invocation({}));
  expect(answer.json()).toBe('done');
  const said = made.lines.map((line) => String(line['message']));
  for (const words of ['a whole line', 'a field', 'an error', 'a member'])
    expect(said.some((line) => line.startsWith(words))).toBe(true);
});
