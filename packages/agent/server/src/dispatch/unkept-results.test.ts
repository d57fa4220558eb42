import { afterEach, expect, it, vi } from 'vitest';
import { invocation, target, testApp, type TestApp } from '../test-app.fixture.ts';

let made: TestApp;

afterEach(() => made.app.close());

const notices = (): unknown[] =>
  made.lines.filter(({ level }) => level === 'WARNING').map(({ message }) => message);

async function send(payload: object): Promise<void> {
  const answer = await made.app.inject(invocation(payload));
  // What the Python toolkit answers.
  expect(answer.json()).toEqual({ status: 'processing' });
  await vi.waitFor(() => expect(made.app.getAsyncTaskInfo().activeCount).toBe(0));
}

it('says once a kind that a result was computed and kept nowhere', async () => {
  const process = vi.fn(() => ({ rewards: 1 }));
  made = testApp({ rolloutHandler: { process } });
  await send({ prompt: 'a' });
  await send({ prompt: 'b' });
  expect(notices()).toEqual([
    expect.stringMatching(/kept nowhere: the request had no _rollout\. .*invocationHandler/),
  ]);
  await send({ _rollout: { base_url: 'http://gw/v1' } });
  await send({ _rollout: { base_url: 'http://gw/v1' } });
  expect(notices()).toHaveLength(2);
  expect(notices()[1]).toMatch(/kept nowhere: _rollout has no exp_id, input_id and s3_bucket/);
  expect(process).toHaveBeenCalledTimes(4);
});

it('says nothing of results that are kept, and of requests that are answered', async () => {
  made = testApp({
    rolloutHandler: { process: () => ({ rewards: 1 }) },
    invocationHandler: { process: () => 'read by its caller' },
  });
  await made.app.inject(invocation({ prompt: 'a' }));
  await made.app.inject(invocation({ _rollout: target }));
  await vi.waitFor(() => expect(made.app.getAsyncTaskInfo().activeCount).toBe(0));
  expect(notices()).toEqual([]);
});
