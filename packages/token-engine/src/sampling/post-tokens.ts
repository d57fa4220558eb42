import type { EngineReply, EngineTransport } from '@art/gateway/engine-port';
import { readWhole } from '../calls/read-body.ts';
import type { EngineRefusal, SampleTask } from './token-sampler.ts';

/** Sends a body to an engine's token route. */
export function postTokens(
  task: SampleTask,
  http: EngineTransport,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<EngineReply> {
  return http.send({
    method: 'POST',
    baseUrl: task.baseUrl,
    path,
    headers: { ...engineHeaders(task.headers), ...headers },
    body: Buffer.from(body),
    sessionId: task.sessionId,
    signal: task.signal,
  });
}

/** The agent's headers, but for those that speak of its own body and of the answer that it would like. */
export function engineHeaders(headers: EngineReply['headers']): Record<string, string | string[]> {
  const {
    accept: _accept,
    'accept-encoding': _acceptEncoding,
    'content-encoding': _contentEncoding,
    ...forwarded
  } = headers;
  return { ...forwarded, 'content-type': 'application/json' };
}

export async function toEngineRefusal(reply: EngineReply): Promise<EngineRefusal> {
  return { status: reply.status, headers: reply.headers, body: await readWhole(reply.body) };
}
