import type { EngineTransport } from '@art/gateway/engine-port';
import { engineHeaders } from '../sampling/post-tokens.ts';
import { readWhole } from '../calls/read-body.ts';
import type { EngineRefusal } from '../sampling/token-sampler.ts';
import type { EngineAddress } from './tokenization.ts';

/** Posts JSON to a route beside the sampling of tokens, and has the whole answer, whatever its status. */
export async function askEngine(
  http: EngineTransport,
  at: EngineAddress,
  path: string,
  body: string,
): Promise<EngineRefusal> {
  const reply = await http.send({
    method: 'POST',
    baseUrl: at.baseUrl,
    path,
    headers: engineHeaders(at.headers),
    body: Buffer.from(body),
    sessionId: at.sessionId,
    signal: at.signal,
  });
  return { status: reply.status, headers: reply.headers, body: await readWhole(reply.body) };
}
