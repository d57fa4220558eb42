import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

const usage = { prompt_tokens: 70, completion_tokens: 30, total_tokens: 100 };

/** An endpoint like a hosted one, which counts what it is asked for. A call has 100 tokens. */
export async function startEndpoint(): Promise<{ url: string; seen: { calls: number } }> {
  const seen = { calls: 0 };
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      if (request.url !== '/v1/chat/completions') return response.writeHead(404).end();
      seen.calls += 1;
      const isStream = (JSON.parse(body) as { stream?: boolean }).stream === true;
      await pause(20);
      const head = { id: 'c', object: 'chat.completion', created: 1, model: 'paid-2026-01-01' };
      if (!isStream) {
        const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hi' } };
        response.setHeader('content-type', 'application/json');
        return response.end(JSON.stringify({ ...head, choices: [choice], usage }));
      }
      response.setHeader('content-type', 'text/event-stream');
      const events = [
        {
          ...head,
          choices: [{ index: 0, delta: { role: 'assistant', content: 'hi' }, finish_reason: null }],
        },
        { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
        { ...head, choices: [], usage },
      ];
      return response.end(
        `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`,
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
}
