import { isJsonObject } from '@art/protocol';

import { readEngineError } from './read-engine-error.ts';
import { readWeightSpans } from './read-weight-spans.ts';
import { postTokens, toEngineRefusal } from './post-tokens.ts';
import { parseEngineJson, readEvents, readWhole } from './read-body.ts';
import { sglangSampling, writeSampling } from './sampling-params.ts';
import { tokenIdsJson } from './token-ids-json.ts';
import type { SampleFinish, SamplePart, TokenSampler, TopLogprob } from './token-sampler.ts';

const abortPatienceMs = 5_000;

/** SGLang's `/generate`. Source: SGLang docs, native API. */
export const sglangSampler: TokenSampler = {
  async sample(task, http) {
    const members = [
      `"rid":${JSON.stringify(task.requestId)}`,
      `"input_ids":${tokenIdsJson(task.promptIds)}`,
      `"sampling_params":${writeSampling(sglangSampling(task.call, task.maxTokens))}`,
      '"return_logprob":true',
      `"stream":${String(task.stream)}`,
    ];
    if (task.call.topLogprobs > 0) members.push(`"top_logprobs_num":${task.call.topLogprobs}`);
    if (task.call.value('return_routed_experts') === 'true') members.push('"return_routed_experts":true');
    // The router of SGLang keeps the calls of one key on one worker, where their prefix is cached.
    const key = task.sessionId === undefined ? undefined : { 'x-smg-routing-key': task.sessionId };
    const reply = await postTokens(task, http, '/generate', `{${members.join(',')}}`, { ...key });
    if (reply.status !== 200) return toEngineRefusal(reply);
    return task.stream ? streamedParts(reply.body) : wholePart(reply.body);
  },
  async abort(task, http) {
    const reply = await http.send({
      method: 'POST',
      baseUrl: task.baseUrl,
      path: '/abort_request',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ rid: task.requestId })),
      sessionId: task.sessionId,
      signal: AbortSignal.timeout(abortPatienceMs),
    });
    await readWhole(reply.body);
  },
};

async function* wholePart(body: AsyncIterable<Uint8Array>): AsyncGenerator<SamplePart, void> {
  const value: unknown = parseEngineJson((await readWhole(body)).toString());
  yield new CumulativeReader().read(Array.isArray(value) ? value[0] : value);
}

async function* streamedParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<SamplePart, void> {
  const reader = new CumulativeReader();
  for await (const data of readEvents(body)) yield reader.read(parseEngineJson(data));
}

/**
 * Reads objects that hold everything so far, as is SGLang's default, or only what is new, with
 * `--incremental-streaming-output`. Which it is shows in the engine's own count of the tokens so far; where there is none that
 * fits, in whether they begin with those before.
 */
class CumulativeReader {
  readonly #ids: number[] = [];
  #text = '';

  read(event: unknown): SamplePart {
    const object = isJsonObject(event) ? event : {};
    const failure = readEngineError(object);
    if (failure !== undefined) return failure;
    const meta = isJsonObject(object['meta_info']) ? object['meta_info'] : {};
    const counted = typeof meta['completion_tokens'] === 'number' ? meta['completion_tokens'] : undefined;
    const tuples = Array.isArray(meta['output_token_logprobs'])
      ? (meta['output_token_logprobs'] as unknown[][])
      : undefined;
    const outputIds = Array.isArray(object['output_ids']) ? (object['output_ids'] as number[]) : [];
    const told = tuples === undefined ? outputIds : tuples.map((tuple) => tuple[1] as number);
    const isCumulative = this.#isAllSoFar(told, counted);
    const from = isCumulative ? this.#ids.length : 0;
    const fresh = tuples?.slice(from);
    const ids = told.slice(from);
    for (const id of ids) this.#ids.push(id);
    const tops = meta['output_top_logprobs'];
    const experts = meta['routed_experts'];
    return {
      ids,
      logprobs: fresh?.map((tuple) => (typeof tuple[0] === 'number' ? tuple[0] : null)),
      topLogprobs: Array.isArray(tops)
        ? (tops.slice(-ids.length || tops.length) as unknown[]).map(readTop)
        : undefined,
      text: this.#freshText(object['text'], isCumulative),
      finish: readFinish(meta['finish_reason']),
      weightVersion: readVersion(meta['weight_version']),
      weightVersions: readWeightSpans(meta['weight_versions']),
      routedExperts: typeof experts === 'string' ? experts : undefined,
      usage: {
        prompt: numberOf(meta['prompt_tokens']),
        completion: counted,
        cached: numberOf(meta['cached_tokens']),
      },
    };
  }

  #isAllSoFar(told: readonly number[], counted: number | undefined): boolean {
    const seen = this.#ids;
    if (seen.length > 0 && counted === seen.length + told.length) return false;
    if (counted === told.length) return true;
    return told.length >= seen.length && seen.every((id, index) => id === told[index]);
  }

  #freshText(text: unknown, isCumulative: boolean): string | undefined {
    if (typeof text !== 'string') return undefined;
    if (!isCumulative || !text.startsWith(this.#text)) {
      this.#text += text;
      return text;
    }
    const fresh = text.slice(this.#text.length);
    this.#text = text;
    return fresh;
  }
}

function readFinish(value: unknown): SampleFinish | undefined {
  if (typeof value === 'string') return { reason: value };
  if (!isJsonObject(value)) return undefined;
  const { type, matched, message } = value;
  return {
    reason: typeof type === 'string' ? type : 'stop',
    matched: typeof matched === 'string' || typeof matched === 'number' ? matched : undefined,
    message: typeof message === 'string' ? message : undefined,
  };
}

function readTop(tuples: unknown): TopLogprob[] {
  if (!Array.isArray(tuples)) return [];
  return (tuples as unknown[][]).map((tuple) => ({
    id: tuple[1] as number,
    logprob: typeof tuple[0] === 'number' ? tuple[0] : null,
  }));
}

function readVersion(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
