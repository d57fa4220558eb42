import { isJsonObject } from '@art/protocol';

import { readEngineJson, tokensObject } from '../calls/read-body.ts';
import { matchedOf, numberOf, readWeightSpans, versionOf } from './told-values.ts';
import type { SamplePart, SampleTask, TopLogprob } from './token-sampler.ts';

type Json = Readonly<Record<string, unknown>>;

/** Reads an answer of vLLM's token routes, which differ only in the shape of the logprobs. */
export async function* readVllmParts(
  body: AsyncIterable<Uint8Array>,
  { stream, call }: SampleTask,
): AsyncGenerator<SamplePart, void> {
  for await (const value of readEngineJson(body, stream)) {
    const event = tokensObject(value);
    const choices: readonly unknown[] = Array.isArray(event['choices']) ? event['choices'] : [];
    // The counts stand in an event without choices.
    for (const [place, choice] of (choices.length === 0 ? [{}] : choices).entries()) {
      yield readChoice(isJsonObject(choice) ? choice : {}, event, place, call.topLogprobs);
    }
  }
}

/**
 * Names the token that ended an answer where vLLM names nothing: it was the model's own end of turn, the last token. Only this
 * tells it where there is no tokenizer to know it. Not for routes that say nothing of stop texts either, where one may match.
 */
export async function* withStopToken(parts: AsyncIterable<SamplePart>): AsyncGenerator<SamplePart, void> {
  const last = new Map<number, number>();
  for await (const part of parts) {
    const { finish, choice = 0 } = part;
    const id = part.ids.at(-1);
    if (id !== undefined) last.set(choice, id);
    if (finish?.reason === 'stop' && finish.matched === undefined) {
      yield { ...part, finish: { ...finish, matched: last.get(choice) } };
    } else yield part;
  }
}

function readChoice(choice: Json, event: Json, place: number, top: number): SamplePart {
  const { index, finish_reason: reason, stop_reason: matched, routed_experts: experts } = choice;
  const logprobs = isJsonObject(choice['logprobs']) ? choice['logprobs'] : {};
  return {
    choice: typeof index === 'number' ? index : place,
    ...(Array.isArray(logprobs['content']) ? readContent(logprobs['content']) : readColumns(logprobs, top)),
    // Releases before `return_token_ids` have the ids only as the names of the tokens.
    ids: readIds(choice['token_ids']) ?? readIds(logprobs['tokens']) ?? [],
    finish: typeof reason === 'string' ? { reason, matched: matchedOf(matched) } : undefined,
    weightVersion: versionOf(choice['weight_version'] ?? event['weight_version']),
    weightVersions: readWeightSpans(choice['weight_versions']),
    routedExperts: typeof experts === 'string' ? experts : undefined,
    // The engine counts all choices together.
    usage: place === 0 ? readUsage(event['usage']) : {},
  };
}

type Logprobs = Pick<SamplePart, 'logprobs' | 'topLogprobs'>;

/** An entry for each token, as the chat route has them too. */
function readContent(content: readonly unknown[]): Logprobs {
  // What is no object keeps its place: the logprobs of the tokens after it must not move up.
  const entries = content.map((entry) => (isJsonObject(entry) ? entry : {}));
  return {
    logprobs: entries.map((entry) => numberOf(entry['logprob']) ?? null),
    topLogprobs: entries.map(({ top_logprobs: tops }) =>
      (Array.isArray(tops) ? tops : []).filter(isJsonObject).map((entry) => ({
        // Older releases spell ids as "token_id:7", newer ones have them as a number.
        id: numberOf(entry['token_id']) ?? tokenIdIn(entry['token']),
        logprob: numberOf(entry['logprob']) ?? null,
      })),
    ),
  };
}

/** Lists beside each other, as completions have them. */
function readColumns({ token_logprobs: own, top_logprobs: tops }: Json, top: number): Logprobs {
  return {
    logprobs: Array.isArray(own) ? own.map((value) => numberOf(value) ?? null) : undefined,
    topLogprobs: Array.isArray(tops) ? tops.map((entry) => readNamed(entry, top)) : undefined,
  };
}

// The sampled token is among them, also where it is not one of the most likely.
function readNamed(value: unknown, count: number): TopLogprob[] {
  return Object.entries(isJsonObject(value) ? value : {})
    .map(([token, logprob]) => ({ id: tokenIdIn(token), logprob: numberOf(logprob) ?? null }))
    .toSorted((one, other) => (other.logprob ?? -Infinity) - (one.logprob ?? -Infinity))
    .slice(0, count);
}

function readIds(value: unknown): number[] | undefined {
  return Array.isArray(value) ? value.map(tokenIdIn) : undefined;
}

// An id, or "token_id:7"; NaN where it is neither.
function tokenIdIn(token: unknown): number {
  return typeof token === 'number' ? token : Number(String(token).replace('token_id:', ''));
}

function readUsage(value: unknown): NonNullable<SamplePart['usage']> {
  if (!isJsonObject(value)) return {};
  return { prompt: numberOf(value['prompt_tokens']), completion: numberOf(value['completion_tokens']) };
}
