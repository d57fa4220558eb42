/**
 * Plays the Python of the environment, so that the whole way from rollouts to new weights runs without 3 GB of packages:
 * `make_policy.py`, a vLLM that gives token ids and logprobs, and a trainer that answers.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { vllmChat } from '@art/tooling/vllm-shapes';

const [script = '', ...args] = process.argv.slice(2);
// What happened, in the order in which it did, beside the policy.
const tell = (folder: string, event: string): void =>
  appendFileSync(join(folder, '..', 'events.log'), `${event}\n`);

if (script.endsWith('make_policy.py')) {
  mkdirSync(args[0]!, { recursive: true });
  tell(args[0]!, `policy ${args[1]!}`);
  const model = { type: 'BPE', vocab: { a: 0 }, merges: [] };
  const parts = {
    added_tokens: [],
    decoder: null,
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
  };
  writeFileSync(join(args[0]!, 'tokenizer.json'), JSON.stringify({ model, ...parts }));
  writeFileSync(join(args[0]!, 'tokenizer_config.json'), '{}');
} else if (script.endsWith('trainer.py')) {
  process.stdout.write('{"ready": true}\n');
  for await (const line of createInterface({ input: process.stdin })) {
    const { rows, weights } = JSON.parse(line) as { rows: { loss_mask: number[] }[]; weights: string };
    tell(weights, `update ${rows.length}`);
    const tokens = rows.reduce((sum, row) => sum + row.loss_mask.filter((mask) => mask === 1).length, 0);
    process.stdout.write(`${JSON.stringify({ loss: 0, logprob_gap: 0, trained_tokens: tokens })}\n`);
  }
} else {
  serve(args[args.indexOf('--model') + 1]!, Number(args[args.indexOf('--port') + 1]));
}

function serve(policy: string, port: number): void {
  // Says the words of the key and of the tool in turn, so that every other rollout earns something.
  let calls = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    response.setHeader('content-type', 'application/json');
    if (request.url === '/collective_rpc') {
      const { kwargs } = JSON.parse(body) as { kwargs: { weights_path: string } };
      tell(policy, `load ${kwargs.weights_path}`);
    }
    const isChat = request.url === '/v1/chat/completions';
    response.end(JSON.stringify(isChat ? completion(JSON.parse(body) as Chat, calls++) : {}));
  };
  createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1');
  process.on('SIGTERM', () => process.exit(0));
}

interface Chat {
  model: string;
  messages: { content: string }[];
}

function completion({ model, messages }: Chat, call: number): object {
  const content = call % 3 === 0 ? 'xx' : messages.at(-1)!.content;
  const tokens = content.split('').map((text) => ({ id: text.charCodeAt(0), text, logprob: -0.5 }));
  const prompt = messages.flatMap((message) => [1, ...Buffer.from(message.content)]);
  const choice = { index: 0, content, logprobs: tokens, finishReason: 'length' };
  return vllmChat({ id: `chatcmpl-${call}`, model }, [{ ...choice, tokenIds: tokens.map(({ id }) => id) }], {
    promptTokenIds: prompt,
    promptTokens: prompt.length,
    completionTokens: tokens.length,
  });
}
