import { startGateway, type GatewayOptions } from '@art/gateway';
import { GatewayClient } from '@art/gateway-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startRawEngine, type RawEngine } from './raw-engine.fixture.ts';

type Flavour = 'vllm' | 'sglang' | 'trtllm' | 'openai';

async function gatewayBefore(
  engine: RawEngine,
  flavour: Flavour,
  options: GatewayOptions = {},
): Promise<string> {
  const workers = [{ url: engine.url, flavour }];
  const gateway = await startGateway({ port: 0, logLevel: 'silent', workers, ...options });
  onTestFinished(() => gateway.close());
  return gateway.url;
}

async function call(url: string, body: string | Buffer, path = '/v1/chat/completions'): Promise<Buffer> {
  const reply = await fetch(`${url}/sessions/s${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(body),
  });
  expect(reply.status).toBe(200);
  return Buffer.from(await reply.arrayBuffer());
}

/** Text that was put into `sent` to make `received` of it, if that is one piece. */
function insertion(sent: Buffer, received: Buffer): string {
  let head = 0;
  while (head < sent.length && sent[head] === received[head]) head += 1;
  const tail = sent.length - head;
  expect(received.subarray(received.length - tail).toString('latin1')).toBe(
    sent.subarray(head).toString('latin1'),
  );
  return received.subarray(head, received.length - tail).toString();
}

/** Members of an insertion, whichever side its comma is on. */
function members(text: string): unknown {
  return JSON.parse(`{${text.trim().replace(/^,|,$/g, '')}}`);
}

const smallReply =
  '{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}';

const requests: Record<string, string> = {
  'plain numbers':
    '{"model":"m","messages":[{"role":"user","content":"hi"}],"temperature":1.0,"top_p":1.00e0,"seed":1152921504606846976}',
  'numbers that no double holds':
    '{"model":"m","messages":[],"a":123456789012345678901234567890,"b":1E400,"c":-0.0,"d":1e-07,"e":[18446744073709551616]}',
  'repeated members':
    '{"model":"a","x":{"k":1,"k":2.50,"k":{"k":1}},"messages":[{"role":"user","role":"user","content":"1","content":"2"}],"x":null,"model":"b"}',
  'characters of four bytes':
    '{"model":"🧮","messages":[{"role":"user","content":"😀👩‍👩‍👧‍👦 \\ud83d\\ude00 \\ud800 lone, é é ﬀ \\u0000 \\/ \u2028"}]}',
  'white space':
    ' \r\n\t{ "model" :\t"m" ,\r\n "messages" : [ { "role" : "user" , "content" : "  two  " } , ] }'.replace(
      ' , ]',
      ' ]',
    ) + ' \n\n',
  'tools as they are':
    '{"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"n":{"type":"number","minimum":1.0,"maximum":2e2}}}}}],"tool_choice":"auto"}',
  'a member named as what is put in, further down':
    '{"model":"m","messages":[{"role":"user","content":"x","logprobs":false,"return_token_ids":0}],"extra":{"logprobs":1.0}}',
  'nothing at all': '{}',
};

describe('the bytes of a request', () => {
  it.each(Object.entries(requests))(
    'reach the engine unchanged but for one insertion: %s',
    async (_name, body) => {
      const sent = Buffer.from(body);
      for (const flavour of ['vllm', 'sglang'] as const) {
        const engine = await startRawEngine(smallReply);
        const url = await gatewayBefore(engine, flavour);
        await call(url, sent);
        expect(members(insertion(sent, engine.bodies[0]!))).toEqual({
          logprobs: true,
          return_token_ids: true,
        });
      }
      const trtllm = await startRawEngine(smallReply);
      await call(await gatewayBefore(trtllm, 'trtllm'), sent);
      expect(members(insertion(sent, trtllm.bodies[0]!))).toEqual({ logprobs: true });
    },
  );

  it.each(Object.entries(requests))('reach an engine of no flavour as they are: %s', async (_name, body) => {
    const engine = await startRawEngine(smallReply);
    await call(await gatewayBefore(engine, 'openai'), body);
    expect(engine.bodies[0]!.toString('latin1')).toBe(Buffer.from(body).toString('latin1'));
  });

  it('change nowhere else where a session sets sampling parameters', async () => {
    const engine = await startRawEngine(smallReply);
    const url = await gatewayBefore(engine, 'vllm');
    const control = new GatewayClient({ url });
    await control.createSession({ sessionId: 's', samplingParams: { temperature: 0.7 } });
    await call(url, '{"seed":1152921504606846976, "temperature" : 1.0 ,"messages":[],"top_p":1.0}');
    expect(engine.bodies[0]!.toString()).toContain(
      '{"seed":1152921504606846976, "temperature" : 0.7 ,"messages":[],"top_p":1.0',
    );
  });

  it.each(['[1.0, 2]', 'not JSON \u00ff', '"text"', '{"messages":[{"content":"\\'])(
    'reach the engine as they are where they are no object: %s',
    async (body) => {
      const engine = await startRawEngine(smallReply);
      await call(await gatewayBefore(engine, 'vllm'), body);
      expect(engine.bodies[0]!.toString()).toBe(body);
    },
  );
});

// Between « and » is what only the gateway asked for, and what the agent therefore must not get.
const markedReply = `{ "id" : "x",\r\n"created":1.0,"big":1152921504606846976,"big":2.50,"object":"chat.completion"«,"prompt_token_ids":[1,2]»,"choices":[{"index":0,"message":{"role":"assistant","content":"😀 \\u00e9 \\ud83d\\ude00 é","extra":{"k":1,"k":-0.0}},"finish_reason":"stop"«,"token_ids":[10]»«,"logprobs":{"content":[{"token":"😀","logprob":-0.5,"bytes":null,"top_logprobs":[]}]}»,"unknown":[1e-07,1E5]}],"usage":{"prompt_tokens":2,"completion_tokens":1,"total_tokens":3, "cost":1.0}«,"prompt_logprobs":null»,"after": {} }\n`;

const markedStream = [
  ': a comment',
  'event: message',
  'id: 7',
  'data: {"id":"x","created":1.0«,"prompt_token_ids":[1,2]»,"choices":[{"index":0,"delta":{"role":"assistant","content":""}«,"logprobs":null»,"finish_reason":null}]}',
  '',
  'data: {"id":"x", "choices":[{"index":0,"delta":{"content":"😀 \\ud83d\\ude00"}«,"logprobs":{"content":[{"token":"a","logprob":-0.5}]}»,"finish_reason":null«,"token_ids":[10]»,"n":1152921504606846976}]}',
  '',
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"«,"stop_reason":null»}],"k":1,"k":2.0}',
  '',
  'data: [DONE]',
  '',
  '',
].join('\n');

const withMarked = (text: string): string => text.replaceAll(/[«»]/gu, '');
const withoutMarked = (text: string): string => text.replaceAll(/«.*?»/gsu, '');
const askAll = '{"messages":[],"logprobs":true,"top_logprobs":0,"return_token_ids":true,"prompt_logprobs":0';

describe('the bytes of a reply', () => {
  it.each([1, 7, 64, 100_000])(
    'come back unchanged but for what is stripped, in pieces of %i bytes',
    async (pieceBytes) => {
      const engine = await startRawEngine(withMarked(markedReply), { pieceBytes });
      const url = await gatewayBefore(engine, 'vllm');
      expect((await call(url, '{"messages":[]}')).toString()).toBe(withoutMarked(markedReply));
      expect((await call(url, `${askAll}}`)).toString()).toBe(withMarked(markedReply));
    },
  );

  it.each([1, 7, 64, 100_000])('of a stream do too, in pieces of %i bytes', async (pieceBytes) => {
    const answer = withMarked(markedStream);
    const engine = await startRawEngine(answer, { contentType: 'text/event-stream', pieceBytes });
    const url = await gatewayBefore(engine, 'vllm');
    expect((await call(url, '{"messages":[],"stream":true}')).toString()).toBe(withoutMarked(markedStream));
    const plain = await gatewayBefore(engine, 'openai');
    expect((await call(plain, '{"messages":[],"stream":true}')).toString()).toBe(answer);
  });

  it('come as they are from an engine of no flavour', async () => {
    const engine = await startRawEngine(withMarked(markedReply));
    const url = await gatewayBefore(engine, 'openai');
    expect((await call(url, '{"messages":[]}')).toString()).toBe(withMarked(markedReply));
  });

  it('come as they are where stripping is off', async () => {
    const engine = await startRawEngine(withMarked(markedReply));
    const url = await gatewayBefore(engine, 'vllm', { stripEngineFields: false, addLogprobs: false });
    expect((await call(url, '{"messages":[]}')).toString()).toBe(withMarked(markedReply));
  });

  it('of other routes come as they are', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0xfe, ...Buffer.from('{"token_ids":[1],"logprobs":1.0}')]);
    const engine = await startRawEngine(bytes, { contentType: 'application/octet-stream' });
    const url = await gatewayBefore(engine, 'vllm');
    expect(await call(url, '{"input":1.0}', '/v1/embeddings')).toEqual(bytes);
    expect(engine.bodies[0]!.toString()).toBe('{"input":1.0}');
  });
});
