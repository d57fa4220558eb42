import { createServer } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

/** Answers each chat call as vLLM does, with so many prompt and completion tokens. */
export async function startTinyEngine(promptTokens: number, sampledTokens: number) {
  const content = Array.from({ length: sampledTokens }, (_, at) => ({
    token: `t${at}`,
    logprob: -0.123_456_789 * (1 + (at % 7)),
    bytes: null,
    top_logprobs: [],
  }));
  const body = JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'policy',
    prompt_token_ids: Array.from({ length: promptTokens }, (_, at) => 1_000 + at),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'x'.repeat(sampledTokens) },
        finish_reason: 'stop',
        token_ids: Array.from({ length: sampledTokens }, (_, at) => 2_000 + at),
        logprobs: { content },
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: sampledTokens,
      total_tokens: promptTokens + sampledTokens,
    },
  });
  const server = createServer((request, response) => {
    void text(request).then(() => {
      response.setHeader('content-type', 'application/json');
      response.end(request.url === '/v1/chat/completions' ? body : '{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
