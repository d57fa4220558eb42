/** An agent that calls its model as its payload says, and returns what came, byte for byte. */
import { createHash } from 'node:crypto';
import { AgentCoreRLApp } from '@art/agent';

interface Call {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Instead of `body`: so many bytes. */
  bodyBytes?: number;
}

interface Task {
  calls: Call[][];
  reward?: number;
  config?: true;
  /** How often a call is made before it fails. @default as often as it takes */
  tries?: number;
}

const app = new AgentCoreRLApp({
  invocationHandler: {
    process: async (request, { rollout, signal }) => {
      const { calls, reward = 1, config, tries } = request as unknown as Task;
      const answers: object[] = [];
      for (const together of calls)
        answers.push(
          ...(await Promise.all(
            together.map((call) => patiently(call, rollout?.baseUrl ?? '', signal, tries)),
          )),
        );
      const seen = config === true ? { raw: rollout?.raw, apiKey: rollout?.apiKey, request } : undefined;
      return { rewards: reward, answers, seen };
    },
  },
});

/** As model clients do: a call that was answered with 503, or cut, is made again. */
async function patiently(
  call: Call,
  baseUrl: string,
  signal: AbortSignal,
  mostTries = Infinity,
): Promise<object> {
  for (let tries = 1; ; tries += 1) {
    try {
      const answer = await ask(call, baseUrl, signal);
      if (answer.status !== 503) return { ...answer, tries };
      if (tries >= mostTries) throw Object.assign(new Error('The model gave no answer.'), answer);
    } catch (error) {
      if (signal.aborted || tries >= mostTries) throw error;
    }
  }
}

async function ask(
  call: Call,
  baseUrl: string,
  signal: AbortSignal,
): Promise<{ status: number; [name: string]: unknown }> {
  const { path, method = 'POST', headers, body, bodyBytes } = call;
  const sent = bodyBytes === undefined ? JSON.stringify(body) : Buffer.alloc(bodyBytes, 'x');
  const reply = await fetch(new URL(path, `${baseUrl}/`), {
    method,
    headers: { 'content-type': 'application/json', authorization: 'Bearer of-the-agent', ...headers },
    ...(method !== 'GET' && { body: sent }),
    signal,
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  return {
    status: reply.status,
    type: reply.headers.get('content-type'),
    bytes: bytes.length,
    sha: createHash('sha256').update(bytes).digest('hex'),
    text: bytes.toString().slice(0, 300),
  };
}

await app.run();
