import type { CalledEngine } from '../calls/called-engine.ts';
import { withMessages } from '../calls/chat-call.ts';
import { bridgeProbe, canBeBridged } from '../tokens/bridge-probe.ts';
import type { BridgeRequest, RenderedPrompt, Tokenization } from './tokenization.ts';

// Texts that no tokenizer ends with the same token.
const sentinels = ['xQ7wZ9', 'mK4vT2'] as const;

/**
 * What the template puts after the previous tokens, found by rendering alone: of two
 * short conversations that differ in what the assistant says, what follows it is the end that they have in common. The token
 * that ended the turn stands in it. Undefined where it does not, or the turn was not ended by one; the conversation has to
 * be rendered anew then.
 */
export async function bridgeByRendering(
  { render }: Pick<Tokenization, 'render'>,
  request: BridgeRequest,
  engine: CalledEngine,
): Promise<RenderedPrompt | undefined> {
  const { lastToken: close, isClosed, newMessages, call } = request;
  if (!isClosed || close === undefined || !canBeBridged(request)) return undefined;
  const prompts = sentinels.map((sentinel) =>
    render(withMessages(call, [...bridgeProbe(sentinel, request), ...newMessages]), engine),
  );
  const [one, other] = await Promise.all(prompts);
  if (one === undefined || other === undefined) return undefined;
  const tail = commonEnd(one.ids, other.ids);
  const closeAt = tail.indexOf(close);
  // Where images are is told from the beginning of the prompt.
  const hasImages = (one.rendered?.get('features') ?? 'null') !== 'null';
  if (closeAt < 0 || hasImages) return undefined;
  return { ids: tail.subarray(closeAt + 1), rendered: one.rendered };
}

function commonEnd(one: Int32Array, other: Int32Array): Int32Array {
  let length = 0;
  while (length < Math.min(one.length, other.length) && one.at(-1 - length) === other.at(-1 - length)) {
    length += 1;
  }
  return one.subarray(one.length - length);
}
