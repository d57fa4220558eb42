import { expect, it, vi } from 'vitest';
import { chatCall, testBench } from '../gateway-bench.fixture.ts';
import { answerAsVllm, sendJson } from '../mock-engine.fixture.ts';

type Bench = Awaited<ReturnType<typeof testBench>>;

const ask = async ({ call }: Bench, body: object = chatCall): Promise<number> => {
  const reply = await call('/sessions/one/v1/chat/completions', { body });
  await reply.text().catch(() => undefined);
  return reply.status;
};

/** Counts of the session, and of its summary. */
const counted = async ({ json }: Bench) => [
  await json('/sessions/one'),
  ((await json('/trajectories/one/finish', { body: {} })) as { summary: object }).summary,
];

it('counts calls that failed, as they leave no capture; those of a full context have a count of their own', async () => {
  const bench = await testBench();
  const { engine, json } = bench;
  await json('/trajectories', { body: { session_id: 'one', max_turns: 3 } });
  expect(await ask(bench)).toBe(200);
  engine.answer = (_request, response) => sendJson(response, 400, { error: { message: 'no such model' } });
  expect(await ask(bench)).toBe(400);
  engine.answer = (_request, response) =>
    sendJson(response, 400, { error: { message: 'prompt is too long: 12 tokens > 10 maximum' } });
  expect(await ask(bench)).toBe(400);
  // It begins an answer and breaks off.
  engine.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"}}]}\n\n', () =>
      response.destroy(),
    );
  };
  expect(await ask(bench, { ...chatCall, stream: true })).toBe(200);
  engine.answer = answerAsVllm;
  expect(await ask(bench)).toBe(200);
  // A turn too many is refused by us, and is no failure.
  expect(await ask(bench)).toBe(429);
  expect(await counted(bench)).toMatchObject([
    { failed_calls: 2 },
    { turns: 3, failed_calls: 2, context_full: 1 },
  ]);
  expect(await json('/sessions/one')).toMatchObject({ failed_calls: 2 });
});

it('counts calls whose agent left, before an answer and in the middle of one, apart from those that failed', async () => {
  const bench = await testBench();
  const { engine, json, call } = bench;
  await json('/trajectories', { body: { session_id: 'one', max_turns: 2 } });
  for (const begin of [
    '',
    'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"}}]}\n\n',
  ]) {
    const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>();
    engine.answer = (_request, response) => {
      if (begin !== '') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(begin);
      }
      tellAsked();
    };
    const leave = new AbortController();
    const body = { ...chatCall, stream: begin !== '' };
    const asking = call('/sessions/one/v1/chat/completions', { body, signal: leave.signal });
    // An answer that has begun is left when its first part is here.
    if (begin === '') await asked;
    else await (await asking).body!.getReader().read();
    leave.abort();
    await Promise.allSettled([asking]);
    await engine.last().dropped;
  }
  await vi.waitFor(async () =>
    expect(await json('/sessions/one')).toMatchObject({
      active_calls: 0,
      abandoned_calls: 2,
      failed_calls: 0,
    }),
  );
  // Each had its turn.
  engine.answer = answerAsVllm;
  expect(await ask(bench)).toBe(429);
  expect(await counted(bench)).toMatchObject([
    { abandoned_calls: 2 },
    { turns: 1, failed_calls: 0, abandoned_calls: 2 },
  ]);
});

it('counts none where all went well', async () => {
  const bench = await testBench();
  await bench.json('/trajectories', { body: { session_id: 'one' } });
  expect(await ask(bench)).toBe(200);
  const none = { failed_calls: 0, abandoned_calls: 0 };
  expect(await counted(bench)).toMatchObject([none, none]);
});
