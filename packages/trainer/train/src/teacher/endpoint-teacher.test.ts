import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@art/ground';
import { expect, it, onTestFinished } from 'vitest';
import { endpointTeacher } from './endpoint-teacher.ts';

interface Asked {
  path: string | undefined;
  key: string | undefined;
  body: { prompt: number[]; max_tokens: number };
}

/** Answers in turn; the last one again and again. */
async function endpoint(...answers: { status?: number; logprobs?: unknown }[]) {
  const asked: Asked[] = [];
  let [active, mostActive] = [0, 0];
  const answer = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    mostActive = Math.max(mostActive, (active += 1));
    const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()) as Asked['body'];
    asked.push({ path: request.url, key: request.headers.authorization, body });
    const { status = 200, logprobs = [null, ...body.prompt.slice(1).map((id) => -id / 10)] } =
      answers[Math.min(asked.length, answers.length) - 1] ?? {};
    active -= 1;
    reply.writeHead(status).end(JSON.stringify({ choices: [{ logprobs: { token_logprobs: logprobs } }] }));
  };
  const server = createServer((request, reply) => void answer(request, reply));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  return { asked, baseUrl, mostActive: () => mostActive };
}

const hurried: Clock = {
  nowMs: () => 0,
  epochMs: () => 0,
  after: (_delayMs, wake) => {
    queueMicrotask(wake);
    return () => undefined;
  },
};

it('asks for the logprobs of token ids, some at a time, and samples nothing', async () => {
  const { asked, baseUrl, mostActive } = await endpoint();
  const teacher = endpointTeacher({ baseUrl, model: 'large', apiKey: 'secret', concurrency: 2 });
  const answers = await Promise.all([1, 2, 3, 4, 5].map((id) => teacher.logprobs([9, id])));
  expect(answers).toEqual([1, 2, 3, 4, 5].map((id) => [null, -id / 10]));
  expect(asked[0]).toEqual({
    path: '/v1/completions',
    key: 'Bearer secret',
    body: { model: 'large', prompt: [9, 1], echo: true, logprobs: 1, max_tokens: 0, temperature: 1 },
  });
  expect(mostActive()).toBeLessThanOrEqual(2);
});

it('a token more is left out, and what is no number stays unknown', async () => {
  const { baseUrl } = await endpoint({ logprobs: [null, -1, 'x', -3] });
  expect(await endpointTeacher({ baseUrl, model: 'm' }).logprobs([1, 2, 3])).toEqual([null, -1, null]);
});

it('what fails for a while is tried again, within a bound', async () => {
  const busy = await endpoint({ status: 503 }, { status: 429 }, {});
  await endpointTeacher({ baseUrl: busy.baseUrl, model: 'm', clock: hurried }).logprobs([1, 2]);
  expect(busy.asked).toHaveLength(3);
  const down = await endpoint({ status: 500 });
  const answer = endpointTeacher({ baseUrl: down.baseUrl, model: 'm', clock: hurried }).logprobs([1, 2]);
  await expect(answer).rejects.toMatchObject({ code: 'ART_TRAIN_TEACHER_FAILED' });
  expect(down.asked).toHaveLength(6);
});

it.each([
  [{ status: 400 }, /to answer, got 400/],
  [{ logprobs: [null] }, /a logprob for each of 3 tokens, got 1/],
  [{ logprobs: null }, /takes? token ids, `echo` and `logprobs`/],
])('what cannot be used is refused at once, with a sentence: %o', async (wrong, message) => {
  const { asked, baseUrl } = await endpoint(wrong);
  const answer = endpointTeacher({ baseUrl, model: 'm' }).logprobs([1, 2, 3]);
  await expect(answer).rejects.toMatchObject({
    code: 'ART_TRAIN_TEACHER_FAILED',
    message: expect.stringMatching(message) as string,
  });
  expect(asked).toHaveLength(1);
});
