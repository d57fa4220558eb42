import { countTokensReply, translateCountTokensRequest } from '../model-wires/messages/count-tokens.ts';
import { isJsonObject, parseJson } from '@art/ground';
import { EngineUnreachable } from '../engines/engine-transport.ts';
import type { AdmittedCall } from './call/call.ts';
import type { SendingServices } from './call/gateway-services.ts';
import { receiveWhole, sendCall, type WholeReply } from './send/send-call.ts';
import { tryWorkers } from './send/try-workers.ts';

// English prose and code are near four bytes a token with the vocabularies of today.
const bytesPerToken = 4;

/**
 * Answers `POST /v1/messages/count_tokens`: by the engine where it has `/tokenize`, else by an estimate, which the header
 * `x-art-token-count: estimated` shows.
 * @throws WireRequestError
 */
export async function countTokens(services: SendingServices, call: AdmittedCall): Promise<void> {
  const prompt = Buffer.from(translateCountTokensRequest(call.body));
  const counted = await countAtEngine(services, call, prompt);
  const headers = {
    'content-type': 'application/json',
    'x-art-token-count': counted === undefined ? 'estimated' : 'exact',
  };
  call.reply.send(200, headers, countTokensReply(counted ?? Math.ceil(prompt.length / bytesPerToken)));
}

async function countAtEngine(
  services: SendingServices,
  call: AdmittedCall,
  prompt: Buffer,
): Promise<number | undefined> {
  try {
    const sent = { body: prompt, path: { root: '/tokenize' } };
    const answer = await tryWorkers(services, call, async (worker) => ({
      reply: await receiveWhole(call, worker, await sendCall(services, call, worker, sent)),
    }));
    answer.release();
    return countIn(answer.reply);
  } catch (error) {
    if (error instanceof EngineUnreachable && !call.life.signal.aborted) return undefined;
    throw error;
  }
}

function countIn({ status, body }: WholeReply): number | undefined {
  if (status !== 200) return undefined;
  try {
    const document = parseJson(body.toString());
    const count = isJsonObject(document) ? document['count'] : undefined;
    return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined;
  } catch {
    return undefined;
  }
}
