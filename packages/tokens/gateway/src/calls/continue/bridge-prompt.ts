import { findString } from '../../json-bytes/find-value.ts';
import { writeObject } from '../../json-bytes/write-json.ts';
import { isJsonObject, parseJson, stringifyJson } from '@art/ground';
import type { EngineRequest } from '../../engines/engine-transport.ts';
import type { ReadCall } from '../../capture/prepare-call.ts';
import type { Worker } from '../../routing/worker.ts';
import type { TextBytes } from '../../store/capture-store.ts';
import type { AdmittedCall } from '../call/call.ts';
import type { PreparationServices } from '../call/gateway-services.ts';

/** How a conversation continues behind an assistant's turn. */
interface BridgeRequest {
  read: ReadCall;
  worker: Worker;
  /** The token that ended the turn. */
  lastToken: number;
  /** The turn as the agent sends it back. */
  echo: TextBytes;
  newMessages: readonly TextBytes[];
}

// Texts that no tokenizer ends with the same token.
const sentinels = ['xQ7wZ9', 'mK4vT2'] as const;
// Behind it the engine renders the prompt, and the turn becomes another row. An engine under load may take seconds for that; the
// call itself would wait as long.
const patienceMs = 60_000;
// Most often a kept connection that the engine had just closed: a fresh one works at once.
const attempts = 2;

/**
 * The tokens that the model's template writes between the token that ended a turn and the answer to the new messages, by the
 * engine's `/tokenize` and without any knowledge of the model: of two short conversations that differ in what the assistant
 * says, what follows it is the end that they have in common. Undefined where the engine or the template gives none.
 */
export async function bridgePrompt(
  services: PreparationServices,
  call: AdmittedCall,
  request: BridgeRequest,
): Promise<Int32Array | undefined> {
  const { lastToken, newMessages, echo } = request;
  const roles = newMessages.map((message) => findString(Buffer.from(message), ['role']));
  // A further assistant's turn is not of the model.
  if (roles.includes('assistant')) return undefined;
  const calls = roles[0] === 'tool' ? toolCallsIn(echo) : [];
  const [one, other] = await Promise.all(
    sentinels.map((sentinel) => {
      const probe = ['{"role":"user","content":"x"}', assistantSaying(sentinel, calls)];
      return tokenize(services, call, request, [...probe, ...newMessages.map(textOf)]);
    }),
  );
  if (one === undefined || other === undefined) return undefined;
  const tail = commonEnd(one, other);
  // What stands before it the model has written itself: the end of a call's markup.
  const end = tail.indexOf(lastToken);
  return end < 0 ? undefined : tail.subarray(end + 1);
}

function commonEnd(one: Int32Array, other: Int32Array): Int32Array {
  let length = 0;
  while (length < Math.min(one.length, other.length) && one.at(-1 - length) === other.at(-1 - length)) {
    length += 1;
  }
  return one.subarray(one.length - length);
}

/** Templates of some models read the calls to render their results; the sentinel is the last thing that is said in them. */
function assistantSaying(sentinel: string, calls: readonly Record<string, unknown>[]): string {
  if (calls.length === 0) return stringifyJson({ role: 'assistant', content: sentinel });
  const toolCalls = calls.map((call, index) => {
    const args = index === calls.length - 1 ? { x: sentinel } : {};
    const inner = isJsonObject(call['function']) ? call['function'] : {};
    return { ...call, type: 'function', function: { ...inner, arguments: JSON.stringify(args) } };
  });
  return stringifyJson({ role: 'assistant', content: '', tool_calls: toolCalls });
}

function toolCallsIn(message: TextBytes): Record<string, unknown>[] {
  const value = parseJson(textOf(message));
  const calls = isJsonObject(value) ? value['tool_calls'] : undefined;
  return Array.isArray(calls) ? (calls as unknown[]).filter((call) => isJsonObject(call)) : [];
}

/** Undefined where the engine gives no ids, for whatever reason: the call itself will say so, or does without. */
async function tokenize(
  { engines }: PreparationServices,
  { headers, life, session }: AdmittedCall,
  { read, worker }: BridgeRequest,
  messages: readonly string[],
): Promise<Int32Array | undefined> {
  const body = writeObject([
    ['model', read.value('model')],
    ['messages', `[${messages.join(',')}]`],
    ['add_generation_prompt', 'true'],
    ['add_special_tokens', 'false'],
    ['tools', read.value('tool_choice') === '"none"' ? undefined : read.tools],
    ['chat_template', read.value('chat_template')],
    ['chat_template_kwargs', read.value('chat_template_kwargs')],
  ]);
  const request: EngineRequest = {
    method: 'POST',
    baseUrl: worker.url,
    // Beside the API, not below its path.
    path: '/tokenize',
    headers: { ...headers, 'content-type': 'application/json' },
    body: Buffer.from(body),
    sessionId: session?.sessionId,
    signal: AbortSignal.any([life.signal, AbortSignal.timeout(patienceMs)]),
  };
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      const reply = await engines.send(request);
      const text = Buffer.concat(await Array.fromAsync(reply.body)).toString();
      return reply.status === 200 ? tokensIn(text) : undefined;
    } catch {
      if (request.signal.aborted) break;
    }
  }
  return undefined;
}

function tokensIn(text: string): Int32Array | undefined {
  const answer = parseJson(text);
  const tokens: unknown = isJsonObject(answer) ? answer['tokens'] : undefined;
  const areIds = Array.isArray(tokens) && tokens.every((id) => Number.isInteger(id));
  return areIds ? Int32Array.from(tokens as number[]) : undefined;
}

function textOf(message: TextBytes): string {
  return typeof message === 'string' ? message : Buffer.from(message).toString();
}
