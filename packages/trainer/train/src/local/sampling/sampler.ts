import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sample, SampleRequest } from '../../steps/index.ts';
import { inParts } from '../model/in-parts.ts';
import type { Span } from '../model/attention.ts';
import { SequenceMemory, type Policy } from '../model/policy.ts';
import { mixSeeds, SeededRandom } from '../numbers/seeded-random.ts';
import { type DrawOptions, drawToken } from './draw-token.ts';

export type SamplerRequest = Omit<SampleRequest, 'weights' | 'stop' | 'seed'> & {
  seed: number;
  /** True if the tokens of an answer so far end it. @default only the end token does */
  isEnd?: ((tokens: readonly number[]) => boolean) | undefined;
};

/** One answer in the making. */
interface Sequence {
  policy: Policy;
  /** The tokens that the policy has to read before it can draw the next one. */
  unread: readonly number[];
  /** Tokens that it has read. */
  position: number;
  memory: SequenceMemory;
  tokens: number[];
  logprobs: number[];
  draw: DrawOptions;
  maxTokens: number;
  isEnd: (tokens: readonly number[]) => boolean;
  random: SeededRandom;
  signal: AbortSignal | undefined;
  settle: PromiseWithResolvers<Sample>;
}

/**
 * Samples for all callers at once: whatever is asked for while others are answered joins them at the next token, and each
 * pass of a policy serves all of them. An answer does not depend on what else is in the batch.
 */
export class Sampler {
  readonly #active = new Set<Sequence>();
  #isRunning = false;
  /** Token ids read and drawn so far. */
  readonly counts = { prompt: 0, sampled: 0 };

  /** @throws the signal's reason */
  async sample(policy: Policy, request: SamplerRequest, signal?: AbortSignal): Promise<Sample[]> {
    const {
      prompt,
      samples,
      temperature,
      topP = 1,
      topK = 0,
      seed,
      maxTokens,
      isEnd = () => false,
    } = request;
    signal?.throwIfAborted();
    const room = Math.min(maxTokens, policy.shape.maxContext - prompt.length);
    const sequences = Array.from({ length: samples }, (_, index): Sequence => {
      const settle = Promise.withResolvers<Sample>();
      settle.promise.catch(() => undefined);
      return {
        policy,
        unread: prompt,
        position: 0,
        memory: new SequenceMemory(),
        tokens: [],
        logprobs: [],
        draw: { temperature, topP, topK },
        maxTokens: room,
        isEnd,
        random: new SeededRandom(mixSeeds(seed, index)),
        signal,
        settle,
      };
    });
    for (const sequence of sequences) this.#active.add(sequence);
    if (!this.#isRunning) void this.#run();
    return await Promise.all(sequences.map(({ settle }) => settle.promise));
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Calls that come in the same moment share the first pass, too.
    await nextTurn();
    while (this.#active.size > 0) {
      this.#dropAborted();
      const byPolicy = Map.groupBy(this.#active, ({ policy }) => policy);
      for (const [policy, all] of byPolicy) {
        for (const sequences of inParts(all, ({ unread }) => unread.length)) {
          try {
            this.#advance(policy, sequences);
          } catch (error) {
            for (const sequence of sequences) this.#settle(sequence, () => sequence.settle.reject(error));
          }
          await nextTurn();
        }
      }
    }
    this.#isRunning = false;
  }

  /** One token for each sequence. */
  #advance(policy: Policy, sequences: readonly Sequence[]): void {
    const spans: Span[] = [];
    const ids: number[] = [];
    for (const { unread, position } of sequences) {
      spans.push({ start: ids.length, length: unread.length, position });
      for (const id of unread) ids.push(id);
    }
    const memories = sequences.map(({ memory }) => memory);
    const read = policy.read(ids, spans, { memories });
    const last = { ...read, rows: spans.length, data: read.data.slice(0, spans.length * read.columns) };
    for (const [index, { start, length }] of spans.entries()) {
      const from = (start + length - 1) * read.columns;
      last.data.set(read.data.subarray(from, from + read.columns), index * read.columns);
    }
    const scores = policy.scores(last);
    this.counts.prompt += sequences.reduce(
      (sum, { tokens, unread }) => sum + (tokens.length ? 0 : unread.length),
      0,
    );
    this.counts.sampled += sequences.length;
    for (const [index, sequence] of sequences.entries()) {
      const own = scores.data.subarray(index * scores.columns, (index + 1) * scores.columns);
      const { token, logprob } = drawToken(own, sequence.draw, sequence.random);
      sequence.position += sequence.unread.length;
      sequence.unread = [token];
      sequence.tokens.push(token);
      sequence.logprobs.push(logprob);
      const stopReason = stopReasonOf(sequence);
      const { tokens, logprobs } = sequence;
      if (stopReason) this.#settle(sequence, () => sequence.settle.resolve({ tokens, logprobs, stopReason }));
    }
  }

  #settle(sequence: Sequence, tell: () => void): void {
    this.#active.delete(sequence);
    tell();
  }

  #dropAborted(): void {
    for (const sequence of this.#active)
      if (sequence.signal?.aborted === true)
        this.#settle(sequence, () => sequence.settle.reject(sequence.signal?.reason));
  }
}

function stopReasonOf({ tokens, maxTokens, policy, isEnd }: Sequence): 'stop' | 'length' | undefined {
  if (tokens.at(-1) === policy.shape.endToken || isEnd(tokens)) return 'stop';
  return tokens.length >= maxTokens ? 'length' : undefined;
}
