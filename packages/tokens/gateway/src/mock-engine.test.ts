import { mockDifferences } from '@art/tooling/mock-differences';
import { differencesFromVllm } from '@art/tooling/vllm-dialect';
import { expect, it, onTestFinished } from 'vitest';
import { sampled, vllmChat, vllmChatEvents, vllmCompletions } from './capture/engine-replies.fixture.ts';
import { startMockEngine } from './mock-engine.fixture.ts';

it('the mock engine answers as the real vLLM does, member by member', async () => {
  const engine = await startMockEngine();
  onTestFinished(() => engine.close());
  expect(
    await mockDifferences(engine.url, ({ path }) => ['/v1/chat/completions', '/v1/models'].includes(path)),
  ).toEqual([]);
});

it('so do the replies that are read without a server', () => {
  const choices = [sampled(3), sampled(2, 1)];
  const whole = (path: string, body: object) => ({
    path,
    headers: [['content-type', 'application/json'] as const, ['content-length', '9'] as const],
    pieces: [JSON.stringify(body)],
  });
  const answers = [
    whole('/v1/chat/completions', vllmChat([1, 2], choices)),
    whole('/v1/completions', vllmCompletions([1, 2], choices)),
    {
      path: '/v1/chat/completions',
      headers: [['content-type', 'text/event-stream; charset=utf-8'] as const],
      pieces: vllmChatEvents([1, 2], choices),
    },
  ];
  for (const answer of answers)
    expect(differencesFromVllm({ ...answer, method: 'POST', status: 200 })).toEqual([]);
});
