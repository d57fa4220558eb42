import { isJsonObject, parseJson } from '@art/protocol';
import { EngineUnreachable } from '../engines/engine-transport.ts';
import { countTokensReply, translateCountTokensRequest } from '@art/model-wires';
import type { Call } from './call/call.ts';
import { wantedModel } from './prepare/exchange.ts';
import type { ProxyContext } from './call/proxy-context.ts';
import { receiveWhole, type WholeReply } from './send/received-reply.ts';
import { sendToWorker } from './send/send-to-worker.ts';

// English prose and code are near four bytes a token with the vocabularies of today.
const bytesPerToken = 4;

/**
 * Answers `POST /v1/messages/count_tokens`: by the tokenizer here in token mode, by the engine's own where it has
 * `/tokenize`, else by an estimate, which the header `x-art-token-count: estimated` tells.
 * @throws WireRequestError; ApiError where the messages cannot be rendered
 */
export async function countTokens(context: ProxyContext, call: Call): Promise<void> {
  const prompt = Buffer.from(translateCountTokensRequest(call.body));
  const counted =
    (await context.chat.countTokens?.(prompt, call.signal)) ?? (await countAtEngine(context, call, prompt));
  const inputTokens = counted ?? Math.ceil(prompt.length / bytesPerToken);
  call.reply.send(
    200,
    {
      'content-type': 'application/json',
      'x-art-token-count': counted === undefined ? 'estimated' : 'exact',
    },
    countTokensReply(inputTokens),
  );
}

async function countAtEngine(context: ProxyContext, call: Call, prompt: Buffer): Promise<number | undefined> {
  try {
    const answer = await sendToWorker(
      context,
      call,
      {
        transport: tokenizeTransport(context),
        model: wantedModel(context, call.body),
        prepare: () => ({ body: prompt, path: '/tokenize' }),
      },
      (reply, worker) => receiveWhole(reply, worker, call),
    );
    answer.release();
    return countIn(answer.reply);
  } catch (error) {
    if (error instanceof EngineUnreachable && !call.signal.aborted) return undefined;
    throw error;
  }
}

// `/tokenize` is beside the API, not below its path.
function tokenizeTransport(context: ProxyContext): ProxyContext['http'] {
  return {
    send: (request) => context.http.send({ ...request, path: '/tokenize' }),
    close: () => Promise.resolve(),
  };
}

function countIn(reply: WholeReply): number | undefined {
  if (reply.status !== 200) return undefined;
  try {
    const document = parseJson(reply.body.bytes.toString());
    const count = isJsonObject(document) ? document['count'] : undefined;
    return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined;
  } catch {
    return undefined;
  }
}
