import { captureReply, type CapturedReply, prepareCall, StreamCapture } from '@art/gateway/testing';
import type { EngineReply, EngineTransport } from '@art/gateway/engine-port';
import { readWhole } from '../calls/read-body.ts';

/** What an agent gets for a call, and what the gateway captured of it. */
export interface Exchanged {
  status: number;
  text: string;
  captured: CapturedReply | undefined;
}

export interface CallOptions {
  baseUrl: string;
  flavour?: 'vllm' | 'sglang';
  sessionId?: string;
  samplingParams?: Record<string, unknown>;
  signal?: AbortSignal;
}

/** Sends a chat call as the gateway does: prepared, through the transport, captured and stripped. */
export async function chat(
  transport: EngineTransport,
  body: Record<string, unknown>,
  options: CallOptions,
): Promise<Exchanged> {
  const call = prepareCall(Buffer.from(JSON.stringify({ model: 'm', ...body })), {
    flavour: options.flavour ?? 'sglang',
    endpoint: 'chat',
    addLogprobs: true,
    addTokenIds: true,
    model: undefined,
    samplingParams: options.samplingParams ?? {},
  })!;
  const reply = await sendChat(transport, call.body, options);
  if (reply.status !== 200) {
    return { status: reply.status, text: (await readWhole(reply.body)).toString(), captured: undefined };
  }
  if (!call.stream) {
    const { body: stripped, captured } = captureReply(await readWhole(reply.body), call);
    return { status: 200, text: Buffer.from(stripped).toString(), captured };
  }
  const capture = new StreamCapture(call);
  let text = '';
  for await (const chunk of reply.body) text += Buffer.from(capture.push(chunk)).toString();
  const { rest, captured } = capture.finish();
  return { status: 200, text: text + Buffer.from(rest).toString(), captured };
}

export function sendChat(
  transport: EngineTransport,
  body: Uint8Array,
  options: CallOptions,
): Promise<EngineReply> {
  return transport.send({
    method: 'POST',
    baseUrl: options.baseUrl,
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer k', 'accept-encoding': 'gzip' },
    body,
    sessionId: options.sessionId ?? 's1',
    signal: options.signal ?? new AbortController().signal,
  });
}

/** The deltas of a streamed answer. */
export function deltasOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as { choices: { delta: Record<string, unknown> }[] })
    .flatMap((event) => event.choices.map((choice) => choice.delta));
}
